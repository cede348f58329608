package service

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	jsonv2 "github.com/go-json-experiment/json"
)

const (
	secretMark       = "[secret]" // in the place of a secret
	quotedCharacters = 200        // of the service in a message
)

// secrets redacts values that must not appear in a message, log or frame, the longest first.
type secrets struct{ values []secret }

// secret is a value as it is, unescaped, and what any base64 has of it: three texts for each alphabet, as it may begin anywhere in one.
type secret struct {
	plain, unescaped string
	encoded          []string
}

const leastEncoded = 8 // how many characters of base64 are not there by chance

func newSecrets(values ...string) *secrets {
	s := &secrets{}
	for _, value := range slices.SortedFunc(slices.Values(values), func(a, b string) int { return len(b) - len(a) }) {
		if value == "" {
			continue
		}
		levels := levelsOf(value)
		of := secret{plain: value, unescaped: cmp.Or(levels[len(levels)-1], value)}
		for before := range 3 {
			for _, alphabet := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
				begin, end := (8*before+5)/6, 8*(before+len(value))/6 // Beyond are characters with bits of something else.
				if text := alphabet.EncodeToString(append(make([]byte, before), value...))[begin:max(begin, end)]; len(text) >= leastEncoded {
					of.encoded = append(of.encoded, text)
				}
			}
		}
		s.values = append(s.values, of) // One may begin with another.
	}
	return s
}

// Replace redacts a text: all of it if a value shows only when it is unescaped or decoded, as libraries differ in what they escape.
func (s *secrets) Replace(text string) string {
	levels := levelsOf(text)
	hasBackslash := slices.ContainsFunc(levels, func(level string) bool { return strings.Contains(level, `\`) })
	for _, of := range s.values {
		known, mayBeUnescaped := strings.Count(text, of.plain), hasBackslash || !strings.HasSuffix(of.plain, `\`)
		for _, level := range levels {
			isEncoded := slices.ContainsFunc(of.encoded, func(part string) bool { return strings.Contains(level, part) })
			if isEncoded || mayBeUnescaped && strings.Count(level, of.unescaped) > known {
				return secretMark
			}
		}
	}
	for _, of := range s.values {
		text = strings.ReplaceAll(text, of.plain, secretMark)
	}
	return text
}

// escapes are those of JSON, also of JSON in JSON, of URLs, and of HTML. units and octets are others, of JavaScript and Python.
var (
	escapes = regexp.MustCompile(`(?:\\+u[0-9a-fA-F]{4})+|\\+[bfnrt]?|(?:%[0-9a-fA-F]{2})+|&#?\w+;|\+`)
	units   = regexp.MustCompile(`%(u[0-9a-fA-F]{4})`)
	octets  = regexp.MustCompile(`\\+x([0-9a-fA-F]{2})`)

	backslashes = regexp.MustCompile(`\\+`)
)

// levelsOf returns a text as it is, and without these escapes, which may be within each other.
func levelsOf(text string) (levels []string) {
	const most = 5
	levels = []string{text}
	for len(levels) < most && strings.ContainsAny(text, `\%&+`) {
		text = octets.ReplaceAllString(units.ReplaceAllString(text, `\$1`), "%$1")
		text = escapes.ReplaceAllStringFunc(text, unescape)
		levels = append(levels, text)
	}
	return levels
}

func unescape(escape string) (plain string) {
	switch escape[0] {
	case '+':
		return " "
	case '&':
		return html.UnescapeString(escape)
	case '%':
		plain, _ = url.PathUnescape(escape) // They are always valid.
	default:
		_ = json.Unmarshal([]byte(`"`+backslashes.ReplaceAllLiteralString(escape, `\`)+`"`), &plain) // Alone, they are nothing.
	}
	return plain
}

// quote prepares text of the service for a message, which all of it goes through: its beginning, on one line, without secrets.
func (s *secrets) quote(text string) string {
	characters, more := []rune(s.Replace(text)), ""
	if len(characters) > quotedCharacters {
		characters, more = characters[:quotedCharacters], "…"
	}
	isSpace := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	return strings.Join(strings.FieldsFunc(string(characters)+more, isSpace), " ")
}

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
	isBinary := func(r rune) bool { return r == unicode.ReplacementChar || unicode.IsControl(r) && !unicode.IsSpace(r) }
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

// sentenceOf returns a value that was decoded from JSON as text: "" for null, and JSON for an object without a message.
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
		if message := sentenceIn(v); message != "" {
			return message
		}
	}
	raw, _ := jsonv2.Marshal(value, jsonv2.Deterministic(true)) // As it was: this one escapes no HTML.
	return string(raw)
}
