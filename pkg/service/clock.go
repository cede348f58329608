package service

import (
	"net/http"
	"time"
)

// Clock is the service's clock relative to this server's.
type Clock struct {
	Known bool // a response included the time
	// Ahead is how far the service's clock is ahead, negative if it is behind, to the precision of a second plus the
	// duration of the request.
	Ahead time.Duration
}

// clockOf compares the Date header of a response (RFC 9110, 6.6.1) with the middle of the request. Cached responses
// carry an old time and are ignored.
func clockOf(header http.Header, sent, answered time.Time) Clock {
	at, err := http.ParseTime(header.Get("Date"))
	if err != nil || header.Get("Age") != "" {
		return Clock{}
	}
	// The header has truncated whole seconds, so half a second is the mean error.
	return Clock{Known: true, Ahead: at.Add(time.Second / 2).Sub(sent.Add(answered.Sub(sent) / 2))}
}
