package service

import (
	"errors"
	"fmt"
	"net/http"
)

// The kinds of failures between the plugin and the service. An *Error wraps one of them; use errors.Is to distinguish
// them.
var (
	// ErrLogin: the login route rejected the login and key, or its response has no token.
	ErrLogin = errors.New("login")
	// ErrUnauthorized: a data route rejected a fresh token (401).
	ErrUnauthorized = errors.New("unauthorized")
	// ErrForbidden: a data route rejected the organization, or this login has no access to it (403).
	ErrForbidden = errors.New("forbidden")
	// ErrNotFound: the route does not exist (404).
	ErrNotFound = errors.New("not found")
	// ErrRejected: any other 4xx.
	ErrRejected = errors.New("rejected")
	// ErrRateLimited: 429 after all attempts, or a pause that the service requested.
	ErrRateLimited = errors.New("rate limited")
	// ErrUnavailable: 5xx after all attempts.
	ErrUnavailable = errors.New("unavailable")
	// ErrConnection: DNS, TLS, refused or broken connection.
	ErrConnection = errors.New("connection")
	// ErrTimeout: the service did not respond in time.
	ErrTimeout = errors.New("timeout")
	// ErrUnreadable: the response cannot be decompressed, is not JSON, or has an unexpected structure.
	ErrUnreadable = errors.New("unreadable response")
	// ErrTooLarge: the response exceeds the plugin's limit.
	ErrTooLarge = errors.New("response too large")
)

// ErrNotJSON is the error of body readers; the client adds what was received instead.
var ErrNotJSON = errors.New("expected JSON")

// ErrTruncated is the error of body readers for a body that ends before its value does: another attempt may get the rest.
var ErrTruncated = errors.New("the response is truncated: try again, or check any proxy in between")

// Error is a failure of the service or the connection, never of the plugin itself.
type Error struct {
	Kind    error  // one of the Err values
	Status  int    // HTTP status of the response; 0 without one
	Message string // what happened and what to do; contains no secret
	// Cause is the underlying error, or the pause that the service requested (*backoff.RetryAfterError). It contains no
	// secret and may be nil.
	Cause   error
	broken  bool       // the connection ended early
	forward *Forwarded // what to forward of a response of a data route
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Unwrap exposes the kind and the cause to errors.Is.
func (e *Error) Unwrap() []error {
	if e.Cause == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Cause}
}

// IsAboutRequest reports whether the service rejected the request itself: 400 or 422.
func (e *Error) IsAboutRequest() bool {
	return e.Status == http.StatusBadRequest || e.Status == http.StatusUnprocessableEntity
}

// Recover converts a panic into an error. The SDK's recovery does not cover other goroutines, and a panic there would
// crash the plugin for every data source.
func Recover(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("internal error while reading from the service: %v", r)
	}
}
