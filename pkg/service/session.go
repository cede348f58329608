package service

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"
)

const (
	// failureMemory is how long a failed login is remembered, so that a dashboard of many panels does not repeat it for
	// each.
	failureMemory = 10 * time.Second
	// contestedLogins is how many times as long as a login the pause before the next one is at most, if the last token was
	// rejected while it was young: another Grafana server may have logged in to a service that keeps one token. Without a
	// random pause in which several requests succeed, both would invalidate each other's tokens before they are used.
	contestedLogins = 8
	// contestedPause bounds that pause: all requests wait for it, and after a slow login nobody would wait for eight such.
	contestedPause = 15 * time.Second
	// tokensKept is how many tokens are redacted from messages: as many as one request can use.
	tokensKept = maxRenewals + 1
)

// credential is the result of a login: the two headers of every data request.
type credential struct {
	token        string
	organization string
	issued       time.Time
	took         time.Duration // the request for it
}

// session holds the credential that all requests of a data source share, and logs in when there is none.
type session struct {
	key    string
	logIn  func(context.Context) (*credential, error)
	logins singleflight.Group
	// secrets redacts the key and the tokens: text read with one may appear in a message after it was replaced.
	secrets atomic.Pointer[secrets]

	mu      sync.Mutex
	current *credential
	latest  *credential // current, or the one that was rejected last
	tokens  []string    // of the latest logins, the current one last
	failed  error       // of the latest login
	until   time.Time   // when failed is forgotten
}

// get returns the current credential, logging in if there is none. Concurrent callers share one login, which goes on
// when one of them leaves.
func (s *session) get(ctx context.Context) (*credential, error) {
	if c, err := s.cached(); c != nil || err != nil {
		return c, err
	}
	result := s.logins.DoChan("", func() (_ any, err error) {
		defer Recover(&err)
		return s.logInOnce(context.WithoutCancel(ctx))
	})
	select {
	case got := <-result:
		c, _ := got.Val.(*credential)
		return c, got.Err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// logInOnce logs in, unless another login ended meanwhile.
func (s *session) logInOnce(ctx context.Context) (*credential, error) {
	if c, err := s.cached(); c != nil || err != nil {
		return c, err
	}
	if last := s.latest; last != nil && time.Since(last.issued) < youngAge {
		time.Sleep(rand.N(min(contestedLogins*last.took, contestedPause) + 1)) // #nosec G404 -- a pause is no secret
	}
	c, err := s.logIn(ctx)
	s.store(c, err)
	return c, err
}

// cached returns the current credential, or the error of the latest login while it is remembered, or neither.
func (s *session) cached() (*credential, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil && time.Now().Before(s.until) {
		return nil, s.failed
	}
	return s.current, nil
}

func (s *session) store(c *credential, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.current, s.latest = c, c
		s.tokens = append(s.tokens[max(0, len(s.tokens)+1-tokensKept):], c.token)
		s.secrets.Store(newSecrets(append([]string{s.key}, s.tokens...)...))
		return
	}
	// A connection failure says nothing about the login, so the next query retries at once. A response of the service
	// would repeat itself.
	var e *Error
	if errors.As(err, &e) && (e.Status > 0 || errors.Is(e, ErrLogin)) {
		s.failed, s.until = err, time.Now().Add(failureMemory)
	}
}

// drop forgets a credential that the service rejected, unless a newer one has replaced it already.
func (s *session) drop(c *credential) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == c {
		s.current = nil
	}
}
