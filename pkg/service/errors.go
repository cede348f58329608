package service

import (
	"errors"
	"net/http"
)

// What can go wrong between the plugin and the service. An *Error wraps one of them; errors.Is tells which.
var (
	// ErrLogin: the login route rejected login and key, or its answer holds no token.
	ErrLogin = errors.New("login")
	// ErrUnauthorized: a data route rejected a fresh token (401).
	ErrUnauthorized = errors.New("unauthorized")
	// ErrForbidden: a data route rejected the organization, or is not for this login (403).
	ErrForbidden = errors.New("forbidden")
	// ErrNotFound: the route does not exist (404).
	ErrNotFound = errors.New("not found")
	// ErrRejected: any other 4xx.
	ErrRejected = errors.New("rejected")
	// ErrRateLimited: 429 after all tries, or a pause that the service asked for.
	ErrRateLimited = errors.New("rate limited")
	// ErrUnavailable: 5xx after all tries.
	ErrUnavailable = errors.New("unavailable")
	// ErrConnection: DNS, TLS, refused or broken connection.
	ErrConnection = errors.New("connection")
	// ErrTimeout: the service did not answer in time.
	ErrTimeout = errors.New("timeout")
	// ErrUnreadable: the answer cannot be unpacked, is no JSON, or JSON of another shape.
	ErrUnreadable = errors.New("unreadable answer")
	// ErrTooLarge: the answer is larger than the plugin reads.
	ErrTooLarge = errors.New("answer too large")
	// ErrAllowance: the request was not sent, because there have been as many as may be (WithAllowance).
	ErrAllowance = errors.New("no request left")
)

// ErrNotJSON is what readers of an answer report; the client adds what came instead.
var ErrNotJSON = errors.New("expected JSON")

// Error is a failure of the service or of the way to it. The plugin itself is never to blame for one.
type Error struct {
	Kind    error  // one of the Err values
	Status  int    // HTTP status of the service's answer; 0 where there was none
	Message string // a sentence that says what happened and what to do; holds no secret
	// Cause is what is known beyond the message: the failure below it, or the pause that the service asked for
	// (*backoff.RetryAfterError). It holds no secret and may be nil.
	Cause error
	// said is the service's own words, where it has answered; stranger is what seems to have answered in its place.
	said, stranger string
	// passes says that the same request may do better in a moment.
	passes bool
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Message }

// Unwrap gives errors.Is the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// IsAboutRequest says whether the service did not accept a request as it was written: 400 or 422.
func (e *Error) IsAboutRequest() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
}

// isRejection says whether the service did not accept the credential.
func isRejection(err error) bool {
	return errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrForbidden)
}
