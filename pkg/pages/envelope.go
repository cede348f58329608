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

// What a member says: nothing, that there are no rows if nothing else says so, that an envelope without rows is a refusal, or that
// any is one: of the rows, a part is missing.
const (
	noRefusal = iota
	perhapsRefusal
	refusal
	failure
)

// refusals are the members under which services say, with status 200, that they refuse, and why.
var refusals = []string{"error", "errors", "success", "ok", "message", "status", "code"}

// refuses returns whether the value of such a member refuses. That nothing is wrong, services write in many ways.
func refuses(name string, value jsontext.Value) int {
	said := strings.ToLower(strings.Trim(strings.Join(strings.Fields(string(value)), ""), `"`))
	isSaid := !slices.Contains([]string{"null", "", "[]", "{}", "false"}, said) && count(value) != 0
	switch name {
	case "error", "errors":
		if isSaid {
			return failure
		}
	case "success", "ok":
		if said == "false" {
			return failure
		}
	case "message":
		if isSaid {
			return perhapsRefusal
		}
	default:
		if slices.Contains([]string{"error", "fail", "failed", "failure"}, said) || count(value) >= 400 && count(value) < 600 {
			return refusal
		}
	}
	return noRefusal
}

// members are those of an envelope that are read, or are objects. Rows may be in any other object or array, where nobody looks.
var members = []string{"totalElements", "totalPages", "last", "empty", "size", "page", "pageable", "sort"}

// envelope decodes an object with content. If it says that it is empty, content may be missing, null, or an empty object.
func (d *decoder) envelope() error {
	var found []string
	var isNamed, hasContent, isElsewhere bool
	refused, why := noRefusal, ""
	if err := d.object(func(quoted jsontext.Value) error {
		name := d.unquote(quoted)
		if string(name) == "content" {
			kind := d.json.PeekKind()
			isNamed, hasContent = true, kind != 'n'
			return d.content(kind)
		}
		if !isNamed {
			found = append(found, string(name))
		}
		if slices.Contains(members, string(name)) {
			return d.member(quoted)
		}
		refusing := slices.Index(refusals, string(name))
		kind := d.json.PeekKind()
		isElsewhere = isElsewhere || kind == '[' || kind == '{'
		if refusing < 0 {
			return d.json.SkipValue()
		}
		value, err := d.json.ReadValue()
		if of := refuses(refusals[refusing], value); of > refused {
			refused, why = of, fmt.Sprintf("%s is %s", refusals[refusing], value)
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
