package service

import (
	"errors"
	"fmt"
)

// What can go wrong between the plugin and the service. An *Error wraps one of them; errors.Is tells which.
var (
	// ErrLogin: the login route refused login and key, or its answer holds no token.
	ErrLogin = errors.New("login")
	// ErrUnauthorized: a data route refused a fresh token (401).
	ErrUnauthorized = errors.New("unauthorized")
	// ErrForbidden: a data route refused the organization (403).
	ErrForbidden = errors.New("forbidden")
	// ErrNotFound: the route does not exist (404).
	ErrNotFound = errors.New("not found")
	// ErrRejected: any other 4xx.
	ErrRejected = errors.New("rejected")
	// ErrRateLimited: 429 after all tries.
	ErrRateLimited = errors.New("rate limited")
	// ErrUnavailable: 5xx after all tries.
	ErrUnavailable = errors.New("unavailable")
	// ErrConnection: DNS, TLS, refused or broken connection.
	ErrConnection = errors.New("connection")
	// ErrTimeout: the service did not answer in time.
	ErrTimeout = errors.New("timeout")
	// ErrUnreadable: the answer is no JSON, or JSON of another shape.
	ErrUnreadable = errors.New("unreadable answer")
)

// Error is a failure of the service or of the way to it. The plugin itself is never to blame for one.
type Error struct {
	Kind    error  // one of the Err values
	Status  int    // HTTP status of the service's answer; 0 where there was none
	Message string // a sentence that says what happened and what to do; holds no secret
	Cause   error
}

// Error returns the sentence.
func (e *Error) Error() string { return e.Message }

// Unwrap gives errors.Is the kind and the cause.
func (e *Error) Unwrap() []error { return []error{e.Kind, e.Cause} }

func newError(kind error, format string, args ...any) *Error {
	return &Error{Kind: kind, Message: fmt.Sprintf(format, args...)}
}

// isRefusal says whether logging in once more may help.
func isRefusal(err error) bool {
	return errors.Is(err, ErrUnauthorized) || errors.Is(err, ErrForbidden)
}
