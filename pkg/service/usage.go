package service

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Usage accumulates the cost of requests, and what their responses show about the service.
type Usage struct {
	Requests atomic.Int64 // HTTP requests, including retries but not logins
	Bytes    atomic.Int64 // of the responses, decompressed
	// Ahead is how far the service's clock is ahead of this server's according to the latest response with a date, in
	// nanoseconds, negative if it is behind, and 0 without a date. Its precision is a second plus the duration of the
	// request.
	Ahead atomic.Int64

	mu            sync.Mutex
	organizations []string // organizations of the data, without duplicates; a new login may be for another one
}

// TakeOrganizations returns the organizations of the data received since the last call.
func (u *Usage) TakeOrganizations() []string {
	u.mu.Lock()
	defer u.mu.Unlock()
	taken := u.organizations
	u.organizations = nil
	return taken
}

func (u *Usage) answered(organization string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !slices.Contains(u.organizations, organization) {
		u.organizations = append(u.organizations, organization)
	}
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
