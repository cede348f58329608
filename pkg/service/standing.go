package service

import (
	"errors"
	"time"
)

const (
	// freshFor is how long a credential counts as just issued: rejected then, another one would fare no better.
	freshFor = 10 * time.Second
	// A route that rejects fresh credentials is not worth a login for a while, twice as long each time. A 403 is about
	// rights, which seldom change.
	firstRest          = 10 * time.Second
	firstRestForbidden = time.Minute
	longestRest        = 10 * time.Minute
	// lately is how long a route that accepted a request is known to work. Where it rejects a fresh credential all the
	// same, somebody else may have logged in meanwhile: another Grafana server, on a service that keeps one token.
	lately = time.Minute
	// contested is how many fresh credentials in a row may be lost to somebody else.
	contested = 3
)

// standing is how a route has taken credentials so far.
type standing struct {
	accepted time.Time   // the last request that it took
	rejected *credential // the last credential that it rejected
	lost     int         // fresh credentials rejected in a row
	rest     time.Duration
	until    time.Time // no login for this route before then
}

func (s *session) standing(route string) *standing {
	if s.routes == nil {
		s.routes = map[string]*standing{}
	}
	of, ok := s.routes[route]
	if !ok {
		of = &standing{}
		s.routes[route] = of
	}
	return of
}

// accept notes that a route took a credential.
func (s *session) accept(c *credential, route string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c.accepted == nil {
		c.accepted = map[string]bool{}
	}
	c.accepted[route] = true
	now := time.Now()
	s.life.accepted(now.Sub(c.issued))
	*s.standing(route) = standing{accepted: now}
}

// renew gives up a credential that a route rejected, unless a newer one has taken its place already: a late 401 must
// not throw that away. It reports false where logging in again cannot help.
func (s *session) renew(c *credential, route string, rejection error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != c {
		return true
	}
	of := s.standing(route)
	now := time.Now()
	switch {
	case errors.Is(rejection, ErrForbidden) && len(c.accepted) > 0 && !c.accepted[route]:
		// It works elsewhere: the route is not for this login.
		return false
	case now.Before(of.until):
		return false
	case of.isLost(c, route, now) && !of.mayLoseMore(now):
		of.restFrom(now, rejection)
		return false
	}
	if len(c.accepted) > 0 && !of.accepted.IsZero() {
		s.life.refused(now.Sub(c.issued)) // a route that never took a token says nothing of this one
	}
	s.contested = now.Sub(c.issued) < freshFor && (len(c.accepted) > 0 || now.Sub(of.accepted) < lately)
	of.rejected = c
	s.current = nil
	return true
}

// isLost says whether the route rejected a credential that came fresh from a login which the route had asked for.
func (of *standing) isLost(c *credential, route string, now time.Time) bool {
	return of.rejected != nil && !c.accepted[route] && (of.rejected == c || now.Sub(c.issued) < freshFor)
}

func (of *standing) mayLoseMore(now time.Time) bool {
	of.lost++
	return now.Sub(of.accepted) < lately && of.lost < contested
}

// restFrom begins a time without logins. What the route rejected last is forgotten, so that the first request after it
// tries a login again.
func (of *standing) restFrom(now time.Time, rejection error) {
	if of.rest == 0 {
		of.rest = firstRest
		if errors.Is(rejection, ErrForbidden) {
			of.rest = firstRestForbidden
		}
	} else {
		of.rest = min(2*of.rest, longestRest)
	}
	of.until, of.rejected, of.lost = now.Add(of.rest), nil, 0
}
