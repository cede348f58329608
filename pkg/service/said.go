package service

import (
	"bytes"
	"cmp"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"unicode"
)

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
	first := func(names ...string) (text string) {
		for _, name := range names {
			text = cmp.Or(text, said[name])
		}
		return text
	}
	message := first("message", "detail", "errordescription", "errormessage", "description", "msg", "reason", "errors", "error", "title")
	if details := first("details", "errors"); message != "" && details != "" && details != message {
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
