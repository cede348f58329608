package pages

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// slot is the column of one field, with its description.
type slot struct {
	column *columns.Column
	field  *datasets.Field // nil if it is not in the description
	put    put             // known fields only
	values int             // number of values including null; unknown fields only
	// next is the field that followed this one in the previous record.
	next *slot
	// escaped says that the name contains a backslash, so its JSON form differs.
	escaped bool
}

// slots finds the column of a name. Records usually have the same field order, so the expected next field is tried
// before a lookup.
type slots struct {
	known   []slot
	unknown []*slot
	named   map[string]*slot
	last    *slot // the current field
	head    slot  // precedes the first field of a record
}

// newSlots expects the fields in the order of the description.
func newSlots(set *datasets.DataSet, room int) slots {
	s := slots{known: make([]slot, len(set.Fields))}
	for i := range set.Fields {
		f := &set.Fields[i]
		s.known[i] = slot{column: columns.New(f.Name, f.Type, room), field: f, put: puts[f.Type]}
		if i > 0 {
			s.known[i-1].next = &s.known[i]
		}
	}
	s.head.next = &s.known[0]
	return s
}

// expected returns the slot that is expected next if it has the name; otherwise nil.
func (s *slots) expected(quoted jsontext.Value) *slot {
	next := s.last.next
	if next == nil || next.escaped || string(quoted[1:len(quoted)-1]) != next.column.Name {
		return nil
	}
	s.last = next
	return next
}

// find returns the slot of a name, and expects it at this position from now on; nil if there are too many unknown
// fields.
func (s *slots) find(name []byte) *slot {
	if s.named == nil {
		s.named = make(map[string]*slot, len(s.known))
		for i := range s.known {
			s.named[s.known[i].column.Name] = &s.known[i]
		}
	}
	found, ok := s.named[string(name)]
	if !ok {
		if len(s.unknown) == MaxUnknown || string(name) == OtherFields {
			return nil
		}
		// A field that is not in the description.
		found = &slot{column: columns.New(string(name), "", 0), escaped: bytes.IndexByte(name, '\\') >= 0}
		s.named[string(name)], s.unknown = found, append(s.unknown, found)
	}
	s.last.next, s.last = found, found
	return found
}
