package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/sync/singleflight"
)

const (
	maxRenewals = 4                // logins for one request: several Grafana servers may share one token, which each login replaces
	tokensKept  = maxRenewals + 1  // of the latest logins, redacted from messages: as many as one request can use
	youngAge    = time.Minute      // the age before which no token expires. A 401 means that another login has invalidated it
	vainTime    = 10 * time.Minute // how long a failure that another token did not change is no reason for a login
	loginRest   = 10 * time.Second // how long a login that the service answered with a failure is not repeated for each panel
	// The random pause after a young token was rejected is at most so many times as long as a login, and so long, because all requests
	// wait for it. Without it, Grafana servers would invalidate each other's tokens before a request succeeds.
	contestedLogins, contestedPause = 16, 15 * time.Second

	loginPath   = "/api/v2/workspace/login" // where the specification ("Login") has the login
	loginLimit  = 1 << 20                   // far more than a token and an organization need, in bytes
	loginAdvice = " – check the login and key in the data source settings, and that the base URL is the address of the service"
)

// credential is the result of a login: the two headers of every data request.
type credential struct {
	token, organization string
	issued              time.Time
	took                time.Duration // the request for it
}

// failure is an answer of a route that may be about the token.
type failure struct {
	path   string
	status int
}

// session holds the credential that all requests of a data source share, and logs in when another one is needed.
type session struct {
	key     string
	logIn   func() (*credential, error)
	logins  singleflight.Group
	random  func(below time.Duration) time.Duration
	secrets atomic.Pointer[secrets] // the key and the tokens: text read with one may appear in a message after it was replaced

	mu        sync.Mutex
	current   *credential
	contested *credential           // the latest one that was rejected while it was young
	tokens    []string              // of the latest logins, the current one last
	failed    error                 // of the latest login
	until     time.Time             // when failed is forgotten
	vain      map[failure]time.Time // until when these are no reason for a login
}

// renews is the one rule of what is sent again with another token, after all attempts with the last one. A 401 rejects a
// token. Any other answer but what was requested, such as a 403, 500 or 503, a redirect to a login page, that page or nothing,
// may be about one that has expired: if another one does not help, it was not. An answer that breaks off was about none, and
// one that asks to wait (Retry-After) is about too much load, which a login and another attempt would add to.
func (s *session) renews(err error, path string, c *credential, renewals int) (isRenewed bool) {
	e, isAnswer := errors.AsType[*Error](err)
	if !isAnswer {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := failureOf(e, path)
	isOld, isVain := s.current != c || time.Since(c.issued) >= youngAge, time.Now().Before(s.vain[f])
	_, asksToWait := errors.AsType[*backoff.RetryAfterError](e)
	switch {
	case e.Status == 0 || e.Kind == ErrTooLarge || e.broken || asksToWait || renewals >= maxRenewals:
	case e.Status == http.StatusUnauthorized:
		isRenewed = isOld || !isVain
	default:
		isRenewed = isOld && !isVain && renewals == 0
	}
	switch {
	case !isRenewed && renewals > 0:
		s.vain[f] = time.Now().Add(vainTime)
	case isRenewed && !isOld:
		s.contested = c
	}
	return isRenewed
}

// failureOf returns an answer of a route. While a service is down, one failure follows another: all that pass count as the same.
func failureOf(e *Error, path string) failure {
	if isTransient(e) {
		return failure{path, http.StatusServiceUnavailable}
	}
	return failure{path, e.Status}
}

// notRenewed returns what to report if a login for another token failed, too: that login only if it was rejected, or if the token was.
// It remembers the failure of a route that is down: the login probably is, too, and would be tried for each panel.
func (s *session) notRenewed(failed error, path string, login error) error {
	e, _ := errors.AsType[*Error](failed)
	ofLogin, hasTried := errors.AsType[*Error](login)
	if hasTried && isTransient(e) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.vain[failureOf(e, path)] = time.Now().Add(vainTime)
	}
	if !hasTried || ofLogin.Kind == ErrLogin || e.Status == http.StatusUnauthorized {
		return login
	}
	return failed
}

// accepts remembers that a route has accepted a token: its next 401 is about the token.
func (s *session) accepts(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.vain, failure{path, http.StatusUnauthorized})
}

// after returns the credential that has replaced old, or that of a login, which all who wait share. It goes on if one leaves.
func (s *session) after(ctx context.Context, old *credential) (*credential, error) {
	for {
		if c, err := s.known(old); c != nil || err != nil {
			return c, err
		}
		login := s.logins.DoChan("", func() (_ any, err error) {
			defer Recover(&err)
			return nil, s.replace(old)
		})
		select {
		case got := <-login:
			if got.Err != nil {
				return nil, got.Err
			}
			// Otherwise, that login may have been for another token than old.
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// known returns the credential that has replaced old, or the error of the latest login while it is remembered, or neither.
func (s *session) known(old *credential) (*credential, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != old {
		return s.current, nil
	}
	if time.Now().Before(s.until) {
		return nil, s.failed
	}
	return nil, nil
}

func (s *session) pause(old *credential) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if old == nil || s.contested != old {
		return 0
	}
	return s.random(min(contestedLogins*old.took, contestedPause) + 1)
}

func (s *session) replace(old *credential) error {
	if c, err := s.known(old); c != nil || err != nil {
		return err
	}
	time.Sleep(s.pause(old))
	c, err := s.logIn()
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.current, s.until = c, time.Time{}
		s.tokens = append(s.tokens[max(0, len(s.tokens)+1-tokensKept):], c.token)
		s.secrets.Store(newSecrets(append([]string{s.key}, s.tokens...)...))
		return nil
	}
	// After a connection failure, the next query retries at once. A response of the service would repeat itself.
	if e, ok := errors.AsType[*Error](err); ok && (e.Status > 0 || e.Kind == ErrLogin) {
		s.failed, s.until = err, time.Now().Add(loginRest)
	}
	return err
}

// expire returns the current credential, and forgets that the latest login failed: one after it is a new one.
func (s *session) expire() *credential {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.until = time.Time{}
	return s.current
}

// logIn requests a credential, in the form that public clients use. The request has a context of its own: it goes on when a caller
// leaves, and no capture of a caller's requests may have the key and the token.
func (c *Client) logIn() (cred *credential, err error) {
	ctx := context.Background()
	err = c.retry(ctx, func() error {
		body, _ := json.Marshal(map[string]string{"login": c.config.Login, "key": c.config.Key}) // Texts always marshal.
		began := time.Now()
		r := &request{Request: Request{Path: loginPath, Usage: &Usage{}}, login: body}
		return c.fetch(ctx, r, func(a *response) error {
			raw, err := io.ReadAll(io.LimitReader(a, loginLimit))
			if err != nil {
				return err
			}
			if cred, err = c.readLogin(raw); err == nil {
				cred.took = time.Since(began)
			}
			return err
		})
	})
	return cred, err
}

// readLogin finds the token and the organization in a response. An error message repeats none of the secrets.
func (c *Client) readLogin(raw []byte) (*credential, error) {
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, ErrNotJSON
	}
	cred := &credential{
		token:        cmp.Or(text(fields["accessToken"]), text(fields["token"]), text(fields["access_token"])),
		organization: cmp.Or(c.config.Organization, label(fields["organizationLabel"]), label(fields["organization"]), label(fields["organizations"])),
		issued:       time.Now(),
	}
	var missing []string
	if cred.token == "" {
		if message := c.Quote(sentenceIn(fields)); message != "" {
			return nil, &Error{Kind: ErrLogin, Message: "the service rejected the login: " + message + loginAdvice}
		}
		missing = append(missing, "a token (accessToken, token, access_token)")
	}
	if cred.organization == "" {
		missing = append(missing, "an organization (organizationLabel, organization, organizations); set Organization in the data source settings to send your own")
	}
	if strings.ContainsFunc(cred.token+cred.organization, unicode.IsControl) {
		return nil, &Error{Kind: ErrLogin, Message: "the login succeeded, but its token or organization contains a control character, which no request can send: report it to whoever runs the service"}
	}
	if len(missing) > 0 {
		found := c.Quote(strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		advice, _ := c.baseURLAdvice()
		return nil, &Error{Kind: ErrLogin, Message: fmt.Sprintf("the login succeeded, but the response is missing %s. Its fields are: %s – if this is not the service, %s",
			strings.Join(missing, " and "), cmp.Or(found, "none"), advice)}
	}
	return cred, nil
}

// text returns a text without the spaces around it, which no header has.
func text(value any) string {
	text, _ := value.(string)
	return strings.TrimSpace(text)
}

// label returns a text, or the label of an object or of the first element of a list.
func label(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return cmp.Or(text(v["label"]), text(v["organizationLabel"]))
	case []any:
		if len(v) > 0 {
			return label(v[0])
		}
	}
	return text(value)
}

// loginError explains a rejected login. what describes the response, and message is the service's own one.
func (c *Client) loginError(a *response, what, message string, isPage bool) *Error {
	address := c.URL(a.to.Path, nil)
	advice, hasRoute := c.baseURLAdvice()
	said := "the service rejected the login: " + cmp.Or(message, what) + loginAdvice
	responded := ""
	if message != "" {
		responded = ". The server responded: " + message
	}
	switch {
	case a.StatusCode == http.StatusNotFound || a.StatusCode == http.StatusMethodNotAllowed:
		said = fmt.Sprintf("there is no login route at %s (%d): %s", address, a.StatusCode, advice) + responded
	case isPage:
		said = fmt.Sprintf("the login at %s was answered by an HTML page instead of the service (%d): check the base URL, and any proxy in between",
			c.host(), a.StatusCode) + responded
	case hasRoute:
		said += fmt.Sprintf(". If there is no login route at %s, %s", address, advice)
	}
	return &Error{Kind: ErrLogin, Status: a.StatusCode, Cause: errors.New(what), Message: said}
}
