package service

import (
	"errors"
	"time"
)

const (
	// freshFor is how long a credential counts as just issued: if it is rejected, another one would be, too.
	freshFor = 10 * time.Second
	// A route that rejects fresh credentials causes no login for a while, twice as long each time. A 403 is about
	// permissions, which rarely change.
	firstBackOff          = 10 * time.Second
	firstBackOffForbidden = time.Minute
	longestBackOff        = 10 * time.Minute
	// lately is how long a route that accepted a request is known to work. If it still rejects a fresh credential,
	// another client may have logged in meanwhile: another Grafana server, on a service that keeps one token.
	lately = time.Minute
	// contested is how many fresh credentials in a row may be lost to another client.
	contested = 3
)

// routeState is a route's history with credentials.
type routeState struct {
	accepted    time.Time   // the last accepted request
	rejected    *credential // the last rejected credential
	lost        int         // fresh credentials rejected in a row
	backOffTime time.Duration
	until       time.Time // no login for this route until then
}

func (s *session) route(name string) *routeState {
	if s.routes == nil {
		s.routes = map[string]*routeState{}
	}
	of, ok := s.routes[name]
	if !ok {
		of = &routeState{}
		s.routes[name] = of
	}
	return of
}

// accept records that a route accepted a credential.
func (s *session) accept(c *credential, route string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.accepted == nil {
		c.accepted = map[string]bool{}
	}
	c.accepted[route] = true
	now := time.Now()
	s.life.accepted(now.Sub(c.issued))
	*s.route(route) = routeState{accepted: now}
}

// renew drops a credential that a route rejected, unless a newer one has replaced it already: a late 401 must not evict
// that one. It returns false if logging in again cannot help.
func (s *session) renew(c *credential, route string, rejection error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != c {
		return true
	}
	of := s.route(route)
	now := time.Now()
	switch {
	case errors.Is(rejection, ErrForbidden) && len(c.accepted) > 0 && !c.accepted[route]:
		// It works elsewhere: this login has no access to the route.
		return false
	case now.Before(of.until):
		return false
	case of.isLost(c, route, now) && !of.mayLoseMore(now):
		of.backOff(now, rejection)
		return false
	}
	if len(c.accepted) > 0 && !of.accepted.IsZero() {
		s.life.refused(now.Sub(c.issued)) // a route that never accepted a token is inconclusive
	}
	s.contested = now.Sub(c.issued) < freshFor && (len(c.accepted) > 0 || now.Sub(of.accepted) < lately)
	of.rejected = c
	s.current = nil
	return true
}

// isLost reports whether the route rejected a fresh credential that was issued on its behalf.
func (of *routeState) isLost(c *credential, route string, now time.Time) bool {
	return of.rejected != nil && !c.accepted[route] && (of.rejected == c || now.Sub(c.issued) < freshFor)
}

func (of *routeState) mayLoseMore(now time.Time) bool {
	of.lost++
	return now.Sub(of.accepted) < lately && of.lost < contested
}

// backOff starts a period without logins. The last rejected credential is forgotten, so that the first request
// afterwards tries a login again.
func (of *routeState) backOff(now time.Time, rejection error) {
	if of.backOffTime == 0 {
		of.backOffTime = firstBackOff
		if errors.Is(rejection, ErrForbidden) {
			of.backOffTime = firstBackOffForbidden
		}
	} else {
		of.backOffTime = min(2*of.backOffTime, longestBackOff)
	}
	of.until, of.rejected, of.lost = now.Add(of.backOffTime), nil, 0
}
