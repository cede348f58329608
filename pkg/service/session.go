package service

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
)

const (
	// failureMemory is how long a login that failed is answered from memory, so that a dashboard of many panels, or its
	// next refresh, does not knock again for each.
	failureMemory = 10 * time.Second
	// maxRenewals bounds the logins that one request may ask for.
	maxRenewals = 5
	// tokensKept is how many tokens are kept out of messages. A read in which more are given up fails before it tells.
	tokensKept = maxRenewals + 1
	// A login gives way to somebody else's for a time between these.
	shortestWay = 50 * time.Millisecond
	longestWay  = 500 * time.Millisecond
)

// credential is what a login gives: the two headers of every data request.
type credential struct {
	token        string
	organization string
	issued       time.Time
	// The names that token and organization have in the login's answer.
	tokenField, organizationField string
	// accepted are the routes that took it. It belongs to the session, and to its lock.
	accepted map[string]bool
}

// session keeps the credential that all requests of a data source use, and logs in when there is none.
type session struct {
	login func(context.Context) (*credential, error)
	life  *life

	logins flight.Group[*credential]

	mu      sync.Mutex
	current *credential
	// tokens are those of the latest logins, the current one last.
	tokens []string
	// failed is the last login, where it failed.
	failed struct {
		err   error
		until time.Time
	}
	routes map[string]*standing
	// contested says that the last credential worked, and was lost soon after.
	contested bool
}

// get returns the current credential, logging in when there is none. All who wait share one login.
func (s *session) get(ctx context.Context) (*credential, error) {
	if c, err := s.known(); c != nil || err != nil {
		return c, err
	}
	for {
		c, shared, err := s.logins.Do(ctx, "", s.renewed)
		// The allowance was that of whoever began the login.
		if !shared || !errors.Is(err, ErrAllowance) {
			return c, err
		}
	}
}

// renewed logs in.
func (s *session) renewed(ctx context.Context) (*credential, error) {
	// Another login may have ended since somebody looked.
	if c, err := s.known(); c != nil || err != nil {
		return c, err
	}
	if err := s.giveWay(ctx); err != nil {
		return nil, err
	}
	c, err := s.login(ctx)
	s.store(c, err)
	return c, err
}

// giveWay waits a moment where somebody else seems to log in too: two Grafana servers, each of whose logins ends the
// other's token, would otherwise take turns without ever getting an answer. The moment differs each time.
func (s *session) giveWay(ctx context.Context) error {
	s.mu.Lock()
	contested := s.contested
	s.contested = false
	s.mu.Unlock()
	if !contested {
		return nil
	}
	timer := time.NewTimer(shortestWay + rand.N(longestWay-shortestWay))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// latestTokens returns the tokens of the latest logins. What was read with one may be told after it was given up.
func (s *session) latestTokens() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.tokens)
}

func (s *session) known() (*credential, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		return s.current, nil
	}
	if s.failed.err != nil && time.Now().Before(s.failed.until) {
		return nil, s.failed.err
	}
	return nil, nil
}

func (s *session) store(c *credential, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.current, s.failed.err = c, nil
		s.tokens = append(s.tokens[max(0, len(s.tokens)+1-tokensKept):], c.token)
		return
	}
	// A failure of the way says nothing of the login: the next query tries at once. What the service answered, it
	// will answer again.
	var e *Error
	if errors.As(err, &e) && (e.Status > 0 || errors.Is(e, ErrLogin)) {
		s.failed.err, s.failed.until = err, time.Now().Add(failureMemory)
	}
}

// authorized runs send with the credential, and again with a fresh one where the service rejects it and logging in may
// help.
func (s *session) authorized(ctx context.Context, route string, send func(*credential) error) error {
	for renewals := 0; ; renewals++ {
		c, err := s.get(ctx)
		if err != nil {
			return err
		}
		err = send(c)
		if err == nil {
			s.accept(c, route)
			return nil
		}
		if !isRejection(err) || renewals == maxRenewals || !s.renew(c, route, err) {
			return err
		}
	}
}
