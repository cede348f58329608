package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

const (
	secretMark       = "[secret]" // in the place of a secret
	quotedCharacters = 200        // of the service in a message
)

// secrets redacts values that must not appear in a message, log or frame.
type secrets struct {
	forms *regexp.Regexp
	parts []string // one of each value, which nothing escapes: it is several times as fast to see that a text has none of them
}

// isSpecial reports whether services may escape a character.
func isSpecial(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// newSecrets prepares the redaction of values, as they are, and escaped for JSON, a URL or HTML. Empty values are ignored.
func newSecrets(values ...string) *secrets {
	var all, parts []string
	// Of two matches at the same position, the expression takes the value that comes first: it must be the longer one.
	for _, value := range slices.SortedFunc(slices.Values(values), func(a, b string) int { return len(b) - len(a) }) {
		if value != "" {
			runs := append(strings.FieldsFunc(value, isSpecial), "")
			parts = append(parts, slices.MaxFunc(runs, func(a, b string) int { return len(a) - len(b) }))
			all = append(all, formsOf(value))
		}
	}
	return &secrets{regexp.MustCompile(strings.Join(all, "|")), parts}
}

// longestHeader is how long a secret is at most that a server accepts, in bytes. A longer one is only redacted as it is.
const longestHeader = 32 << 10

// others are escapes of single characters in a URL, and of those in HTML that have names.
var others = map[rune]string{' ': `\+`, '"': "&quot;", '\'': "&apos;", '&': "&amp;", '<': "&lt;", '>': "&gt;"}

// formsOf returns a regular expression for a value. Libraries differ in which characters they escape, and how: each of them is as it
// is, or has an escape of JSON (also of JSON in JSON), a URL or HTML.
func formsOf(value string) string {
	if len(value) > longestHeader {
		return regexp.QuoteMeta(value)
	}
	var forms strings.Builder
	for _, r := range value {
		if !isSpecial(r) {
			forms.WriteRune(r)
			continue
		}
		plain, short, units := regexp.QuoteMeta(string(r)), regexp.QuoteMeta(strings.TrimPrefix(contentOf(string(r)), `\`)), ""
		references := fmt.Sprintf(`&#(?:0*%d|x0*%x);|`, r, r)
		for _, unit := range utf16.Encode([]rune{r}) {
			units += fmt.Sprintf(`\\+u%04x`, unit)
			references += fmt.Sprintf(`&#(?:0*%d|x0*%x);`, unit, unit) // as JavaScript may write them
		}
		percent := strings.ReplaceAll(fmt.Sprintf(" % x", string(r)), " ", "%")
		fmt.Fprintf(&forms, `(?:\\*%s|\\+%s|(?i:%s|%s|%s)|%s)`, plain, short, units, percent, references, cmp.Or(others[r], plain))
	}
	return forms.String()
}

// codes matches characters that are written into JSON as the codes of their UTF-16, and backslashes that begin none.
var codes = regexp.MustCompile(`\\\\|(?:\\u[0-9a-fA-F]{4})+`)

// Replace redacts a text. Which characters a service writes into JSON as codes differs, so only those that need it remain.
func (s *secrets) Replace(text string) string {
	if text = s.replace(text); !strings.Contains(text, `\u`) {
		return text
	}
	return s.replace(codes.ReplaceAllStringFunc(text, func(codes string) string {
		var plain string
		_ = json.Unmarshal([]byte(`"`+codes+`"`), &plain) // They are always valid.
		return contentOf(plain)
	}))
}

func (s *secrets) replace(text string) string {
	if !slices.ContainsFunc(s.parts, func(part string) bool { return strings.Contains(text, part) }) {
		return text
	}
	return s.forms.ReplaceAllLiteralString(text, secretMark)
}

// contentOf returns the content of the JSON string of a text, with no more escapes than needed.
func contentOf(text string) string { return strings.TrimSuffix(jsonOf(text)[1:], `"`) }

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
	characters, more := []rune(s.Replace(text)), ""
	if len(characters) > quotedCharacters {
		characters, more = characters[:quotedCharacters], "…"
	}
	isSpace := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return strings.Join(strings.FieldsFunc(string(characters)+more, isSpace), " ")
}

// isPage reports whether a body is an HTML page.
func isPage(raw []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<")) }

var title = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)

// messageOf quotes what a response says: the message in JSON, the title of an HTML page, or a text. raw is the body, or its
// beginning. Of the response to a login, which may be a token, only a message in an object is quoted.
func (c *Client) messageOf(a *response, raw []byte) string {
	// If a service does not escape what it repeats, backslashes of a secret would be parsed as escapes.
	text := c.Redact(string(raw))
	if isPage(raw) {
		if found := title.FindStringSubmatch(text[:min(len(text), pageBytes)]); found != nil {
			return c.Quote(html.UnescapeString(found[1]))
		}
		return ""
	}
	var value any
	isJSON := json.Unmarshal([]byte(text), &value) == nil
	object, isObject := value.(map[string]any)
	switch {
	case isObject:
		text = sentenceIn(object)
	case a.to.isLogin() && a.StatusCode/100 == 2:
		return ""
	case isJSON:
		text = sentenceOf(value)
	case strings.ContainsFunc(text, isBinary) || strings.ContainsAny(text[:min(1, len(text))], "{["):
		return "" // compressed, or JSON that is cut off
	}
	return c.Quote(text)
}

// isBinary reports whether a character is in no text.
func isBinary(r rune) bool {
	return r == unicode.ReplacementChar || unicode.IsControl(r) && !unicode.IsSpace(r)
}

// sentenceIn returns the message in an object, by the names that services use for it, and its details; "" without one.
func sentenceIn(object map[string]any) string {
	said := map[string]string{}
	for name, value := range object {
		said[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = sentenceOf(value)
	}
	message := cmp.Or(said["message"], said["detail"], said["errordescription"], said["errormessage"], said["description"],
		said["msg"], said["reason"], said["errors"], said["error"], said["title"])
	if details := cmp.Or(said["details"], said["errors"]); message != "" && details != "" && details != message {
		message += " (" + details + ")"
	}
	return message
}

// sentenceOf returns a decoded value as text: "" for null, and JSON for an object without a message.
func sentenceOf(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case []any:
		var all []string
		for _, element := range v {
			all = append(all, sentenceOf(element))
		}
		return strings.Join(all, "; ")
	case map[string]any:
		return cmp.Or(sentenceIn(v), jsonOf(v))
	}
	return jsonOf(value)
}
