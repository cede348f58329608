package service

import (
	"net/http"
	"time"
)

// Usage accumulates the cost of requests that are sent one after another, and what their responses show about the service.
type Usage struct {
	Requests int64 // HTTP requests, including retries but not logins
	Bytes    int64 // of the responses, decompressed
	// Ahead is how far the service's clock is ahead of this server's according to the latest response with a date, negative
	// if it is behind, and 0 without a date. Its precision is a second plus the duration of the request.
	Ahead time.Duration
	// Organization is the organization of the latest data: a new login may be for another one.
	Organization string
}

// clockAhead compares the Date header of a response (RFC 9110, 6.6.1) with the middle of the request. ok is false without
// a date. Cached responses carry an old time and are ignored.
func clockAhead(header http.Header, sent, answered time.Time) (ahead time.Duration, ok bool) {
	at, err := http.ParseTime(header.Get("Date"))
	if err != nil || header.Get("Age") != "" {
		return 0, false
	}
	// The header has truncated whole seconds, so half a second is the mean error.
	return at.Add(time.Second / 2).Sub(sent.Add(answered.Sub(sent) / 2)), true
}
