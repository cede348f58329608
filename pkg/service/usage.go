package service

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Usage accumulates the cost of requests. A nil Usage ignores it.
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
	if u == nil || !clock.Known {
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
	if u == nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if !slices.Contains(u.organizations, organization) {
		u.organizations = append(u.organizations, organization)
	}
}

func (u *Usage) request() {
	if u != nil {
		u.Requests.Add(1)
	}
}

func (u *Usage) read(n int) {
	if u != nil {
		u.Bytes.Add(int64(n))
	}
}
