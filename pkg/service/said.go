package service

import (
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quotedCharacters is how many characters of the service a message quotes.
const quotedCharacters = 200

// messageOf extracts what a response says: the message in JSON, the title of an HTML page, or a text. raw is the body, or
// its beginning. Of the response to a login, which may be a token, only a message is quoted.
func messageOf(a *response, raw []byte, secrets *secrets) string {
	if page, ok := a.body.page(); ok {
		return titleOf(page, secrets)
	}
	// If a service does not escape what it repeats, backslashes of a secret would be parsed as escapes.
	clean, mayBeToken := secrets.Replace(string(raw)), a.to.isLogin() && a.StatusCode/100 == 2
	var document any
	if json.Unmarshal([]byte(clean), &document) != nil {
		document = plain(clean)
	}
	if object, ok := document.(map[string]any); ok {
		return secrets.quote(sentenceIn(object))
	}
	if mayBeToken {
		return ""
	}
	return secrets.quote(sentenceOf(document))
}

// plain returns a text for people, and "" for anything else, such as JSON that is cut off.
func plain(text string) string {
	isOther := func(r rune) bool { return unicode.IsControl(r) && !unicode.IsSpace(r) }
	if text = strings.TrimSpace(text); !utf8.ValidString(text) || strings.ContainsFunc(text, isOther) || strings.ContainsAny(text[:min(1, len(text))], "{[") {
		return ""
	}
	return text
}

// sayings are what services call a message, the best one first, and additions what they call its details. Upper case and _
// are ignored.
var (
	sayings   = []string{"message", "detail", "errordescription", "errormessage", "description", "msg", "reason", "errors", "error", "title"}
	additions = []string{"details", "errors"}
)

// sentenceIn returns the message in an object, with its details; "" without one.
func sentenceIn(object map[string]any) (message string) {
	said := map[string]string{}
	for name, value := range object {
		said[strings.ToLower(strings.ReplaceAll(name, "_", ""))] = sentenceOf(value)
	}
	has := func(name string) bool { return said[name] != "" }
	if i := slices.IndexFunc(sayings, has); i >= 0 {
		message = said[sayings[i]]
	}
	if i := slices.IndexFunc(additions, has); message != "" && i >= 0 && said[additions[i]] != message {
		message += " (" + said[additions[i]] + ")"
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
		if message := sentenceIn(v); message != "" {
			return message
		}
	}
	return jsonOf(value)
}

func jsonOf(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	// A value decoded from JSON always encodes, and so does a text.
	_ = encoder.Encode(v)
	return strings.TrimSpace(out.String())
}

var title = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title`)

// titleOf quotes the title of an HTML page; "" if it has none.
func titleOf(page string, secrets *secrets) string {
	found := title.FindStringSubmatch(page)
	if found == nil {
		return ""
	}
	return secrets.quote(html.UnescapeString(secrets.Replace(found[1])))
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
