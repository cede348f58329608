package pages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// OtherFields is the column of the fields that are not in the description: a JSON object for each row that has any. Only
// Expand makes columns of them, so the columns of pages, and of what is kept, do not depend on rows.
const OtherFields = "otherFields"

// MaxUnknown is how many fields that are not in the description become columns.
const MaxUnknown = 200

// unknownCells is the number of cells beyond which a field only becomes a column if many rows have it: a few hundred
// bytes of names could otherwise take hundreds of megabytes of nulls.
const unknownCells = 1_000_000

// other collects the members of a row without a column of their own in one JSON object.
type other struct {
	object []byte // without its closing brace
}

// add adds a member. raw is copied.
func (o *other) add(name string, raw jsontext.Value) {
	if len(o.object) == 0 {
		o.object = append(o.object, '{')
	} else {
		o.object = append(o.object, ',')
	}
	// The error only says that invalid UTF-8 was replaced by U+FFFD.
	o.object, _ = jsontext.AppendQuote(o.object, name)
	o.object = append(append(o.object, ':'), raw...)
}

// end returns a copy of the object of a row; nil if the row has no member.
func (o *other) end() []byte {
	if len(o.object) == 0 {
		return nil
	}
	object := append(o.object, '}')
	o.object = o.object[:0]
	// Frames are sent as JSON, which must be UTF-8.
	return bytes.ToValidUTF8(object, []byte("\uFFFD"))
}

// unknown is a field that is not in the description.
type unknown struct {
	name   string
	values int             // including null
	kind   datasets.Type   // of all values: JSON if they are of several types, "" if all are null
	column *columns.Column // nil: it does not become one
}

// Expand returns a table with a column for each field of OtherFields, in the order of their names, after those of the
// description. A field without any value is text, one with values of several types is JSON. isFolded reports whether
// there are so many fields that a column OtherFields remains: an object for each row that has some without a column.
func Expand(t *columns.Table) (expanded *columns.Table, isFolded bool) {
	last := len(t.Columns) - 1
	objects := t.Columns[last]
	expanded = &columns.Table{Columns: slices.Clip(t.Columns[:last]), Rows: t.Rows}
	if !slices.Contains(objects.Valid, true) {
		return expanded, false
	}
	fields := newUnknownFields(objects)
	others := columns.New(OtherFields, datasets.JSON, 0)
	var rest other
	for row, object := range objects.Strings {
		fields.each(object, func(u *unknown, raw jsontext.Value) {
			if u.column == nil {
				rest.add(u.name, raw)
				return
			}
			u.column.Resize(row)
			appendUnknown(u.column, raw)
		})
		if object := rest.end(); object != nil {
			others.Resize(row)
			others.JSON, others.Valid = append(others.JSON, object), append(others.Valid, true)
		}
	}
	found := fields.columns()
	if isFolded = len(others.Valid) > 0; isFolded {
		found = append(found, others)
	}
	slices.SortFunc(found, func(a, b *columns.Column) int { return cmp.Compare(a.Name, b.Name) })
	for _, c := range found {
		c.Resize(t.Rows)
	}
	expanded.Columns = append(expanded.Columns, found...)
	return expanded, isFolded
}

// unknownFields reads the objects of OtherFields.
type unknownFields struct {
	decoder decoder
	object  strings.Reader
	named   map[string]*unknown
	inOrder []*unknown // of their first appearance
}

// newUnknownFields finds the fields of objects, and decides which of them become columns.
func newUnknownFields(objects *columns.Column) *unknownFields {
	f := &unknownFields{named: map[string]*unknown{}}
	f.decoder.json = jsontext.NewDecoder(&f.object, options...)
	for _, object := range objects.Strings {
		f.each(object, func(u *unknown, raw jsontext.Value) {
			u.values++
			u.kind = kindOf(raw, u.kind)
		})
	}
	rows := len(objects.Valid)
	hasManyCells := min(len(f.inOrder), MaxUnknown)*rows > unknownCells
	f.inOrder = slices.DeleteFunc(f.inOrder, func(u *unknown) bool {
		return u.name == OtherFields || hasManyCells && u.values < rows/16 // Names of columns are unique.
	})
	f.inOrder = f.inOrder[:min(len(f.inOrder), MaxUnknown)]
	for _, u := range f.inOrder {
		u.column = columns.New(u.name, cmp.Or(u.kind, datasets.String), 0)
	}
	return f
}

func (f *unknownFields) columns() []*columns.Column {
	var found []*columns.Column
	for _, u := range f.inOrder {
		found = append(found, u.column)
	}
	return found
}

// each calls use for each member of an object; "" has none. raw is valid until then.
func (f *unknownFields) each(object string, use func(u *unknown, raw jsontext.Value)) {
	if object == "" {
		return
	}
	f.object.Reset(object)
	f.decoder.json.Reset(&f.object, options...)
	// There are no errors, because other has written the object.
	_ = f.decoder.object(func(quoted jsontext.Value) error {
		u := f.find(f.decoder.unquote(quoted))
		raw, err := f.decoder.json.ReadValue()
		use(u, raw)
		return err
	})
}

func (f *unknownFields) find(name []byte) *unknown {
	u := f.named[string(name)]
	if u == nil {
		u = &unknown{name: string(name)}
		f.named[u.name], f.inOrder = u, append(f.inOrder, u)
	}
	return u
}

// naturalTypes are those of values that are neither null nor nested.
var naturalTypes = map[jsontext.Kind]datasets.Type{
	'"': datasets.String, '0': datasets.Number, 't': datasets.Boolean, 'f': datasets.Boolean,
}

// kindOf returns the type of a column that has values of a type and this one.
func kindOf(raw jsontext.Value, before datasets.Type) datasets.Type {
	kind := raw.Kind()
	if kind == 'n' {
		return before
	}
	natural := cmp.Or(naturalTypes[kind], datasets.JSON)
	if _, err := strconv.ParseFloat(string(raw), 64); natural == datasets.Number && err != nil {
		natural = datasets.JSON // It is out of range, and keeps its literal.
	}
	if before != "" && before != natural {
		return datasets.JSON
	}
	return natural
}

// appendUnknown appends a value to a column of a type that has it.
func appendUnknown(c *columns.Column, raw jsontext.Value) {
	if raw.Kind() == 'n' {
		c.Resize(len(c.Valid) + 1)
		return
	}
	switch c.Type {
	case datasets.String:
		text, _ := jsontext.AppendUnquote(nil, raw)
		c.Strings = append(c.Strings, string(text))
	case datasets.Number:
		n, _ := strconv.ParseFloat(string(raw), 64)
		c.Numbers = append(c.Numbers, n)
	case datasets.Boolean:
		c.Booleans = append(c.Booleans, raw.Kind() == 't')
	default:
		c.JSON = append(c.JSON, json.RawMessage(raw.Clone()))
	}
	c.Valid = append(c.Valid, true)
}
