// Package pages decodes one response of a data route, envelope and cells, in one pass into typed columns. It handles
// the service's JSON and parameters; it depends neither on HTTP nor on which pages a question needs.
package pages

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

var errShape = errors.New("unexpected structure")

const UsualSize = 20 // the page size in the specification ("Limits"), in rows. More rows only cost a reallocation

// Page is one response of a data route: its rows as columns, and its envelope.
type Page struct {
	Envelope
	Table    *columns.Table // with the fields of the description, in its order, then the others, as received
	Problems []Problem
	Usage    service.Usage // of the requests for it, whose organization owns the rows
	Left     int           // how many rows were dropped because they exceed the requested number
}

// Empty returns a page without rows and without totals.
func Empty(set *schema.DataSet) *Page { return &Page{Envelope: newEnvelope(), Table: NewTable(set, 0)} }

// NewTable returns a table for so many rows with the fields of the description.
func NewTable(set *schema.DataSet, rows int) *columns.Table {
	table := &columns.Table{}
	for _, f := range set.Fields {
		table.Columns = append(table.Columns, columns.New(f.Name, f.Type, rows))
	}
	return table
}

// decoder decodes one page in one pass into columns, without intermediate values for rows or cells.
type decoder struct {
	json    *jsontext.Decoder
	texts   *Interner
	most    int // rows to keep
	page    *Page
	rows    int
	fields  []field
	places  map[string]int // of fields, by name
	next    int            // where the field of the next name is in fields, if records are alike
	leftOut int            // the last row of which a field was left out
	empty   *bool          // whether the envelope says that there are no rows; nil if it doesn't say
	scratch []byte
}

type field struct {
	column      *columns.Column
	description *schema.Field // nil if it is not in the description
	put         put
	hasProblem  bool // so the page has an example
}

var sources = sync.Pool{New: func() any { return new(source) }} // pooled for their buffers: a list has hundreds of pages

// Decode decodes a paged envelope, or a bare array of records, and keeps the first rows, up to most.
func Decode(body io.Reader, set *schema.DataSet, texts *Interner, most int) (*Page, error) {
	from := sources.Get().(*source)
	from.body, from.read, from.kept = body, 0, from.kept[:0]
	page, err := from.page(set, texts, most)
	if err == nil {
		sources.Put(from) // A response that does not end may have grown the buffer to its limit.
		return page, nil
	}
	if from.read > mostKept || !perhapsNaN.Match(from.kept) {
		return nil, err
	}
	rest, _ := io.ReadAll(io.LimitReader(body, maxValue))
	again := &source{body: bytes.NewReader(withoutNaN(append(from.kept, rest...)))}
	if page, failed := again.page(set, texts, most); failed == nil {
		return page, nil
	}
	return nil, err
}

func (s *source) page(set *schema.DataSet, texts *Interner, most int) (*Page, error) {
	// Of duplicate names the last one wins, as in encoding/json; detecting them costs time.
	s.json.Reset(s, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	page := &Page{Envelope: newEnvelope(), Table: &columns.Table{Columns: make([]*columns.Column, 0, len(set.Fields))}}
	d := &decoder{json: &s.json, texts: texts, most: most, leftOut: -1, page: page, fields: make([]field, 0, len(set.Fields)), places: map[string]int{}}
	for i := range set.Fields {
		f := &set.Fields[i]
		d.addField(field{column: columns.New(f.Name, f.Type, min(UsualSize, most)), description: f, put: puts[f.Type]})
	}
	if err := d.answer(); err != nil {
		return nil, described(err)
	}
	isKnown := func(f field) bool { return len(f.column.Valid) > 0 }
	if known := d.fields[:len(set.Fields)]; d.rows > 0 && !slices.ContainsFunc(known, isKnown) { // Perhaps records of errors.
		said := "all records are empty"
		if others := page.Table.Names()[len(known):]; len(others) > 0 {
			said = "no record has a field of the specification, but " + schema.List(others)
		}
		return nil, fmt.Errorf("%w: %s", errShape, said)
	}
	page.Table.Rows = d.rows
	for _, c := range page.Table.Columns {
		c.Resize(d.rows)
	}
	return page, nil
}

// perhapsNaN matches what was read of a response until the decoder met what withoutNaN replaces, or its beginning.
var perhapsNaN = regexp.MustCompile(`NaN|Infinity|(?:N|Na|I[a-z]*)$`)

// bare matches NaN and infinite numbers as Python writes them, although JSON has none, and strings, which may contain the same.
var bare = regexp.MustCompile(`(?s)"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b`)

func withoutNaN(json []byte) []byte {
	return bare.ReplaceAllFunc(json, func(token []byte) []byte {
		if token[0] == '"' {
			return token
		}
		return []byte("null")
	})
}

// fieldOf returns the field of a name, nil if it is left out. Most records have the same order, so it is probably the next one.
func (d *decoder) fieldOf(quoted jsontext.Value) *field {
	name := d.unquote(quoted)
	place, known := d.next, d.next < len(d.fields) && d.fields[d.next].column.Name == string(name)
	if !known {
		place, known = d.places[string(name)]
	}
	if !known {
		if !d.texts.admits(name) {
			return nil
		}
		place = len(d.fields)
		d.addField(field{column: columns.New(string(name), schema.JSON, 0), put: putRaw})
	}
	d.next = place + 1
	return &d.fields[place]
}

const maxValue = 4 << 20 // bytes of one value, which the decoder holds more than once while its buffer grows, for up to 32 pages

var errLong = fmt.Errorf("%w: a value has more than %d MiB: report it to whoever runs the service", errShape, maxValue>>20)

const mostKept = 1 << 20 // bytes of a response that are kept, to read it once more

// source is the body of a response. It ends with a value that is too long.
type source struct {
	body io.Reader
	json jsontext.Decoder // which reads from it
	read int64
	kept []byte // the beginning
}

func (s *source) Read(p []byte) (int, error) {
	if s.read-s.json.InputOffset() > maxValue {
		return 0, errLong
	}
	n, err := s.body.Read(p)
	if s.read += int64(n); s.read <= mostKept {
		s.kept = append(s.kept, p[:n]...)
	}
	return n, err
}

func (d *decoder) addField(f field) {
	d.places[f.column.Name] = len(d.fields)
	d.fields = append(d.fields, f)
	d.page.Table.Columns = append(d.page.Table.Columns, f.column)
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
	switch _, err = d.json.ReadToken(); {
	case err == nil:
		return fmt.Errorf("%w: data after the JSON value", errShape)
	case errors.Is(err, io.EOF):
		return nil
	default:
		return err
	}
}

// described says what is wrong with a response, in our words: whoever opens a panel knows no library.
func described(err error) error {
	syntactic, isSyntactic := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, errLong):
		return errLong
	case errors.Is(err, errShape):
		return err
	case errors.Is(err, io.EOF):
		return service.ErrNotJSON // The response is empty.
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%w, but %w", service.ErrNotJSON, service.ErrTruncated)
	case isSyntactic:
		return fmt.Errorf("%w, but byte %d is out of place: check any proxy in between, or report it to whoever runs the service", service.ErrNotJSON, syntactic.ByteOffset+1)
	default:
		return fmt.Errorf("%w: %w", service.ErrNotJSON, err) // A read failed: the client knows why.
	}
}

// object calls member for each name of the next object; member reads the value. The name is valid until then.
func (d *decoder) object(member func(name jsontext.Value) error) error {
	_, _ = d.json.ReadToken() // It was peeked at.
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
	_, _ = d.json.ReadToken() // It was peeked at.
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

func (d *decoder) record() error {
	if d.rows >= d.most {
		d.page.Left++
		return d.json.SkipValue()
	}
	d.next = 0
	if err := d.object(d.cell); err != nil {
		return err
	}
	d.rows++
	return nil
}

var kindNames = map[jsontext.Kind]string{
	'"': "a string", '0': "a number", 't': "a boolean", 'f': "a boolean", 'n': "null", '{': "an object", '[': "an array",
}

func kindName(kind jsontext.Kind) string { return cmp.Or(kindNames[kind], "nothing") }

const maxUnknown = 200 // fields that are not in the description and become columns. Each takes memory for every row

// Interner interns texts, such as labels, and bounds the fields that are not in the description, for all pages of a read.
type Interner struct {
	mu      sync.Mutex
	redact  func(text string) string // takes out secrets, once from each distinct text
	texts   map[string]string
	unknown map[string]bool
}

// NewInterner returns an Interner without texts. Fields that are not in the description may be known already.
func NewInterner(unknown ...string) *Interner {
	i := &Interner{redact: func(text string) string { return text }, texts: map[string]string{}, unknown: map[string]bool{}}
	for _, name := range unknown {
		i.unknown[name] = true
	}
	return i
}

func (i *Interner) redactWith(redact func(text string) string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.redact = redact
}

// admits reports whether a field that is not in the description becomes a column. One whose name has a secret does not.
func (i *Interner) admits(name []byte) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.unknown[string(name)] && (len(i.unknown) >= maxUnknown || i.redact(string(name)) != string(name)) {
		return false
	}
	i.unknown[string(name)] = true
	return true
}

func (i *Interner) text(b []byte) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if s, ok := i.texts[string(b)]; ok {
		return s
	}
	s := string(b)
	i.texts[s] = i.redact(s)
	return i.texts[s]
}
