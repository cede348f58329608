package reads

import (
	"maps"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// assemble puts pages together, in their order: the fields of the description in its order, then those it does not
// know, by name. Of rows with the same key the first is kept; repeated counts the others.
func assemble(set *datasets.DataSet, read []*pages.Page) (table *columns.Table, problems pages.Problems, repeated int) {
	known := newSeen(set)
	keep := make([][]bool, len(read))
	rows := 0
	for i, p := range read {
		keep[i] = known.fresh(p)
		for _, fresh := range keep[i] {
			if fresh {
				rows++
			} else {
				repeated++
			}
		}
		for _, problem := range p.Problems {
			problems.Merge(problem)
		}
	}
	table = &columns.Table{Rows: rows}
	for _, f := range set.Fields {
		table.Columns = append(table.Columns, join(f.Name, f.Type, read, keep, rows))
	}
	for _, name := range unknownFields(set, read) {
		table.Columns = append(table.Columns, join(name, commonType(name, read), read, keep, rows))
	}
	return table, problems, repeated
}

func unknownFields(set *datasets.DataSet, read []*pages.Page) []string {
	names := map[string]bool{}
	for _, p := range read {
		for name := range p.Slots {
			if set.Field(name) == nil {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// commonType is the type of an unknown field over all pages: JSON where they differ, a string where all are null.
func commonType(name string, read []*pages.Page) datasets.Type {
	var common datasets.Type
	for _, p := range read {
		s, ok := p.Slots[name]
		if !ok || s.Column.Type == "" || s.Column.Type == common {
			continue
		}
		if common != "" {
			return datasets.JSON
		}
		common = s.Column.Type
	}
	if common == "" {
		return datasets.String
	}
	return common
}

func join(name string, t datasets.Type, read []*pages.Page, keep [][]bool, rows int) *columns.Column {
	out := columns.New(name, t, rows)
	length := 0
	for i, p := range read {
		var from *columns.Column
		if s, ok := p.Slots[name]; ok && s.Column.Type != "" {
			from = s.Column
			if from.Type != t {
				from = from.ToJSON()
			}
		}
		for row, fresh := range keep[i] {
			if !fresh {
				continue
			}
			length++
			if from == nil {
				out.Resize(length)
				continue
			}
			out.AppendRow(from, row)
		}
	}
	return out
}

// trim drops the rows past n.
func trim(table *columns.Table, n int) {
	for _, c := range table.Columns {
		c.Resize(n)
	}
	table.Rows = n
}

// seen tells rows with a key that came before: offsets over moving data show some twice. Rows without a key are
// never the same.
type seen struct {
	key      string
	integers map[int64]bool
	texts    map[string]bool
}

func newSeen(set *datasets.DataSet) *seen {
	return &seen{key: set.Key, integers: map[int64]bool{}, texts: map[string]bool{}}
}

// fresh says for each row of a page whether its key is new, and remembers it.
func (s *seen) fresh(p *pages.Page) []bool {
	fresh := make([]bool, p.Rows)
	column := p.Slots[s.key].Column
	for i := range fresh {
		fresh[i] = !column.Valid[i] || s.first(column, i)
	}
	return fresh
}

// add remembers the rows of a page and returns how many are new.
func (s *seen) add(p *pages.Page) int {
	n := 0
	for _, fresh := range s.fresh(p) {
		if fresh {
			n++
		}
	}
	return n
}

func (s *seen) first(column *columns.Column, i int) bool {
	if column.Type == datasets.Integer {
		id := column.Integers[i]
		known := s.integers[id]
		s.integers[id] = true
		return !known
	}
	text := column.Strings[i]
	known := s.texts[text]
	s.texts[text] = true
	return !known
}
