package paging

import (
	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// key identifies a row: the id of a task, the label of an automation. A row without one is never a duplicate.
type key struct {
	text   string
	number int64
}

// keyOf returns the key of a row, and whether it has one.
func keyOf(c *columns.Column, row int) (key, bool) {
	switch {
	case !c.Valid[row]:
		return key{}, false
	case c.Type == datasets.Integer:
		return key{number: c.Integers[row]}, true
	default:
		return key{text: c.Strings[row]}, true
	}
}

// place is where a version of a row is stored: a row of the prediction or, as its complement, a row received now.
type place int

func received(row int) place       { return place(^row) }
func (p place) isPrediction() bool { return p >= 0 }
func (p place) row() int           { return int(max(p, ^p)) }

// ledger holds the rows of a read: those of the prediction, and those of the pages received now. An entry is one row of
// the service, identified by its key; of its versions the latest counts.
type ledger struct {
	set       *datasets.DataSet
	predicted *columns.Table
	now       *columns.Table
	entries   map[key]int
	latest    []place // by entry
	keyless   bool    // some row has no key, so duplicates cannot be detected
	problems  []rowProblem
}

// rowProblem is a problem of a page that starts at this row of now.
type rowProblem struct {
	row int
	pages.Problem
}

func newLedger(set *datasets.DataSet, predicted *columns.Table) *ledger {
	l := &ledger{set: set, predicted: predicted, now: pages.NewTable(set, 0), entries: map[key]int{}}
	if predicted == nil {
		l.predicted = pages.NewTable(set, 0)
		return l
	}
	keys := predicted.Column(set.Key)
	l.entries = make(map[key]int, predicted.Rows)
	for row := range predicted.Rows {
		k, _ := keyOf(keys, row)
		l.entries[k] = row
		l.latest = append(l.latest, place(row))
	}
	return l
}

func (l *ledger) tableOf(p place) *columns.Table {
	if p.isPrediction() {
		return l.predicted
	}
	return l.now
}

// add adds the rows of a page, and returns their entries.
func (l *ledger) add(p *pages.Page) []int {
	begin := l.now.Rows
	for _, problem := range p.Problems {
		l.problems = append(l.problems, rowProblem{begin, problem})
	}
	l.now.Append(p.Table, nil)
	keys := l.now.Column(l.set.Key)
	list := make([]int, p.Table.Rows)
	for i := range list {
		k, ok := keyOf(keys, begin+i)
		entry, known := l.entries[k]
		if !ok || !known {
			entry = len(l.latest)
			l.latest = append(l.latest, 0)
		}
		if ok {
			l.entries[k] = entry
		}
		l.keyless = l.keyless || !ok
		l.latest[entry] = received(begin + i)
		list[i] = entry
	}
	return list
}

// problemsUpTo returns what could not be parsed in the pages that start within the first rows of now, one for each
// column.
func (l *ledger) problemsUpTo(rows int) pages.Problems {
	var merged pages.Problems
	for _, p := range l.problems {
		if p.row < rows {
			merged.Merge(p.Problem)
		}
	}
	return merged
}

// times returns the times of entries, as TimesOf does those of rows.
func (l *ledger) times(field string) func(entry int) int64 {
	predicted, now := TimesOf(l.predicted, field), TimesOf(l.now, field)
	return func(entry int) int64 {
		p := l.latest[entry]
		if p.isPrediction() {
			return predicted(p.row())
		}
		return now(p.row())
	}
}

// inReceivedOrder reports whether entries are the first received rows, as they were received.
func (l *ledger) inReceivedOrder(order []int) bool {
	for i, entry := range order {
		if l.latest[entry] != received(i) {
			return false
		}
	}
	return true
}

// revert replaces received versions that equal the prediction with the prediction, so that an unchanged list keeps its
// table.
func (l *ledger) revert(order []int) []place {
	places := make([]place, len(order))
	for i, entry := range order {
		places[i] = l.latest[entry]
		if !places[i].isPrediction() && entry < l.predicted.Rows && l.now.Same(places[i].row(), l.predicted, entry) {
			places[i] = place(entry)
		}
	}
	return places
}

// table returns the rows of entries in this order. The caller must not modify it: it may share memory with the ledger,
// which only appends.
func (l *ledger) table(order []int) *columns.Table {
	if l.inReceivedOrder(order) {
		return l.now.Head(len(order))
	}
	places := l.revert(order)
	if l.isPrediction(places) {
		return l.predicted
	}
	table := pages.NewTable(l.set, 0)
	for begin := 0; begin < len(places); {
		end := begin + 1
		for end < len(places) && places[end].isPrediction() == places[begin].isPrediction() {
			end++
		}
		rows := make([]int, 0, end-begin)
		for _, p := range places[begin:end] {
			rows = append(rows, p.row())
		}
		table.Append(l.tableOf(places[begin]), rows)
		begin = end
	}
	return table
}

func (l *ledger) isPrediction(places []place) bool {
	for i, p := range places {
		if p != place(i) {
			return false
		}
	}
	return len(places) == l.predicted.Rows
}
