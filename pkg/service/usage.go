package service

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Usage adds up what requests cost. A nil Usage counts nothing.
type Usage struct {
	Requests atomic.Int64 // HTTP requests, repeated ones included; logins are not counted
	Bytes    atomic.Int64 // of the answers, unpacked

	mu            sync.Mutex
	organizations []string // whose data came, each once; a new login may be for another one
	clock         Clock
}

// Clock returns what the latest answer that had a date said of the service's clock.
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

// TakeOrganizations returns the organizations whose data came since it was last called.
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
