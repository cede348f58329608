package pages

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Forms describes how the service writes its records, beyond what columns show. It contains no text of the service.
type Forms struct {
	Records int
	// Absent are the fields of the description that no record has, not even as null.
	Absent []string
	// Dates are the formats of all dates, such as YYYY-MM-DDThh:mm:ss.SSS+00:00; Unreadable for those that cannot be
	// parsed.
	Dates []string
}

// Unreadable is the format of a date that cannot be parsed.
const Unreadable = "unreadable"

// formsBytes is how much of a response is inspected: more than a page of 500 records.
const formsBytes = 1 << 20

// Survey reads one page like Page, and inspects the format of its first records.
func (s Source) Survey(ctx context.Context, q Question, number int, bounds Bounds, usage *service.Usage) (*Page, Forms, error) {
	request := s.Route(q.DataSet)
	request.Query, request.Limit, request.Usage = q.query(number), bounds.Bytes, usage
	var (
		p    *Page
		seen bytes.Buffer
	)
	err := s.Client.Get(ctx, request, func(body io.Reader) (err error) {
		seen.Reset()
		p, err = Decode(io.TeeReader(body, &firstBytes{buffer: &seen, left: formsBytes}), q.DataSet, NewTexts(), bounds.Rows)
		return err
	})
	return p, formsOf(seen.Bytes(), q.DataSet), err
}

// firstBytes keeps the beginning of what is written.
type firstBytes struct {
	buffer io.Writer
	left   int
}

func (w *firstBytes) Write(p []byte) (int, error) {
	kept := p[:min(len(p), w.left)]
	w.left -= len(kept)
	_, _ = w.buffer.Write(kept)
	return len(p), nil
}

// formsOf inspects the records of a response that may be cut off.
func formsOf(raw []byte, set *datasets.DataSet) Forms {
	present, dates := map[string]bool{}, map[string]bool{}
	forms := Forms{}
	for record := range records(raw) {
		forms.Records++
		for name, value := range members(record) {
			present[name] = true
			if f := set.Field(name); f != nil && f.Type == datasets.Time && value.Kind() != 'n' {
				dates[dateForm(value)] = true
			}
		}
	}
	for _, f := range set.Fields {
		if forms.Records > 0 && !present[f.Name] {
			forms.Absent = append(forms.Absent, f.Name)
		}
	}
	for form := range dates {
		forms.Dates = append(forms.Dates, form)
	}
	slices.Sort(forms.Dates)
	return forms
}

// records iterates over the complete records of a response: those of content, or of a bare array.
func records(raw []byte) func(yield func(jsontext.Value) bool) {
	return func(yield func(jsontext.Value) bool) {
		d := jsontext.NewDecoder(bytes.NewReader(raw), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if d.PeekKind() == '{' && !enterContent(d) || d.PeekKind() != '[' {
			return
		}
		if _, err := d.ReadToken(); err != nil {
			return
		}
		for d.PeekKind() == '{' {
			record, err := d.ReadValue()
			if err != nil || !yield(record) {
				return
			}
		}
	}
}

// enterContent reads an envelope up to the value of content.
func enterContent(d *jsontext.Decoder) bool {
	if _, err := d.ReadToken(); err != nil {
		return false
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return false
		}
		if name.String() == "content" {
			return true
		}
		if d.SkipValue() != nil {
			return false
		}
	}
	return false
}

// members iterates over the names and values of a record.
func members(record jsontext.Value) func(yield func(string, jsontext.Value) bool) {
	return func(yield func(string, jsontext.Value) bool) {
		d := jsontext.NewDecoder(bytes.NewReader(record), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if _, err := d.ReadToken(); err != nil {
			return
		}
		for d.PeekKind() == '"' {
			token, err := d.ReadToken()
			if err != nil {
				return
			}
			name := token.String()
			value, err := d.ReadValue()
			if err != nil || !yield(name, value) {
				return
			}
		}
	}
}

// dateParts matches an ISO 8601 date-time, with its fractional seconds and its offset.
var dateParts = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}([.,]\d+)?(.*)$`)

// dateForm returns the format of a date: letters instead of its digits, except for the offset.
func dateForm(value jsontext.Value) string {
	if value.Kind() != '"' {
		return Unreadable
	}
	text, err := jsontext.AppendUnquote(nil, value)
	parts := dateParts.FindStringSubmatch(string(text))
	if _, ok := parseTime(text); !ok || err != nil || parts == nil {
		return Unreadable
	}
	form := "YYYY-MM-DDThh:mm:ss"
	if parts[1] != "" {
		form += "." + strings.Repeat("S", len(parts[1])-1)
	}
	return form + parts[2]
}
