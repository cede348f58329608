package service

import (
	"cmp"
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/cenkalti/backoff/v5"
)

// quotedCharacters is how many characters of the service a message quotes.
const quotedCharacters = 200

// statusError converts a non-2xx response into an error that quotes the service's own message.
func (c *Client) statusError(a *response) *Error {
	raw, secrets := a.body.failure(), c.secrets()
	_, isPage := a.body.page()
	message := messageOf(a, raw, secrets)
	what := a.to.Path + " returned " + secrets.quote(a.Status)
	if isPage {
		what += ": an HTML page, probably from a proxy and not from the service"
	}
	if message != "" {
		what += ": " + message
	}
	isRejected := a.StatusCode >= 400 && a.StatusCode < 500 && a.StatusCode != http.StatusTooManyRequests
	if a.to.isLogin() && isRejected {
		return c.loginError(a, what, message, isPage)
	}
	e := &Error{Status: a.StatusCode}
	pauses := ""
	if pause, ok := retryAfter(a.Response); ok {
		e.Cause = &backoff.RetryAfterError{Duration: pause}
		// The pause may exceed the time that a query waits.
		pauses = " and asks to wait " + pause.Round(time.Second).String()
	}
	advice, kind := adviceFor(a, pauses)
	e.Kind, e.Message = kind, what+advice
	if !a.to.isLogin() {
		e.forward = c.toForward(a, raw, e.Message)
	}
	return e
}

// adviceFor returns what to do about a status, and its kind of failure.
func adviceFor(a *response, pauses string) (advice string, kind error) {
	switch a.StatusCode {
	case http.StatusUnauthorized:
		return " – check the login and key in the data source settings", ErrUnauthorized
	case http.StatusForbidden:
		return " – check the organization in the data source settings, and that the login is allowed to read reports", ErrForbidden
	case http.StatusNotFound:
		return " – " + cmp.Or(a.to.NotFound, "check the base URL in the data source settings"), ErrNotFound
	case http.StatusTooManyRequests:
		return " – the service is rate limiting requests" + pauses +
			": refresh less often, or limit Requests per second in the data source settings", ErrRateLimited
	}
	if a.StatusCode >= 500 {
		return " – the service has a problem" + pauses + ": try again later", ErrUnavailable
	}
	return "", ErrRejected
}

// messageOf extracts the message of a response: message or error in JSON, with details, or the title of a proxy's HTML page.
// Nothing else is quoted.
func messageOf(a *response, raw []byte, secrets *secrets) string {
	if page, ok := a.body.page(); ok {
		return titleOf(page, secrets)
	}
	var said struct {
		Message any `json:"message"`
		Error   any `json:"error"`
		Details any `json:"details"`
	}
	// If a service does not escape what it repeats, backslashes of a secret would be parsed as escapes.
	if json.Unmarshal([]byte(secrets.Replace(string(raw))), &said) != nil {
		return ""
	}
	message := cmp.Or(asText(said.Message), asText(said.Error))
	if details := asText(said.Details); message != "" && details != "" {
		message += " (" + details + ")"
	}
	return secrets.quote(message)
}

// asText returns a decoded value as text: "" for null, JSON for an object or array.
func asText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	default:
		return jsonOf(v)
	}
}

func jsonOf(v any) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	// A value decoded from JSON always encodes, and so does a text.
	_ = encoder.Encode(v)
	return strings.TrimSpace(out.String())
}

// jsonText returns a text as the content of a JSON string.
func jsonText(text string) string { return strings.TrimSuffix(jsonOf(text)[1:], `"`) }

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
