package insights

import (
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// expectedRows is the page size that the specification reports ("Limits"). More rows cost a reallocation, no more.
const expectedRows = 20

// page is one answer of a data route: its rows as columns, and what the envelope said
// (specification, "Paged result envelope").
type page struct {
	slots      map[string]*slot
	rows       int
	size       int
	total      int
	totalPages int
	problems   problems
}

// slot is the column of one field, and what the description says of the field: nil where it does not know it.
type slot struct {
	column *columns.Column
	field  *datasets.Field
}

// decoder reads one page, once, straight from the connection into columns. There is no value for a row or a cell in
// between.
type decoder struct {
	json    *jsontext.Decoder
	set     *datasets.DataSet
	texts   *interner
	page    *page
	scratch []byte
}

// decodePage reads a paged envelope, or a bare array of records.
func decodePage(body io.Reader, set *datasets.DataSet, texts *interner) (*page, error) {
	d := &decoder{
		// Names that repeat are left to the last one to win, as encoding/json does; looking out for them costs time.
		json:  jsontext.NewDecoder(body, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)),
		set:   set,
		texts: texts,
		page:  &page{slots: make(map[string]*slot, len(set.Fields)), total: -1, totalPages: -1},
	}
	for i := range set.Fields {
		f := &set.Fields[i]
		d.page.slots[f.Name] = &slot{column: columns.New(f.Name, f.Type, expectedRows), field: f}
	}
	if err := d.answer(); err != nil {
		return nil, err
	}
	if _, err := d.json.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%w: more follows after the JSON value", errShape)
	}
	for _, s := range d.page.slots {
		s.column.Resize(d.page.rows)
	}
	return d.page, nil
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
	return errNotJSON
}

func notJSON(err error) error {
	var syntactic *jsontext.SyntacticError
	if errors.As(err, &syntactic) && errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w, and it ends early: %w", errNotJSON, io.ErrUnexpectedEOF)
	}
	return fmt.Errorf("%w: %w", errNotJSON, err)
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
			return d.count(name, &d.page.size)
		case "totalElements":
			return d.count(name, &d.page.total)
		case "totalPages":
			return d.count(name, &d.page.totalPages)
		default:
			return d.json.SkipValue()
		}
	}); err != nil {
		return err
	}
	if !hasContent {
		return fmt.Errorf("%w: an object with content; it has %s", errShape, orNone(datasets.List(found)))
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
	if s, ok := d.page.slots[string(name)]; ok {
		return s.column.Name
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
			d.page.rows++
		case ']':
			_, err := d.json.ReadToken()
			return err
		case 0:
			return d.syntax()
		default:
			return fmt.Errorf("%w: record %d is %s instead of an object", errShape, d.page.rows+1, kindName(kind))
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
