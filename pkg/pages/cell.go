package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

// cell decodes one value into its column. A value that does not fit the column becomes null and is reported.
func (d *decoder) cell(quoted jsontext.Value) error {
	f := d.fieldOf(quoted)
	raw, err := d.json.ReadValue()
	if err != nil {
		return err
	}
	if f == nil {
		if d.leftOut < d.rows { // Reported once for each row.
			d.leftOut = d.rows
			reason := fmt.Sprintf("is of a field beyond the first %d that are not in the specification, or whose name contains a secret", maxUnknown)
			d.page.Problems = append(d.page.Problems, Problem{Row: d.rows, field: "other fields", reason: reason})
		}
		return nil
	}
	column, kind := f.column, raw.Kind()
	if len(column.Valid) != d.rows {
		column.Resize(d.rows) // Fills rows without the field, and lets the last of two equal names win.
	}
	hasValue, reason := false, ""
	switch {
	case kind == 'n':
	case !utf8.Valid(raw):
		reason = "is not in UTF-8, and the response names no charset" // What stood for these bytes would make one automation of two.
	default:
		hasValue, reason = f.put(d, f, kind, raw)
	}
	if reason != "" {
		p := Problem{Row: d.rows, field: column.Name, reason: reason}
		if len(raw) <= exampleBytes && !f.hasProblem {
			p.example = string(raw)
		}
		d.page.Problems, f.hasProblem = append(d.page.Problems, p), true
	}
	if !hasValue {
		column.Resize(d.rows + 1)
		return nil
	}
	column.Valid = append(column.Valid, true)
	return nil
}

// put appends a value to its column. Otherwise, it returns the reason why it could not; "" if the value means null.
type put func(d *decoder, f *field, kind jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string)

var puts = map[schema.Type]put{
	schema.String: putString, schema.Integer: putNumber, schema.Number: putNumber, schema.Time: putTime,
}

func putRaw(d *decoder, f *field, _ jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string) {
	f.column.Strings = append(f.column.Strings, d.texts.text(raw))
	return true, ""
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

// putNumber reads a number, perhaps in quotes, as JavaScript would round 64-bit IDs.
func putNumber(d *decoder, f *field, kind jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string) {
	text := []byte(raw)
	if kind == '"' {
		text = bytes.TrimSpace(d.unquote(raw))
	}
	n, isNumber := written.Number(string(text))
	switch {
	case kind == '"' && written.IsNoNumber(string(text)):
		return false, ""
	case kind != '0' && (kind != '"' || !isNumber):
		return false, misfit(kind, "a number")
	case f.column.Type == schema.Integer:
		whole, isWhole := written.Whole(string(text))
		if !isWhole {
			return false, "is not a whole number"
		}
		f.column.Integers = append(f.column.Integers, whole)
	case !isNumber:
		return false, "is out of range"
	default:
		f.column.Numbers = append(f.column.Numbers, n)
	}
	return true, ""
}

func misfit(kind jsontext.Kind, wanted string) string {
	return "is " + kindName(kind) + ", not " + wanted
}

// putTime reads a date as text, an epoch, an array, or an object of MongoDB. Zero dates of programming languages are null.
func putTime(d *decoder, f *field, kind jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string) {
	var t time.Time
	var isDate bool
	switch kind {
	case '"':
		text := bytes.TrimSpace(d.unquote(raw))
		if len(text) == 0 {
			return false, ""
		}
		t, isDate = written.Time(string(text))
	case '0':
		t, isDate = written.Time(string(raw))
	case '[':
		t, isDate = parseParts(raw)
	case '{':
		if inner, isDate := bytes.CutPrefix(bytes.TrimSpace(raw[1:len(raw)-1]), []byte(`"$date":`)); isDate {
			value := jsontext.Value(bytes.TrimSpace(inner))
			return putTime(d, f, value.Kind(), value)
		}
		fallthrough
	default:
		return false, misfit(kind, "a date")
	}
	switch {
	case isDate && (t.UTC().Year() <= 1 || t.Equal(time.Unix(0, 0))):
		return false, ""
	case !isDate || !t.Equal(time.Unix(0, t.UnixNano())): // Frames hold nanoseconds in 64 bits, which other years would overflow.
		return false, "is not a readable date"
	}
	f.column.Times = append(f.column.Times, t.UnixNano())
	return true, ""
}

// parseParts parses an array of year, month, day and, perhaps, hour, minute, second, and nanosecond, as Java writes it.
func parseParts(raw jsontext.Value) (time.Time, bool) {
	var p []int
	if json.Unmarshal(raw, &p) != nil || len(p) < 3 || len(p) > 7 {
		return time.Time{}, false
	}
	p = append(p, 0, 0, 0, 0)
	return written.Time(fmt.Sprintf("%04d-%02d-%02dT%02d:%02d:%02d.%09dZ", p[0], p[1], p[2], p[3], p[4], p[5], p[6]))
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

// Problem is a cell that became null because its value did not fit.
type Problem struct {
	Row           int // of the page
	field, reason string
	example       string // of the first one of a field on a page, as received; "" if it is longer than exampleBytes
	cells         int    // of Problems
}

const exampleBytes = 4096 // of the longest example that is kept: whole or not at all, because a part of a secret cannot be detected

// Problems counts problems by field, with reason and example of the first.
type Problems []Problem

// Add adds problems.
func (p *Problems) Add(added ...Problem) {
	for _, problem := range added {
		i := slices.IndexFunc(*p, func(of Problem) bool { return of.field == problem.field })
		if i < 0 {
			i, *p = len(*p), append(*p, problem)
		}
		(*p)[i].cells++
	}
}

// Unread describes the values of a field that became null because they could not be read.
type Unread struct {
	Field   string
	Count   int    // of values
	Example string // one as received, redacted and shortened; empty: none was kept
	Text    string // a sentence with all of this, and the reason
}

// Unread describes what became null, and why, for each field. quote redacts text of the service, before it is shortened.
func (p Problems) Unread(quote func(text string) string) []Unread {
	var all []Unread
	for _, f := range p {
		u := Unread{Field: f.field, Count: f.cells}
		u.Text = fmt.Sprintf("%s: %d values are shown as null, because the service's value %s", f.field, f.cells, f.reason)
		if f.example != "" {
			u.Example = fmt.Sprintf("%.60s", quote(f.example))
			u.Text += ", for example " + u.Example
		}
		all = append(all, u)
	}
	return all
}

// WithLacks adds to fields with values that could not be read those that lack one that the specification says each row has.
func WithLacks(unread []Unread, set *schema.DataSet, rows *columns.Table) []Unread {
	for n, f := range set.Fields {
		if !f.NeverNull || slices.ContainsFunc(unread, func(u Unread) bool { return u.Field == f.Name }) {
			continue
		}
		lacks := 0
		for _, valid := range rows.Columns[n].Valid {
			if !valid {
				lacks++
			}
		}
		if lacks > 0 {
			text := fmt.Sprintf("%s: %d rows have none, although the specification says that each row has one: the service may have renamed the field", f.Name, lacks)
			unread = append(unread, Unread{Field: f.Name, Count: lacks, Example: "null", Text: text})
		}
	}
	return unread
}

const leastOffset, mostOffset = 15 * time.Minute, 14 * time.Hour // of a time zone ahead of UTC. Less may be the difference of two clocks

// Later returns the fields with times after now: of tasks to come, or of a time zone without its offset. Nobody knows which.
func Later(set *schema.DataSet, rows *columns.Table, now time.Time) (all []Unread) {
	after, before := columns.Nanoseconds(now.Add(leastOffset)), columns.Nanoseconds(now.Add(mostOffset))
	for _, name := range set.TimeFields {
		later, latest := 0, int64(0)
		for _, at := range rows.Column(name).Times {
			if at > after && at < before {
				later, latest = later+1, max(latest, at)
			}
		}
		if later > 0 {
			example := time.Unix(0, latest).UTC().Format(time.RFC3339)
			text := fmt.Sprintf("%s: %d values are after now, for example %s, so a time range up to now lacks their rows: check that the service writes dates with the offset of its time zone, and its clock. To count them, select the last days (days) instead of a time range", name, later, example)
			all = append(all, Unread{Field: name, Count: later, Example: example, Text: text})
		}
	}
	return all
}
