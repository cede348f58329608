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
	// failureMemory is how long a failed login is cached, so that a dashboard of many panels does not repeat it for each.
	failureMemory = 10 * time.Second
	// maxRenewals bounds the logins that one request may wait for.
	maxRenewals = 5
	// tokensKept is how many tokens are redacted from messages. A read that uses up more tokens fails.
	tokensKept = maxRenewals + 1
	// fresh is the age up to which a credential counts as just issued. If it is rejected, another client may have logged
	// in: another Grafana server, on a service that keeps one token.
	fresh = 10 * time.Second
	// lately is how long a route, or a credential, that was accepted is known to work.
	lately = time.Minute
	// contested is how many credentials in a row a route may reject before logins back off, if it worked lately.
	contested = 3
	// The range of the back-off of a route that rejects new credentials: twice as long each time.
	firstBackOff   = 30 * time.Second
	longestBackOff = 10 * time.Minute
)

// credential is the result of a login: the two headers of every data request.
type credential struct {
	token        string
	organization string
	issued       time.Time
	accepted     time.Time // latest, by any route; guarded by the session's lock
}

// route is what a route made of the credentials so far.
type route struct {
	by       *credential   // the latest that it accepted
	accepted time.Time     // when
	rejected int           // other credentials in a row
	backOff  time.Duration // the latest
	until    time.Time     // no login for this route until then
}

// session holds the credential that all requests of a data source share, and logs in when there is none.
type session struct {
	key    string
	login  func(context.Context) (*credential, error)
	logins singleflight.Group
	// secrets redacts the key and the tokens: text read with one may appear in a message after it was replaced.
	secrets atomic.Pointer[secrets]

	mu      sync.Mutex
	current *credential
	tokens  []string // of the latest logins, the current one last
	routes  map[string]route
	// notBefore is when the next login may be sent. Until then, requests wait, or get the error of the last one.
	notBefore time.Time
	failed    error
	waiting   int                // requests that wait for the login
	abandon   context.CancelFunc // ends it
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

// get returns the current credential, logging in if there is none. Concurrent callers share one login, which ends when
// the last of them leaves.
func (s *session) get(ctx context.Context) (*credential, error) {
	s.join()
	defer s.leave()
	for {
		if c, _, err := s.known(); c != nil || err != nil {
			return c, err
		}
		isMine := false
		result := s.logins.DoChan("", func() (_ any, err error) {
			isMine = true
			defer Recover(&err)
			return s.logInOnce(s.detached(ctx))
		})
		select {
		case got := <-result:
			// The allowance belongs to the caller that started the login.
			if isMine || !errors.Is(got.Err, ErrAllowance) {
				c, _ := got.Val.(*credential)
				return c, got.Err
			}
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (s *session) join() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting++
}

func (s *session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting--
	s.endUnawaited()
}

// endUnawaited ends the login if nobody waits for it anymore: the next request starts another one. The session must be
// locked.
func (s *session) endUnawaited() {
	if s.waiting == 0 && s.abandon != nil {
		s.abandon()
		s.abandon = nil
		s.logins.Forget("")
	}
}

// detached returns the context of a login, which ends when nobody waits for it.
func (s *session) detached(ctx context.Context) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, s.abandon = context.WithCancel(context.WithoutCancel(ctx))
	s.endUnawaited()
	return ctx
}

// logInOnce logs in when it may, unless another login succeeded or failed meanwhile.
func (s *session) logInOnce(ctx context.Context) (*credential, error) {
	c, wait, err := s.known()
	if c != nil || err != nil {
		return c, err
	}
	if err := sleep(ctx, wait); err != nil {
		return nil, err
	}
	c, err = s.login(ctx)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx) // Another login may have begun.
	}
	s.store(c, err)
	return c, err
}

// known returns the current credential, or the error of the last login while it is cached, or else how long to wait
// before the next one.
func (s *session) known() (*credential, time.Duration, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	wait := time.Until(s.notBefore)
	if s.current == nil && s.failed != nil && wait > 0 {
		return nil, 0, s.failed
	}
	return s.current, wait, nil
}

func (s *session) store(c *credential, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.current, s.failed, s.notBefore = c, nil, time.Time{}
	if err == nil {
		s.tokens = append(s.tokens[max(0, len(s.tokens)+1-tokensKept):], c.token)
		s.secrets.Store(newSecrets(append([]string{s.key}, s.tokens...)...))
		return
	}
	// A connection failure says nothing about the login, so the next query retries at once. A response of the service
	// would repeat itself.
	var e *Error
	if errors.As(err, &e) && (e.Status > 0 || errors.Is(e, ErrLogin)) {
		s.failed, s.notBefore = err, time.Now().Add(failureMemory)
	}
}

// accept records that a route accepted a credential.
func (s *session) accept(c *credential, name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.accepted = time.Now()
	s.routes[name] = route{by: c, accepted: c.accepted}
}

// renew drops a credential that a route rejected, unless a newer one has replaced it already: a late rejection must not
// evict that one. It returns false if logging in again cannot help.
func (s *session) renew(c *credential, name string, rejection error) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != c {
		return true
	}
	now, of := time.Now(), s.routes[name]
	if of.by != c {
		// If no route accepted it lately, a 403 may mean that it expired. Otherwise, this login may not use the route.
		if errors.Is(rejection, ErrForbidden) && now.Sub(c.accepted) < lately || now.Before(of.until) {
			return false
		}
		s.routes[name] = of.rejects(now)
	}
	s.current = nil
	if now.Sub(c.issued) < fresh {
		// Two clients that log in at the same pace would invalidate each other's tokens before they are used.
		s.notBefore = now.Add(50*time.Millisecond + rand.N(450*time.Millisecond))
	}
	return true
}

// rejects counts a rejected credential: it is worth one login, and a few if the route worked lately. Afterwards, logins
// on its behalf back off.
func (of route) rejects(now time.Time) route {
	of.rejected++
	if of.rejected < contested && now.Sub(of.accepted) < lately {
		return of
	}
	of.backOff = min(max(firstBackOff, 2*of.backOff), longestBackOff)
	of.until = now.Add(of.backOff)
	return of
}
