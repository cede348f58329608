package pages

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// other collects the members of a row without a column of their own in one JSON object.
type other struct {
	column *columns.Column // nil until a row has any
	object []byte          // object of the current row, without its closing brace
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

// end closes the object of a row.
func (o *other) end(row int) {
	if len(o.object) == 0 {
		return
	}
	if o.column == nil {
		o.column = columns.New(OtherFields, datasets.JSON, 0)
	}
	o.column.Resize(row)
	// A copy; frames are sent as JSON, which must be UTF-8.
	o.column.JSON = append(o.column.JSON, bytes.ToValidUTF8(append(o.object, '}'), []byte("\uFFFD")))
	o.column.Valid = append(o.column.Valid, true)
	o.object = o.object[:0]
}

// Fold moves columns of a page into its otherFields, because the read has reached its limit of unknown fields.
func (p *Page) Fold(fields []*columns.Column) {
	if len(fields) == 0 {
		return
	}
	var o other
	before := p.Table.Column(OtherFields)
	for row := range p.Table.Rows {
		if before != nil && row < len(before.Valid) && before.Valid[row] {
			o.object = append(o.object, before.JSON[row][:len(before.JSON[row])-1]...)
		}
		for _, c := range fields {
			if row < len(c.Valid) && c.Valid[row] {
				o.add(c.Name, jsontext.Value(c.RawJSON(row)))
			}
		}
		o.end(row)
	}
	p.Table.Columns = slices.DeleteFunc(p.Table.Columns, func(c *columns.Column) bool { return c == before || slices.Contains(fields, c) })
	if o.column != nil {
		o.column.Resize(p.Table.Rows)
		p.Table.Columns = append(p.Table.Columns, o.column)
	}
}
