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
	// failureMemory is how long a failed login is cached, so that a dashboard of many panels, or its next refresh, does
	// not repeat it for each.
	failureMemory = 10 * time.Second
	// maxRenewals bounds the logins that one request may ask for.
	maxRenewals = 5
	// tokensKept is how many tokens are redacted from messages. A read that uses up more tokens fails.
	tokensKept = maxRenewals + 1
	// The range of the random delay before a login that competes with another client.
	shortestDelay = 50 * time.Millisecond
	longestDelay  = 500 * time.Millisecond
)

// credential is the result of a login: the two headers of every data request.
type credential struct {
	token        string
	organization string
	issued       time.Time
	// The field names of token and organization in the login response.
	tokenField, organizationField string
	// accepted are the routes that accepted it. It is guarded by the session's lock.
	accepted map[string]bool
}

// session holds the credential that all requests of a data source share, and logs in when there is none.
type session struct {
	login func(context.Context) (*credential, error)
	life  *tokenLife

	logins flight.Group[*credential]

	mu      sync.Mutex
	current *credential
	// tokens are those of the latest logins, the current one last.
	tokens []string
	// failed is the last login, if it failed.
	failed struct {
		err   error
		until time.Time
	}
	routes map[string]*routeState
	// contested reports that the last credential worked and was lost soon after.
	contested bool
}

// get returns the current credential, logging in if there is none. Concurrent callers share one login.
func (s *session) get(ctx context.Context) (*credential, error) {
	if c, err := s.known(); c != nil || err != nil {
		return c, err
	}
	for {
		c, shared, err := s.logins.Do(ctx, "", s.renewed)
		// The allowance belongs to the caller that started the login.
		if !shared || !errors.Is(err, ErrAllowance) {
			return c, err
		}
	}
}

// renewed logs in, unless another login succeeded meanwhile.
func (s *session) renewed(ctx context.Context) (*credential, error) {
	// Another login may have finished in the meantime.
	if c, err := s.known(); c != nil || err != nil {
		return c, err
	}
	if err := s.waitForCompetitor(ctx); err != nil {
		return nil, err
	}
	c, err := s.login(ctx)
	s.store(c, err)
	return c, err
}

// waitForCompetitor waits for a random delay if another client seems to log in, too: two Grafana servers, each of whose logins
// invalidates the other's token, would otherwise alternate without ever getting a response.
func (s *session) waitForCompetitor(ctx context.Context) error {
	s.mu.Lock()
	contested := s.contested
	s.contested = false
	s.mu.Unlock()
	if !contested {
		return nil
	}
	timer := time.NewTimer(shortestDelay + rand.N(longestDelay-shortestDelay))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// latestTokens returns the tokens of the latest logins. Text read with one may appear in a message after it was
// replaced.
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
	// A connection failure says nothing about the login, so the next query retries at once. A response of the service
	// would repeat itself.
	var e *Error
	if errors.As(err, &e) && (e.Status > 0 || errors.Is(e, ErrLogin)) {
		s.failed.err, s.failed.until = err, time.Now().Add(failureMemory)
	}
}

// authorized runs send with the credential, and again with a new one if the service rejects it and another login may
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
