package reads

import (
	"slices"
	"strings"
	"sync"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// assembly merges the rows of pages into one table as they arrive. Of rows with the same key the first is kept.
type assembly struct {
	mu       sync.Mutex // guards the table: its front may be read while rows are added
	set      *datasets.DataSet
	table    *columns.Table
	rows     map[key]int // row of the table, by key
	keyless  bool        // some row has no key, so duplicates cannot be detected
	unknown  int         // columns that are not in the description
	padded   int64       // their cells that were counted
	folded   bool        // there are more of them than a read may have
	reserved int         // rows with reserved capacity
	problems pages.Problems
}

func newAssembly(set *datasets.DataSet) *assembly {
	table := &columns.Table{}
	for _, f := range set.Fields {
		table.Columns = append(table.Columns, columns.New(f.Name, f.Type, 0))
	}
	return &assembly{set: set, table: table, rows: map[key]int{}}
}

// reserve reserves capacity for so many rows in total, so that the columns do not grow in steps, which copies and
// leaves unused capacity.
func (a *assembly) reserve(rows int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.reserved = rows
	for _, c := range a.table.Columns {
		c.Reserve(max(0, rows-a.table.Rows))
	}
}

// add adds the new rows of a page, and returns the table row for each row of the page.
func (a *assembly) add(p *pages.Page) []int {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.fold(p)
	at := make([]int, p.Table.Rows)
	fresh := make([]int, 0, p.Table.Rows)
	column := p.Table.Column(a.set.Key)
	for row := range at {
		k, ok := keyOf(column, row)
		known, seen := a.rows[k]
		if ok && seen {
			at[row] = known
			continue
		}
		at[row] = a.table.Rows + len(fresh)
		fresh = append(fresh, row)
		if ok {
			a.rows[k] = at[row]
		}
		a.keyless = a.keyless || !ok
	}
	if len(fresh) == 0 {
		return at
	}
	for _, problem := range p.Problems {
		a.problems.Merge(problem)
	}
	if len(fresh) == p.Table.Rows {
		fresh = nil // all of them: appending whole slices is faster
	}
	a.table.Append(p.Table, fresh)
	return at
}

// nullBytes is the approximate size of a null cell.
const nullBytes = 17

// padding returns the bytes that new rows take in columns of unknown fields beyond those of their own page: each row
// has a cell in every column, and a late column has one for every earlier row.
func (a *assembly) padding() int64 {
	cells := int64(a.unknown) * int64(a.table.Rows)
	grown := cells - a.padded
	a.padded = cells
	return grown * nullBytes
}

// fold moves unknown fields beyond the limit of a read into the page's otherFields.
func (a *assembly) fold(p *pages.Page) {
	var beyond []*columns.Column
	for _, c := range p.Table.Columns[len(a.set.Fields):] {
		switch {
		case c.Name == pages.OtherFields:
			a.folded = true
		case a.table.Column(c.Name) != nil:
		case a.unknown < pages.MaxUnknown:
			a.unknown++
			a.table.Columns = append(a.table.Columns, columns.New(c.Name, "", 0))
		default:
			beyond = append(beyond, c)
		}
	}
	a.folded = a.folded || len(beyond) > 0
	p.Fold(beyond)
}

// sortUnknown sorts the fields that are not in the description by name, after the others.
func sortUnknown(set *datasets.DataSet, t *columns.Table) {
	slices.SortFunc(t.Columns[len(set.Fields):], func(a, b *columns.Column) int { return strings.Compare(a.Name, b.Name) })
}

// finish returns the table of these rows in this order; nil means all, as received. The fields of the description come
// first, in its order, then the others by name. A column without any value is text.
func (a *assembly) finish(order []int, most int) *columns.Table {
	a.mu.Lock()
	defer a.mu.Unlock()
	t := a.table
	for _, c := range t.Columns {
		if c.Type == "" {
			*c = *columns.New(c.Name, datasets.String, 0)
			c.Resize(t.Rows)
		}
	}
	sortUnknown(a.set, t)
	if order != nil {
		return t.Pick(order[:min(most, len(order))])
	}
	t.Trim(most)
	if a.reserved > 2*t.Rows {
		// Far fewer rows were received than reported, so the result must not hold the capacity for all.
		return t.Clone()
	}
	return t
}
