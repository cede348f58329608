package service

import (
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

const (
	// secretMark replaces a secret.
	secretMark = "[secret]"
	// quotedCharacters is how many characters of the service a message quotes.
	quotedCharacters = 200
)

// secrets redacts values that must not appear in a message, log or frame.
type secrets struct{ *strings.Replacer }

// newSecrets prepares the redaction of values, in every form. Empty values are ignored.
func newSecrets(values ...string) *secrets {
	var all []string
	for _, value := range values {
		if value != "" {
			all = append(all, forms(value)...)
		}
	}
	// Of two matches at the same position, the replacer takes the form that comes first: it must be the longer one.
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, form := range slices.Compact(all) {
		pairs = append(pairs, form, secretMark)
	}
	return &secrets{strings.NewReplacer(pairs...)}
}

// forms returns a secret as a service writes it into a response: as it is, and escaped once, for JSON, a URL or HTML.
func forms(secret string) []string {
	inJSON := strings.TrimSuffix(jsonOf(secret)[1:], `"`)
	isOther := func(r rune) bool { return r > unicode.MaxASCII }
	return []string{
		secret,
		inJSON,
		escape(inJSON, `\u%04x`, func(r rune) bool { return strings.ContainsRune("<>&", r) }),   // as Go does
		escape(inJSON, `\u%04x`, func(r rune) bool { return strings.ContainsRune("<>&='", r) }), // as Gson does
		escape(inJSON, `\u%04x`, isOther),     // as Python does
		escape(inJSON, `\u%04X`, isOther),     // as Jackson does
		strings.ReplaceAll(inJSON, "/", `\/`), // as PHP does
		url.QueryEscape(secret),
		url.PathEscape(secret),
		html.EscapeString(secret),
	}
}

// escape writes some characters of the content of a JSON string as the codes of their UTF-16.
func escape(inJSON, format string, isEscaped func(rune) bool) string {
	var out strings.Builder
	for _, r := range inJSON {
		if !isEscaped(r) {
			out.WriteRune(r)
			continue
		}
		for _, code := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, format, code)
		}
	}
	return out.String()
}

// jsonOf encodes a text, or a value that was decoded from JSON: both always encode.
func jsonOf(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(v)
	return strings.TrimSpace(out.String())
}

// quote prepares external text for a message: its beginning, on one line, without secrets. All text of the service in
// messages goes through it.
func (s *secrets) quote(text string) string {
	text = strings.ToValidUTF8(s.Replace(text), "\uFFFD")
	characters := 0
	for end := range text {
		if characters == quotedCharacters {
			text = text[:end] + "…"
			break
		}
		characters++
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
