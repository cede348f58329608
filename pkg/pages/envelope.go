package pages

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	absent   = -1              // a count that the envelope does not have
	maxCount = 100_000_000_000 // keeps products of counts within 64 bits
)

// Envelope holds the paging information of a response (specification, "Paged result envelope"). Totals are next to
// content or, as in Spring's PagedModel, in an object named page. They are verified against the rows.
type Envelope struct {
	Bare  bool  // a bare array without an envelope
	Total int   // matching rows; -1 if absent
	Pages int   // pages; -1 if absent
	Size  int   // most rows of a page; -1 if absent
	Last  *bool // whether it is the last page; nil if absent
}

func newEnvelope() Envelope { return Envelope{Total: absent, Pages: absent, Size: absent} }

func (d *decoder) member(quoted jsontext.Value) error {
	switch string(d.unquote(quoted)) {
	case "totalElements":
		return d.count(&d.page.Total)
	case "totalPages":
		return d.count(&d.page.Pages)
	case "last":
		return d.boolean(&d.page.Last)
	case "empty":
		return d.boolean(&d.empty)
	case "size":
		return d.count(&d.page.Size)
	case "page":
		if d.json.PeekKind() == '{' {
			return d.object(d.member)
		}
	}
	return d.json.SkipValue()
}

func (d *decoder) count(into *int) error {
	raw, err := d.json.ReadValue()
	*into = count(raw)
	return err
}

func (d *decoder) boolean(into **bool) error {
	raw, err := d.json.ReadValue()
	if value, isBoolean := strconv.ParseBool(strings.Trim(string(raw), `"`)); isBoolean == nil && raw.Kind() != '0' {
		*into = &value
	}
	return err
}

// count parses a whole number, also as 20.0 or "20". Anything else is absent: reading goes on until a page is empty.
func count(raw jsontext.Value) int {
	n, ok := written.Whole(string(bytes.Trim(raw, "\" \t\r\n")))
	if !ok || n < 0 || n > maxCount {
		return absent
	}
	return int(n)
}

// What an envelope says of its rows.
const (
	noRefusal      = iota
	perhapsRefusal // there are none, unless it says that it is empty
	refusal        // there are none
	failure        // some are missing, or all
)

// refusals are the members under which services say, with status 200, that they refuse, and why.
var refusals = map[string]struct {
	of     int
	isSaid func(text string, n int) bool
}{
	"error": {failure, isAnything}, "errors": {failure, isAnything}, "message": {perhapsRefusal, isAnything},
	"success": {failure, isFalse}, "ok": {failure, isFalse}, "status": {refusal, isError}, "code": {refusal, isError},
}

// isAnything reports whether a value says something. That nothing is wrong, services write in many ways.
func isAnything(text string, n int) bool {
	return n != 0 && !slices.Contains([]string{"null", "", "[]", "{}", "false"}, text)
}

func isFalse(text string, _ int) bool { return text == "false" }

func isError(text string, n int) bool {
	return n >= 400 && n < 600 || slices.Contains([]string{"error", "fail", "failed", "failure"}, text)
}

// members are those of an envelope that are read, or are objects. Rows may be in any other object or array, where nobody looks.
var members = []string{"totalElements", "totalPages", "last", "empty", "size", "page", "pageable", "sort"}

// envelope decodes an object with content. If it says that it is empty, content may be missing, null, or an empty object.
func (d *decoder) envelope() error {
	var found []string
	var isNamed, hasContent, isElsewhere bool
	refused, why := noRefusal, ""
	if err := d.object(func(quoted jsontext.Value) error {
		name := string(d.unquote(quoted))
		if name == "content" {
			kind := d.json.PeekKind()
			isNamed, hasContent = true, kind != 'n'
			return d.content(kind)
		}
		if !isNamed {
			found = append(found, name)
		}
		if slices.Contains(members, name) {
			return d.member(quoted)
		}
		kind := d.json.PeekKind()
		isElsewhere = isElsewhere || kind == '[' || kind == '{'
		r, mayRefuse := refusals[name]
		if !mayRefuse {
			return d.json.SkipValue()
		}
		value, err := d.json.ReadValue()
		text := strings.ToLower(strings.Trim(strings.Join(strings.Fields(string(value)), ""), `"`))
		if r.of > refused && r.isSaid(text, count(value)) {
			refused, why = r.of, fmt.Sprintf("%s is %s", name, value)
		}
		return err
	}); err != nil {
		return err
	}
	isEmpty := d.page.Total == 0 || d.empty != nil && *d.empty
	hasRows := d.rows+d.page.Left > 0
	switch {
	case hasRows && refused == failure:
		return fmt.Errorf("%w: expected content without an error, but %s", errShape, why)
	case !hasRows && (refused == failure || refused == refusal || refused == perhapsRefusal && !isEmpty):
		return fmt.Errorf("%w: %w without an error, but %s", errShape, service.ErrNoRows, why)
	case isNamed && !hasContent && !isEmpty:
		return fmt.Errorf("%w: content is null, not an array", errShape)
	case !isNamed && (!isEmpty || isElsewhere):
		return fmt.Errorf("%w: %w, but its fields are %s", errShape, service.ErrNoRows, cmp.Or(schema.List(found), "none"))
	default:
		return nil
	}
}

func (d *decoder) content(kind jsontext.Kind) error {
	switch kind {
	case 'n':
		return d.json.SkipValue()
	case '[':
		return d.records()
	case '{':
		return d.object(func(jsontext.Value) error { return fmt.Errorf("%w: content is an object, not an array", errShape) })
	default:
		return fmt.Errorf("%w: content is %s, not an array", errShape, kindName(kind))
	}
}
