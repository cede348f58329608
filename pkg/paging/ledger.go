package paging

import (
	"slices"
	"strings"

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

func newTable(set *datasets.DataSet) *columns.Table {
	table := &columns.Table{}
	for _, f := range set.Fields {
		table.Columns = append(table.Columns, columns.New(f.Name, f.Type, 0))
	}
	return table
}

// ledger holds the rows of a read: those of the prediction, and those of the pages received now. An entry is one row of
// the service, identified by its key; of its versions the latest counts.
type ledger struct {
	set       *datasets.DataSet
	predicted *columns.Table
	now       *columns.Table
	entries   map[key]int
	latest    []place // by entry
	keyless   bool    // some row has no key, so duplicates cannot be detected
	unknown   int     // columns of now that are not in the description
	padded    int64   // their cells that were counted
	folded    bool    // there are more of them than a read may have
	problems  []rowProblem
}

// rowProblem is a problem of a page that has these rows of now.
type rowProblem struct {
	begin, end int
	pages.Problem
}

func newLedger(set *datasets.DataSet, predicted *columns.Table) *ledger {
	l := &ledger{set: set, predicted: predicted, now: newTable(set), entries: map[key]int{}}
	if predicted == nil {
		l.predicted = newTable(set)
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
	l.fold(p)
	begin := l.now.Rows
	for _, problem := range p.Problems {
		l.problems = append(l.problems, rowProblem{begin, begin + p.Table.Rows, problem})
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

// added returns how many rows of a page are new, and whether the others, one at least, have these entries.
func (l *ledger) added(p *pages.Page, entries []int) (rows int, isSame bool) {
	keys := p.Table.Column(l.set.Key)
	for row := range p.Table.Rows {
		k, ok := keyOf(keys, row)
		entry, known := l.entries[k]
		switch {
		case !ok || !known:
			rows++
		case !slices.Contains(entries, entry):
			return 0, false
		}
	}
	return rows, rows < p.Table.Rows
}

// nullBytes is the approximate size of a null cell.
const nullBytes = 17

// padding returns the bytes that new rows take in columns of unknown fields beyond those of their own page: each row
// has a cell in every column, and a late column has one for every earlier row.
func (l *ledger) padding() int64 {
	cells := int64(l.unknown) * int64(l.now.Rows)
	grown := cells - l.padded
	l.padded = cells
	return grown * nullBytes
}

// fold moves unknown fields beyond the limit of a read into the page's otherFields.
func (l *ledger) fold(p *pages.Page) {
	var beyond []*columns.Column
	for _, c := range p.Table.Columns[len(l.set.Fields):] {
		switch {
		case c.Name == pages.OtherFields:
			l.folded = true
		case l.now.Column(c.Name) != nil:
		case l.unknown < pages.MaxUnknown:
			l.unknown++
			l.now.Columns = append(l.now.Columns, columns.New(c.Name, "", 0))
		default:
			beyond = append(beyond, c)
		}
	}
	l.folded = l.folded || len(beyond) > 0
	p.Fold(beyond)
}

// problemsOf returns what could not be parsed in the pages that some of the entries are from, one for each column.
func (l *ledger) problemsOf(entries []int) pages.Problems {
	isShown := make([]bool, l.now.Rows)
	for _, entry := range entries {
		if p := l.latest[entry]; !p.isPrediction() {
			isShown[p.row()] = true
		}
	}
	var merged pages.Problems
	for _, p := range l.problems {
		if slices.Contains(isShown[p.begin:p.end], true) {
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
	same := columns.Compare(l.now, l.predicted)
	places := make([]place, len(order))
	for i, entry := range order {
		places[i] = l.latest[entry]
		if !places[i].isPrediction() && entry < l.predicted.Rows && same.Same(places[i].row(), entry) {
			places[i] = place(entry)
		}
	}
	return places
}

// table returns the rows of entries in this order. The fields of the description come first, in its order, then the
// others by name. A column without any value is text. The caller must not modify it: it may share memory with the
// ledger, which only appends.
func (l *ledger) table(order []int) *columns.Table {
	// A few rows are copied, so that they don't keep the memory of whole pages.
	if l.inReceivedOrder(order) && 2*len(order) >= l.now.Rows {
		view := l.now.Head(len(order))
		sortUnknown(l.set, view)
		return view
	}
	places := l.revert(order)
	if l.isPrediction(places) {
		return l.predicted
	}
	table := newTable(l.set)
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
	table = table.Head(table.Rows)
	sortUnknown(l.set, table)
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

// sortUnknown sorts the fields that are not in the description by name, after the others.
func sortUnknown(set *datasets.DataSet, t *columns.Table) {
	slices.SortFunc(t.Columns[len(set.Fields):], func(a, b *columns.Column) int { return strings.Compare(a.Name, b.Name) })
}
