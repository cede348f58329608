// Package pages decodes one response of a data route, envelope and cells, in one pass into typed columns. It handles
// the service's JSON and parameters; it depends neither on HTTP nor on which pages a question needs.
package pages

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// errShape is the error of JSON with an unexpected structure.
var errShape = errors.New("unexpected structure")

// expectedRows is the page size in the specification ("Limits"). More rows only cost a reallocation.
const expectedRows = 20

// OtherFields is the column of fields without a column of their own: an object for each row that has any.
const OtherFields = "otherFields"

// MaxUnknown is how many fields that are not in the description become columns. Each needs memory for every row, even
// without values.
const MaxUnknown = 200

// shownNames is how many names an error lists.
const shownNames = 50

// Page is one response of a data route: its rows as columns, and its envelope.
type Page struct {
	Envelope
	// Table has the fields of the description, in its order, then the others, as received.
	Table    *columns.Table
	Problems Problems
	// Left is how many rows were dropped because they exceed the requested number.
	Left int
}

// Empty returns a page without rows and without totals.
func Empty(set *datasets.DataSet) *Page {
	p := &Page{Envelope: newEnvelope(), Table: &columns.Table{}}
	for _, f := range set.Fields {
		p.Table.Columns = append(p.Table.Columns, columns.New(f.Name, f.Type, 0))
	}
	return p
}

// decoder decodes one page in one pass into columns, without intermediate values for rows or cells.
type decoder struct {
	json    *jsontext.Decoder
	set     *datasets.DataSet
	texts   *Interner
	most    int // rows to keep
	page    *Page
	rows    int
	slots   slots
	other   other
	scratch []byte
}

// Decode decodes a paged envelope, or a bare array of records, and keeps the first rows, up to most.
func Decode(body io.Reader, set *datasets.DataSet, texts *Interner, most int) (*Page, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer func() {
		b.Reset()
		buffers.Put(b)
	}()
	json, err := newJSON(b, body)
	d := &decoder{
		json:  json,
		set:   set,
		texts: texts,
		most:  most,
		page:  &Page{Envelope: newEnvelope()},
		slots: newSlots(set, min(expectedRows, most)),
	}
	if err == nil {
		err = d.answer()
	}
	if err != nil {
		return nil, described(err)
	}
	d.page.Table = d.table()
	d.page.Fold(d.sparse())
	for _, c := range d.page.Table.Columns {
		c.Resize(d.rows)
	}
	return d.page, nil
}

// unknownCells is the number of cells from which sparse unknown columns are folded.
const unknownCells = 1_000_000

// sparse returns the columns of unknown fields that are nearly empty, if all of them together have very many cells: a
// few hundred bytes of names could otherwise take hundreds of megabytes of nulls.
func (d *decoder) sparse() []*columns.Column {
	unknown := d.slots.unknown
	if len(unknown)*d.rows <= unknownCells {
		return nil
	}
	var sparse []*columns.Column
	for _, s := range unknown {
		if s.values < d.rows/16 {
			sparse = append(sparse, s.column)
		}
	}
	return sparse
}

// table returns the columns in order. They may be shorter than the table.
func (d *decoder) table() *columns.Table {
	t := &columns.Table{Rows: d.rows}
	for i := range d.slots.known {
		t.Columns = append(t.Columns, d.slots.known[i].column)
	}
	for _, s := range d.slots.unknown {
		t.Columns = append(t.Columns, s.column)
	}
	if d.other.column != nil {
		t.Columns = append(t.Columns, d.other.column)
	}
	return t
}

func (d *decoder) answer() (err error) {
	switch kind := d.json.PeekKind(); kind {
	case '[':
		d.page.Bare = true
		err = d.records()
	case '{':
		err = d.envelope()
	case 0:
		_, err = d.json.ReadToken()
	default:
		err = fmt.Errorf("%w: expected an object with content or an array, but got %s", errShape, kindName(kind))
	}
	if err != nil {
		return err
	}
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: data after the JSON value", errShape)
	}
	return nil
}

// described says what is wrong with a response.
func described(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, errShape):
		return err
	case errors.As(err, &syntactic) && errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF):
		return fmt.Errorf("%w, but the response is truncated: %w", service.ErrNotJSON, io.ErrUnexpectedEOF)
	default:
		return fmt.Errorf("%w: %w", service.ErrNotJSON, err)
	}
}

// object calls member for each name of the next object; member reads the value. The name is valid until then.
func (d *decoder) object(member func(name jsontext.Value) error) error {
	if _, err := d.json.ReadToken(); err != nil {
		return err
	}
	for d.json.PeekKind() == '"' {
		name, err := d.json.ReadValue()
		if err == nil {
			err = member(name)
		}
		if err != nil {
			return err
		}
	}
	_, err := d.json.ReadToken()
	return err
}

func (d *decoder) records() error {
	if _, err := d.json.ReadToken(); err != nil {
		return err
	}
	for d.json.PeekKind() == '{' {
		if err := d.record(); err != nil {
			return err
		}
	}
	if kind := d.json.PeekKind(); kind != ']' && kind != 0 {
		return fmt.Errorf("%w: record %d is %s, not an object", errShape, d.rows+d.page.Left+1, kindName(kind))
	}
	_, err := d.json.ReadToken()
	return err
}

// record decodes one row, or skips it if there are enough.
func (d *decoder) record() error {
	if d.rows >= d.most {
		d.page.Left++
		return d.json.SkipValue()
	}
	d.slots.last = &d.slots.head
	if err := d.object(d.cell); err != nil {
		return err
	}
	d.other.end(d.rows)
	d.rows++
	return nil
}

var kindNames = map[jsontext.Kind]string{
	'"': "a string", '0': "a number", 't': "a boolean", 'f': "a boolean", 'n': "null", '{': "an object", '[': "an array",
}

func kindName(kind jsontext.Kind) string { return cmp.Or(kindNames[kind], "nothing") }
