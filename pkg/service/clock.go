package service

import (
	"net/http"
	"time"
)

// Clock is the service's clock, seen from this server's.
type Clock struct {
	Known bool // an answer said what time it is
	// Ahead is how far the service's clock is ahead; below 0, it is behind. It is exact to a second and the time that the
	// request took.
	Ahead time.Duration
}

// clockOf compares the Date header of an answer (RFC 9110, 6.6.1) with the middle of the time that the answer took. An
// answer from a cache on the way says what time it was.
func clockOf(header http.Header, sent, answered time.Time) Clock {
	at, err := http.ParseTime(header.Get("Date"))
	if err != nil || header.Get("Age") != "" {
		return Clock{}
	}
	// The header has whole seconds, cut off: half of one is the mean error.
	return Clock{Known: true, Ahead: at.Add(time.Second / 2).Sub(sent.Add(answered.Sub(sent) / 2))}
}
