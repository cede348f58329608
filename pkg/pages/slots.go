package pages

import (
	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// slot is the column of one field of the description.
type slot struct {
	column *columns.Column
	field  *datasets.Field
	put    put
	// next is the field that followed this one in the previous record.
	next *slot
}

// slots finds the column of a name. Records usually have the same field order, so the expected next field is tried
// before a lookup.
type slots struct {
	fields []slot
	named  map[string]*slot
	last   *slot // the current field
	head   slot  // precedes the first field of a record
}

// newSlots expects the fields in the order of the description.
func newSlots(set *datasets.DataSet, t *columns.Table) slots {
	s := slots{fields: make([]slot, len(set.Fields))}
	for i := range set.Fields {
		f := &set.Fields[i]
		s.fields[i] = slot{column: t.Columns[i], field: f, put: puts[f.Type]}
		if i > 0 {
			s.fields[i-1].next = &s.fields[i]
		}
	}
	s.head.next = &s.fields[0]
	return s
}

// expected returns the slot that is expected next if it has the name; otherwise nil.
func (s *slots) expected(quoted jsontext.Value) *slot {
	next := s.last.next
	if next == nil || string(quoted[1:len(quoted)-1]) != next.column.Name {
		return nil
	}
	s.last = next
	return next
}

// find returns the slot of a name, and expects it at this position from now on; nil if the name is not in the
// description.
func (s *slots) find(name []byte) *slot {
	if s.named == nil {
		s.named = make(map[string]*slot, len(s.fields))
		for i := range s.fields {
			s.named[s.fields[i].column.Name] = &s.fields[i]
		}
	}
	found := s.named[string(name)]
	if found != nil {
		s.last.next, s.last = found, found
	}
	return found
}
