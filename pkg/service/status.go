package service

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"strings"
)

// statusBytes is how many bytes of a non-2xx response are searched for the service's message.
const statusBytes = 16 << 10

// What may respond in place of the service.
const (
	strangerPage    = "an HTML page"
	strangerGrafana = "a Grafana server"
)

// statusError converts a non-2xx response into an error that quotes the service's own message.
func (c *Client) statusError(a *answer) error {
	secrets := c.secrets()
	said, stranger := serviceMessage(a, secrets)
	what := a.to.Path + " returned " + secrets.quote(a.Status, false)
	switch {
	case stranger == strangerPage:
		what += ": an HTML page, probably from a proxy and not from the service: " + said
	case said != "":
		what += ": " + said
	}
	e := &Error{Status: a.StatusCode, Cause: pauseCause(a.Response), said: said, stranger: stranger}
	advice, kind := classify(a)
	e.Kind = kind
	e.Message = what + advice
	e.transient = e.Kind == ErrRateLimited || isGateway(a.StatusCode)
	if a.to.kind == loginRequest && a.StatusCode < 500 {
		// loginError adds the advice for a rejected login.
		e.Message = what
	}
	return e
}

// classify returns the advice for a status, and its kind of failure.
func classify(a *answer) (advice string, kind error) {
	switch a.StatusCode {
	case http.StatusUnauthorized:
		return " – check the login and key in the data source settings", ErrUnauthorized
	case http.StatusForbidden:
		return " – check the organization in the data source settings, and that the login is allowed to read reports", ErrForbidden
	case http.StatusNotFound:
		return " – " + cmp.Or(a.to.NotFound, "check the base URL in the data source settings"), ErrNotFound
	case http.StatusTooManyRequests:
		return " – the service is rate limiting requests" + pauseText(retryAfter(a.Response)) + ": refresh less often, or lower Max concurrent requests in the data source settings", ErrRateLimited
	}
	if a.StatusCode >= 500 {
		return " – the service has a problem" + pauseText(retryAfter(a.Response)) + ": try again later", ErrUnavailable
	}
	return "", ErrRejected
}

// pauseCause exposes the requested pause where the backoff library looks for it.
func pauseCause(resp *http.Response) error {
	if asked := retryAfter(resp); asked != nil {
		return asked
	}
	return nil
}

// isGateway reports whether the status is typical of a gateway, or of a service that restarts.
func isGateway(status int) bool {
	return status == http.StatusBadGateway || status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout
}

// serviceMessage extracts the message of an error body: JSON message and details, plain text, or a proxy's HTML.
// stranger names what appears to have responded in place of the service.
func serviceMessage(a *answer, secrets secrets) (said, stranger string) {
	raw, _ := io.ReadAll(io.LimitReader(a.body, statusBytes))
	var answer struct {
		Message   any `json:"message"`
		Details   any `json:"details"`
		MessageID any `json:"messageId"` // Grafana's own errors have one
	}
	// If a service does not escape what it repeats, backslashes of a secret would be parsed as escapes.
	if json.Unmarshal([]byte(secrets.mask(string(raw))), &answer) == nil && answer.Message != nil {
		said := asText(answer.Message)
		if answer.Details != nil {
			said += " (" + asText(answer.Details) + ")"
		}
		if answer.MessageID != nil {
			stranger = strangerGrafana
		}
		return secrets.quote(said, false), stranger
	}
	if a.to.kind == loginRequest && json.Valid(raw) {
		// Whatever the status, it may contain a token.
		return "", ""
	}
	text := secrets.quote(a.body.beginning())
	if strings.HasPrefix(text, "<") {
		return text, strangerPage
	}
	return text, ""
}

func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	// A value decoded from JSON always encodes.
	_ = encoder.Encode(v)
	return strings.TrimSpace(out.String())
}
