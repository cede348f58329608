package pages

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// cell reads one value into its column. A value that does not fit the column becomes null and a problem to tell; a
// field that the description does not know gets a column of the type of its first value.
func (d *decoder) cell(name string) error {
	s := d.slot(name)
	kind := d.json.PeekKind()
	raw, err := d.json.ReadValue()
	if err != nil {
		return notJSON(err)
	}
	if s == nil {
		d.other.add(name, raw)
		return nil
	}
	column := s.column
	// Fills rows in which the field was absent, and makes the last of two equal names win.
	column.Resize(d.rows)
	if kind == 'n' {
		column.Resize(d.rows + 1)
		return nil
	}
	if s.field == nil {
		s.values++
		d.putUnknown(column, kind, raw)
		return nil
	}
	if reason := d.put(column, s.field, kind, raw); reason != "" {
		d.page.Problems.add(name, reason, raw)
		column.Resize(d.rows + 1)
	}
	return nil
}

// slot returns the column of a field; nil where there are too many fields that the description does not know.
func (d *decoder) slot(name string) *slot {
	if s, ok := d.slots[name]; ok {
		return s
	}
	if len(d.unknown) == MaxUnknown || name == OtherFields {
		return nil
	}
	s := &slot{column: columns.New(name, "", 0)}
	d.slots[name] = s
	d.unknown = append(d.unknown, s)
	return s
}

// put appends a value to a column of a known field. It returns why it could not, or "".
func (d *decoder) put(column *columns.Column, field *datasets.Field, kind jsontext.Kind, raw jsontext.Value) string {
	switch {
	case field.Type == datasets.String && kind == '"':
		column.Strings = append(column.Strings, d.texts.text(d.unquote(raw)))
	case field.Type == datasets.String && kind == '0' && field.AcceptsNumber:
		column.Strings = append(column.Strings, d.texts.text(raw))
	case field.Type == datasets.Integer && kind == '0':
		n, ok := wholeNumber(raw)
		if !ok {
			return "is no whole number"
		}
		column.Integers = append(column.Integers, n)
	case field.Type == datasets.Number && kind == '0':
		n, err := strconv.ParseFloat(string(raw), 64)
		if err != nil || math.IsInf(n, 0) {
			return "is too large a number"
		}
		column.Numbers = append(column.Numbers, n)
	case field.Type == datasets.Time && kind == '"':
		ns, ok := parseTime(d.unquote(raw))
		if !ok {
			return "is no date that can be read"
		}
		column.Times = append(column.Times, ns)
	default:
		return "is " + kindName(kind) + " instead of " + typeName(field.Type)
	}
	column.Valid = append(column.Valid, true)
	return ""
}

// wholeNumber reads 17, and 17.0 as far as a float64 tells whole numbers apart.
func wholeNumber(raw jsontext.Value) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	const most = 1 << 53
	n, err := strconv.ParseFloat(string(raw), 64)
	return int64(n), err == nil && n == math.Trunc(n) && math.Abs(n) < most
}

// putUnknown appends a value to a column that the description does not know. Values of several types have JSON in common.
func (d *decoder) putUnknown(column *columns.Column, kind jsontext.Kind, raw jsontext.Value) {
	natural := naturalType(kind)
	if column.Type == "" {
		column.Type = natural
		column.Resize(d.rows)
	}
	if column.Type != natural && column.Type != datasets.JSON {
		*column = *column.ToJSON()
	}
	switch column.Type {
	case datasets.String:
		column.Strings = append(column.Strings, d.texts.text(d.unquote(raw)))
	case datasets.Number:
		n, err := strconv.ParseFloat(string(raw), 64)
		if err != nil {
			*column = *column.ToJSON()
			column.JSON = append(column.JSON, bytes.Clone(raw))
			break
		}
		column.Numbers = append(column.Numbers, n)
	case datasets.Boolean:
		column.Booleans = append(column.Booleans, kind == 't')
	default:
		// A copy; frames are sent on as JSON, which has to be UTF-8.
		column.JSON = append(column.JSON, bytes.ToValidUTF8(raw, []byte("\uFFFD")))
	}
	column.Valid = append(column.Valid, true)
}

func naturalType(kind jsontext.Kind) datasets.Type {
	switch kind {
	case '"':
		return datasets.String
	case '0':
		return datasets.Number
	case 't', 'f':
		return datasets.Boolean
	default:
		return datasets.JSON
	}
}

func typeName(t datasets.Type) string {
	switch t {
	case datasets.String:
		return "a string"
	case datasets.Time:
		return "a date"
	default:
		return "a number"
	}
}

// unquote returns the bytes of a JSON string. They are valid until the next call.
func (d *decoder) unquote(raw jsontext.Value) []byte {
	inner := raw[1 : len(raw)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return inner
	}
	// The error only says that invalid UTF-8 was replaced by U+FFFD, which Grafana shows.
	d.scratch, _ = jsontext.AppendUnquote(d.scratch[:0], raw)
	return d.scratch
}
