package service

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Usage accumulates the cost of requests.
type Usage struct {
	Requests atomic.Int64 // HTTP requests, including retries but not logins
	Bytes    atomic.Int64 // of the responses, decompressed

	mu            sync.Mutex
	organizations []string // organizations of the data, without duplicates; a new login may be for another one
	clock         Clock
}

// Clock returns the service's clock according to the latest response with a date.
func (u *Usage) Clock() Clock {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.clock
}

func (u *Usage) heard(clock Clock) {
	if !clock.Known {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.clock = clock
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

// allowance is the number of requests that one operation may send.
type allowance struct {
	most int64
	sent atomic.Int64
}

type allowanceKey struct{}

// WithAllowance bounds the requests sent with the context, including logins and retries. One more returns an *Error of
// kind ErrAllowance and is not sent.
func WithAllowance(ctx context.Context, most int) context.Context {
	return context.WithValue(ctx, allowanceKey{}, &allowance{most: int64(most)})
}

// spend takes one request from the context's allowance, if it has one.
func spend(ctx context.Context) error {
	a, ok := ctx.Value(allowanceKey{}).(*allowance)
	if !ok || a.sent.Add(1) <= a.most {
		return nil
	}
	return &Error{Kind: ErrAllowance, Message: fmt.Sprintf("not requested, because the limit of %d requests is reached: try again", a.most)}
}
