package service

import (
	"cmp"
	"net/http"
	"time"

	"github.com/cenkalti/backoff/v5"
)

// statusError converts a non-2xx response into an error that quotes the service's own message.
func (c *Client) statusError(a *response) *Error {
	a.body.convert(a.Header)
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
		e.forward = toForward(a, raw, e.Message)
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
