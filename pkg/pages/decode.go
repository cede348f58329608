// Package pages reads one answer of a data route: envelope and cells, once, into typed columns. It knows the service's
// JSON and its parameters; it knows neither HTTP nor which pages a question takes.
package pages

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// errShape is an answer that is JSON of another shape.
var errShape = errors.New("expected another shape")

// expectedRows is the page size that the specification reports ("Limits"). More rows cost a reallocation, no more.
const expectedRows = 20

// Page is one answer of a data route: its rows as columns, and what the envelope said
// (specification, "Paged result envelope").
type Page struct {
	Slots      map[string]*Slot
	Rows       int
	Size       int
	Total      int // rows that match; a bare array says nothing of totals: it is all there is
	TotalPages int
	Problems   Problems
}

// Slot is the column of one field, and what the description says of the field: nil where it does not know it.
type Slot struct {
	Column *columns.Column
	field  *datasets.Field
}

// decoder reads one page, once, straight from the connection into columns. There is no value for a row or a cell in
// between.
type decoder struct {
	json    *jsontext.Decoder
	set     *datasets.DataSet
	texts   *Texts
	page    *Page
	scratch []byte
}

// Decode reads the body of an answer: a paged envelope, or a bare array of records.
func Decode(body io.Reader, set *datasets.DataSet, texts *Texts) (*Page, error) {
	d := &decoder{
		// Names that repeat are left to the last one to win, as encoding/json does; looking out for them costs time.
		json:  jsontext.NewDecoder(body, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
		set:   set,
		texts: texts,
		page:  &Page{Slots: make(map[string]*Slot, len(set.Fields)), Total: -1, TotalPages: -1},
	}
	for i := range set.Fields {
		f := &set.Fields[i]
		d.page.Slots[f.Name] = &Slot{Column: columns.New(f.Name, f.Type, expectedRows), field: f}
	}
	if err := d.answer(); err != nil {
		return nil, err
	}
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: more follows after the JSON value", errShape)
	}
	for _, s := range d.page.Slots {
		s.Column.Resize(d.page.Rows)
	}
	p := d.page
	if p.Total < 0 {
		p.Total = p.Rows
	}
	if p.TotalPages < 0 {
		p.TotalPages = 1
	}
	return p, nil
}

func (d *decoder) answer() error {
	switch kind := d.json.PeekKind(); kind {
	case '[':
		return d.records()
	case '{':
		return d.envelope()
	case 0:
		return d.syntax()
	default:
		return fmt.Errorf("%w: an object with content, or an array; it is %s", errShape, kindName(kind))
	}
}

// syntax reads on to learn what is wrong with the JSON.
func (d *decoder) syntax() error {
	if _, err := d.json.ReadToken(); err != nil {
		return notJSON(err)
	}
	return service.ErrNotJSON
}

func notJSON(err error) error {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w, and it ends early: %w", service.ErrNotJSON, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("%w: %w", service.ErrNotJSON, err)
}

func (d *decoder) envelope() error {
	found := []string{}
	hasContent := false
	if err := d.object(func(name string) error {
		found = append(found, name)
		switch name {
		case "content":
			hasContent = true
			if kind := d.json.PeekKind(); kind != '[' {
				return fmt.Errorf("%w: content is %s instead of an array", errShape, kindName(kind))
			}
			return d.records()
		case "size":
			return d.count(name, &d.page.Size)
		case "totalElements":
			return d.count(name, &d.page.Total)
		case "totalPages":
			return d.count(name, &d.page.TotalPages)
		default:
			return d.json.SkipValue()
		}
	}); err != nil {
		return err
	}
	if !hasContent {
		return fmt.Errorf("%w: an object with content; it has %s", errShape, orNone(found))
	}
	return nil
}

// count reads a whole number of the envelope.
func (d *decoder) count(name string, into *int) error {
	raw, err := d.json.ReadValue()
	if err != nil {
		return notJSON(err)
	}
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < 0 {
		return fmt.Errorf("%w: %s is %.40s instead of a count", errShape, name, raw)
	}
	*into = n
	return nil
}

// object calls value for each name of the object that comes next; value reads the value.
func (d *decoder) object(value func(name string) error) error {
	if _, err := d.json.ReadToken(); err != nil {
		return notJSON(err)
	}
	for d.json.PeekKind() == '"' {
		raw, err := d.json.ReadValue()
		if err != nil {
			return notJSON(err)
		}
		if err := value(d.name(raw)); err != nil {
			return err
		}
	}
	if _, err := d.json.ReadToken(); err != nil {
		return notJSON(err)
	}
	return nil
}

// name returns an object's name. Names repeat with every record, and those that have a column need no new string.
func (d *decoder) name(raw jsontext.Value) string {
	name := d.unquote(raw)
	if s, ok := d.page.Slots[string(name)]; ok {
		return s.Column.Name
	}
	return string(name)
}

func (d *decoder) records() error {
	if _, err := d.json.ReadToken(); err != nil {
		return notJSON(err)
	}
	for {
		switch kind := d.json.PeekKind(); kind {
		case '{':
			if err := d.object(d.cell); err != nil {
				return err
			}
			d.page.Rows++
		case ']':
			_, err := d.json.ReadToken()
			return err
		case 0:
			return d.syntax()
		default:
			return fmt.Errorf("%w: record %d is %s instead of an object", errShape, d.page.Rows+1, kindName(kind))
		}
	}
}

func kindName(kind jsontext.Kind) string {
	switch kind {
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	case '{':
		return "an object"
	case '[':
		return "an array"
	default:
		return "nothing"
	}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return datasets.List(names)
}
