package service

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
)

// refusalMemory is how long a refused login is answered from memory, so that a dashboard of many panels, or its
// next refresh, does not knock again for each.
const refusalMemory = 10 * time.Second

// credential is what a login gives: the two headers of every data request.
type credential struct {
	token        string
	organization string
	// renewed is when it took the place of a refused one; zero where it did not.
	renewed time.Time
	// accepted says that the service has taken it at least once.
	accepted atomic.Bool
}

// session keeps the credential that all requests of a data source use, and logs in when there is none.
type session struct {
	login func(context.Context) (*credential, error)

	logins flight.Group[*credential]

	mu      sync.Mutex
	current *credential
	renew   bool // the next login follows a refusal
	// refused is the last refusal: of a login, or of a credential that came fresh from one.
	refused struct {
		err   error
		of    *credential
		until time.Time
	}
}

// get returns the current credential, logging in when there is none. All who wait share one login.
func (s *session) get(ctx context.Context) (*credential, error) {
	if c, err := s.known(); c != nil || err != nil {
		return c, err
	}
	c, _, err := s.logins.Do(ctx, "", func(ctx context.Context) (*credential, error) {
		// Another login may have ended between the look above and this one.
		if c, err := s.known(); c != nil || err != nil {
			return c, err
		}
		c, err := s.login(ctx)
		s.store(c, err)
		return c, err
	})
	return c, err
}

func (s *session) known() (*credential, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil {
		return s.current, nil
	}
	if s.refused.of == nil && s.refused.err != nil && time.Now().Before(s.refused.until) {
		return nil, s.refused.err
	}
	return nil, nil
}

func (s *session) store(c *credential, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		if s.renew {
			c.renewed, s.renew = time.Now(), false
		}
		s.current = c
		return
	}
	if errors.Is(err, ErrLogin) {
		s.refused.err, s.refused.of, s.refused.until = err, nil, time.Now().Add(refusalMemory)
	}
}

// drop gives up a credential that the service refused, unless a newer one has taken its place already: a late 401
// must not throw that away. It reports false where logging in again cannot help, because this very credential was
// fresh when it was refused, a moment ago.
func (s *session) drop(c *credential) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	fresh := !c.accepted.Load() && time.Since(c.renewed) < refusalMemory
	if fresh || s.refused.of == c && time.Now().Before(s.refused.until) {
		return false
	}
	if s.current == c {
		s.current, s.renew = nil, true
	}
	return true
}

// refuse remembers that a credential was refused though it came fresh from a login.
func (s *session) refuse(c *credential, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused.err, s.refused.of, s.refused.until = err, c, time.Now().Add(refusalMemory)
}

// authorized runs send with the credential; when the service refuses it, once more with a fresh one.
func (s *session) authorized(ctx context.Context, send func(*credential) error) error {
	c, err := s.get(ctx)
	if err != nil {
		return err
	}
	err = c.try(send)
	if !isRefusal(err) || !s.drop(c) {
		return err
	}
	if c, loginErr := s.get(ctx); loginErr != nil {
		return loginErr
	} else if err = c.try(send); isRefusal(err) {
		s.refuse(c, err)
	}
	return err
}

// try runs send with the credential, and notes when the service took it.
func (c *credential) try(send func(*credential) error) error {
	err := send(c)
	if err == nil {
		c.accepted.Store(true)
	}
	return err
}
