package pages

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/schema"
)

// cell decodes one value into its column. A value that does not fit the column becomes null and is reported; one of a field
// that is not in the description is kept as it is.
func (d *decoder) cell(quoted jsontext.Value) error {
	f := d.fieldOf(quoted)
	raw, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	if f == nil {
		d.leaveOut()
		return nil
	}
	column, kind := f.column, raw.Kind()
	if len(column.Valid) != d.rows {
		// Fills rows without the field, and lets the last of two equal names win.
		column.Resize(d.rows)
	}
	switch {
	case kind == 'n':
		column.Resize(d.rows + 1)
	case !utf8.Valid(raw):
		// Whatever stood for these bytes would make one automation of two.
		d.page.Problems = append(d.page.Problems, newProblem(d.rows, f, "is not in UTF-8, and the response names no charset", raw))
		column.Resize(d.rows + 1)
	case f.put == nil:
		column.Strings = append(column.Strings, d.texts.text(raw))
		column.Valid = append(column.Valid, true)
	default:
		hasValue, reason := f.put(d, f, kind, raw)
		if reason != "" {
			d.page.Problems = append(d.page.Problems, newProblem(d.rows, f, reason, raw))
		}
		if !hasValue {
			column.Resize(d.rows + 1)
			return nil
		}
		column.Valid = append(column.Valid, true)
	}
	return nil
}

// leaveOut reports, once for each row, that it has a field too many.
func (d *decoder) leaveOut() {
	if d.leftOut < d.rows {
		d.leftOut = d.rows
		reason := fmt.Sprintf("is of a field beyond the first %d that are not in the specification", maxUnknown)
		d.page.Problems = append(d.page.Problems, Problem{Row: d.rows, field: "other fields", reason: reason})
	}
}

// put appends a value to the column of a known field. Otherwise, it returns the reason why it could not; "" if the value means
// null.
type put func(d *decoder, f *field, kind jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string)

// puts are the functions for the types that the description has.
var puts = map[schema.Type]put{
	schema.String: putString, schema.Integer: putInteger, schema.Number: putNumber, schema.Time: putTime,
}

func putString(d *decoder, f *field, kind jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string) {
	var text []byte
	switch {
	case kind == '"':
		text = d.unquote(raw)
	case kind == '0' && f.description.AcceptsNumber:
		text = raw
	default:
		return false, misfit(kind, "a string")
	}
	if len(text) == 0 {
		return false, ""
	}
	f.column.Strings = append(f.column.Strings, d.texts.text(text))
	return true, ""
}

func putInteger(d *decoder, f *field, kind jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string) {
	text, reason := d.number(kind, raw)
	if text == nil {
		return false, reason
	}
	n, ok := wholeNumber(text)
	if !ok {
		return false, "is not a whole number"
	}
	f.column.Integers = append(f.column.Integers, n)
	return true, ""
}

func putNumber(d *decoder, f *field, kind jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string) {
	text, reason := d.number(kind, raw)
	if text == nil {
		return false, reason
	}
	n, err := strconv.ParseFloat(string(text), 64)
	if err != nil || math.IsInf(n, 0) {
		return false, "is out of range"
	}
	f.column.Numbers = append(f.column.Numbers, n)
	return true, ""
}

// numeric matches numbers that some services write as text: 64-bit IDs, for example, because JavaScript would round them.
var numeric = regexp.MustCompile(`^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$`)

// nulls are the texts that Java and other languages write for a number that there is none of, such as a rate of nothing.
var nulls = []string{"", "NaN", "Infinity", "-Infinity"}

// number returns the text of a number; nil if it is none, and why; "" if it means null.
func (d *decoder) number(kind jsontext.Kind, raw jsontext.Value) (text []byte, reason string) {
	if kind == '0' {
		return raw, ""
	}
	if kind == '"' {
		text = bytes.TrimSpace(d.unquote(raw))
		switch {
		case slices.Contains(nulls, string(text)):
			return nil, ""
		case numeric.Match(text):
			return text, ""
		}
	}
	return nil, misfit(kind, "a number")
}

func misfit(kind jsontext.Kind, wanted string) string {
	return "is " + kindName(kind) + ", not " + wanted
}

// wholeNumber parses 17, and 17.0 if a float64 represents it exactly.
func wholeNumber(raw []byte) (int64, bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	const most = 1 << 53
	n, err := strconv.ParseFloat(string(raw), 64)
	return int64(n), err == nil && n == math.Trunc(n) && math.Abs(n) < most
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
