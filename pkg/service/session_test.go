package service

import (
	"context"
	"hash/crc32"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A panic in a login fails its callers, and crashes neither them nor the plugin.
func TestPanicInALoginIsAnError(t *testing.T) {
	s := &session{logIn: func() (*credential, error) { panic("broken") }}
	_, err := s.after(t.Context(), nil)
	require.ErrorContains(t, err, "broken")
	s.logIn = func() (*credential, error) { return &credential{token: "t"}, nil }
	c, err := s.after(t.Context(), nil)
	require.NoError(t, err)
	assert.Equal(t, "t", c.token)
}

// slowly sends each request and its response in a random time. It follows from who sends it, and how often before, so that a
// test takes the same course however its goroutines take turns.
func slowly(c *Client, seed uint64, least time.Duration) {
	var mu sync.Mutex
	sent, next := map[string]uint64{}, c.http.Transport
	c.http.Transport = roundTripper(func(r *http.Request) (*http.Response, error) {
		mu.Lock()
		sent[r.URL.String()]++
		random := rand.New(rand.NewPCG(seed<<32+uint64(crc32.ChecksumIEEE([]byte(r.URL.RequestURI()))), sent[r.URL.String()]))
		mu.Unlock()
		travel := func() { time.Sleep(least + time.Duration(random.Int64N(int64(least)))) }
		travel()
		defer travel()
		return next.RoundTrip(r)
	})
	random := rand.New(rand.NewPCG(seed, 0))
	c.session.random = func(below time.Duration) time.Duration { return time.Duration(random.Int64N(int64(below))) }
}

// Grafana servers with one login, on a service that keeps one token for it: each login invalidates the token of the others.
func TestClientsThatInvalidateEachOthersToken(t *testing.T) {
	for name, test := range map[string]struct {
		servers int
		panels  int
		travels time.Duration // at least, and at most twice as long
		most    int           // of 10,000 requests that may fail
	}{
		"two, nearby":               {2, panels, 5 * time.Millisecond, 0},
		"four with rules, nearby":   {4, 1, 5 * time.Millisecond, 0},
		"two, round trips of 1-2 s": {2, panels, 500 * time.Millisecond, 0},
		// Chance may let a request meet the logins of the others each time.
		"three, round trips of 1-2 s": {3, panels, 500 * time.Millisecond, 50},
	} {
		t.Run(name, func(t *testing.T) {
			seeds := uint64(30)
			if testing.Short() {
				seeds = 8
			}
			var failed, all atomic.Int64
			for seed := range seeds {
				synctest.Test(t, func(t *testing.T) {
					f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
					var servers sync.WaitGroup
					for n := range test.servers {
						c := startInBubble(t, f)
						slowly(c, seed<<8+uint64(n), test.travels)
						servers.Go(func() {
							for range 3 {
								for _, err := range askAtOnce(c, test.panels) {
									all.Add(1)
									if err != nil {
										assert.ErrorIs(t, err, ErrUnauthorized)
										failed.Add(1)
									}
								}
							}
						})
					}
					servers.Wait()
				})
			}
			assert.LessOrEqual(t, 10_000*failed.Load(), int64(test.most)*all.Load(), "%d of %d", failed.Load(), all.Load())
		})
	}
}

// After a moment in which every token was rejected, they get their rows again.
func TestMomentWithoutAnyToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().On(tasksPath, servicetest.Status(401, ``))
		a, b := startInBubble(t, f), startInBubble(t, f)
		require.Error(t, askAtOnce(a, 1)[0])
		f.Data(tasksPath, servicetest.OK(threeTasks))
		time.Sleep(youngAge)
		for range 3 {
			requireNoErrors(t, append(askAtOnce(a, 1), askAtOnce(b, 1)...))
		}
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// All callers share one login, which goes on when one of them leaves.
func TestOneLoginForAllCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		open := make(chan struct{})
		f.On(loginPath, func(w http.ResponseWriter, r *http.Request) {
			<-open
			f.LogIn(w, r)
		})
		c := startInBubble(t, f)
		ctx, leave := context.WithCancel(t.Context())
		first, others := make(chan error, 1), make(chan []error, 1)
		go func() {
			_, err := ask(ctx, c, 1)
			first <- err
		}()
		synctest.Wait()
		go func() { others <- askAtOnce(c, panels) }()
		synctest.Wait()
		leave()
		require.ErrorIs(t, <-first, context.Canceled)
		assert.Zero(t, f.Count(tasksPath))
		close(open)
		requireNoErrors(t, <-others)
		assert.Equal(t, 1, f.Count(loginPath))
		assert.Equal(t, panels, f.Count(tasksPath))
	})
}

// The login route would give the next panel the same response. A connection that broke has not answered.
func TestFailedLoginIsRemembered(t *testing.T) {
	for name, test := range map[string]struct {
		answer   http.HandlerFunc
		attempts int
	}{
		"401":      {servicetest.Status(401, `{"message":"Invalid credentials"}`), 1},
		"HTML":     {servicetest.OK(`<html>hello</html>`), 1},
		"no token": {servicetest.OK(`{"user":"robot"}`), 1},
		"503":      {servicetest.Status(503, ``), maxTries},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(loginPath, test.answer)
			c := startInBubble(t, f)
			first := askAtOnce(c, panels)
			require.Error(t, first[0])
			require.Equal(t, test.attempts, f.Count(""), "one login for all panels: %s", name)
			f.On(loginPath, f.LogIn)
			time.Sleep(loginRest - time.Second)
			for _, err := range askAtOnce(c, panels) {
				require.EqualError(t, err, first[0].Error())
			}
			time.Sleep(time.Second)
			requireNoErrors(t, askAtOnce(c, panels))
			assert.Equal(t, test.attempts+1, f.Count(loginPath), name)
		})
	}
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(loginPath, servicetest.Drop)
		c := startInBubble(t, f)
		require.ErrorIs(t, askAtOnce(c, 1)[0], ErrConnection)
		f.On(loginPath, f.LogIn)
		requireNoErrors(t, askAtOnce(c, 1))
	})
}

// The rule of which failure another token may explain.
func TestRenews(t *testing.T) {
	const old, young = youngAge, youngAge - 1
	asksToWait := &backoff.RetryAfterError{}
	for name, test := range map[string]struct {
		failed           Error
		age              time.Duration
		replaced, inVain bool
		renewals         int
		want             bool
	}{
		"401 to an old token":                     {failed: Error{Status: 401}, age: old, want: true},
		"401 to a young one: others log in, too":  {failed: Error{Status: 401}, age: young, want: true},
		"401 to a young one, in vain lately":      {failed: Error{Status: 401}, age: young, inVain: true},
		"401 to an old one, in vain lately":       {failed: Error{Status: 401}, age: old, inVain: true, want: true},
		"401 late, to one that has been replaced": {failed: Error{Status: 401}, age: young, inVain: true, replaced: true, want: true},
		"401 once more":                           {failed: Error{Status: 401}, age: young, renewals: 1, want: true},
		"401 to the last":                         {failed: Error{Status: 401}, age: old, replaced: true, renewals: maxRenewals},
		"500 to an old token":                     {failed: Error{Status: 500}, age: old, want: true},
		"500 to a young one":                      {failed: Error{Status: 500}, age: young},
		"500 to an old token, in vain lately":     {failed: Error{Status: 500}, age: old, inVain: true},
		"500 to one that has been replaced":       {failed: Error{Status: 500}, age: young, replaced: true, want: true},
		"500 once more":                           {failed: Error{Status: 500}, age: young, replaced: true, renewals: 1},
		"no answer":                               {failed: Error{}, age: old},
		"429 that asks to wait":                   {failed: Error{Status: 429, Cause: asksToWait}, age: old},
		"503 that asks to wait":                   {failed: Error{Status: 503, Cause: asksToWait}, age: old},
		"too large":                               {failed: Error{Kind: ErrTooLarge, Status: 200}, age: old},
		"broken off":                              {failed: Error{Status: 200, broken: true}, age: old},
	} {
		synctest.Test(t, func(t *testing.T) {
			c := &credential{issued: time.Now().Add(-test.age), took: 25 * time.Second}
			s := &session{current: c, vain: map[failure]time.Time{}, random: func(below time.Duration) time.Duration { return below - 1 }}
			if test.replaced {
				s.current = &credential{}
			}
			if test.inVain {
				s.vain[failureOf(&test.failed, tasksPath)] = time.Now().Add(1)
			}
			assert.Equal(t, test.want, s.renews(&test.failed, tasksPath, c, test.renewals), name)
			pause := time.Duration(0) // before another login, if servers contest each other's
			if test.want && test.age == young && !test.replaced {
				pause = contestedPause
			}
			assert.Equal(t, pause, s.pause(c), name)
		})
	}
}

// ways are the ways in which services tell that a token has expired.
var ways = map[string]http.HandlerFunc{
	"400":               servicetest.Status(400, `{"message":"Token expired"}`),
	"401":               servicetest.Status(401, `{"message":"Token expired"}`),
	"401, asks to wait": servicetest.Status(401, ``, "Retry-After", "3600"),
	"403":               servicetest.Status(403, `{"message":"Access Denied"}`),
	"403, asks to wait": servicetest.Status(403, ``, "Retry-After", "0"),
	"404":               servicetest.Status(404, `{"message":"No such session"}`),
	"408":               servicetest.Status(408, ``),
	"419":               servicetest.Status(419, ``),
	"429":               servicetest.Status(429, `{"message":"No session"}`),
	"440":               servicetest.Status(440, `Login Time-out`),
	"498":               servicetest.Status(498, `{"message":"Invalid token"}`),
	"500":               servicetest.Status(500, `{"message":"ExpiredJwtException"}`),
	"502":               servicetest.Status(502, `<html>bad gateway</html>`),
	"503":               servicetest.Status(503, `{"message":"No session"}`),
	"504":               servicetest.Status(504, ``),
	"a login page":      servicetest.OK(`<html><title>Sign in</title></html>`),
	"nothing":           servicetest.OK(``),
	"205":               servicetest.Status(205, ``),
	"an error with 200": servicetest.OK(`{"error":"Token expired"}`),
	"a redirect":        redirectTo(302, "/signin"),
	"a redirect away":   redirectTo(302, "https://sso.invalid/signin"),
	"redirects forever": redirectTo(302, tasksPath),
}

// A board that runs for days gets its rows, with one login for all of its panels, whatever says that the token has expired.
func TestSessionThatDied(t *testing.T) {
	for way, told := range ways {
		for _, slots := range []int{1, panels} {
			synctest.Test(t, func(t *testing.T) {
				dead := ""
				f := servicetest.New().On("/signin", servicetest.OK(`<html>`))
				f.On(tasksPath, func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("token") == dead {
						told(w, r)
						return
					}
					servicetest.OK(threeTasks)(w, r)
				})
				c := startInBubble(t, f, func(c *Config) { c.MaxConcurrent = slots })
				requireNoErrors(t, askAtOnce(c, 1))
				for expiry := range 3 {
					time.Sleep(youngAge)
					dead = servicetest.Token(1 + expiry)
					requireNoErrors(t, askAtOnce(c, panels))
					requireNoErrors(t, askAtOnce(c, panels))
					require.Equal(t, 2+expiry, f.Count(loginPath), way)
				}
			})
		}
	}
}

// A service that keeps failing is not logged in to for each panel and each look, and a route that does is not in the way of
// the others.
func TestServiceThatKeepsFailing(t *testing.T) {
	for way, told := range ways {
		bubble(t, way, func(t *testing.T) {
			f := servicetest.New().On(tasksPath, told).On("/signin", servicetest.OK(`<html>`)).Data(runnersPath, servicetest.OK(threeTasks))
			c := startInBubble(t, f)
			slowly(c, 1, 5*time.Millisecond)
			look := func() {
				for _, err := range askAtOnce(c, panels) {
					require.Error(t, err)
				}
			}
			look()
			first := f.Count(loginPath)
			logins, rejects := 1, strings.HasPrefix(way, "401")
			if rejects {
				logins += maxRenewals
			}
			require.Equal(t, logins, first)
			for range 10 {
				look()
			}
			require.Equal(t, first, f.Count(loginPath))
			for range 9 {
				time.Sleep(youngAge)
				look()
			}
			if !rejects {
				require.Equal(t, 2, f.Count(loginPath), "once for each, until it may have been mended")
			}
			f.Expire()
			_, err := askFor(t.Context(), c, Request{Path: runnersPath})
			require.NoError(t, err)
		})
	}
}

// A service that is down for long, its login too, is logged in to once in a while for each route: neither for each panel and
// look, nor for each status that alternates. One that asks to wait gets no login at all.
func TestServiceThatIsDown(t *testing.T) {
	for name, test := range map[string]struct {
		login  http.HandlerFunc // nil: works
		header []string
		logins int // requests for one, in 25 minutes
	}{
		"all of it":              {servicetest.Status(503, ``), nil, 3 * maxTries},
		"its connections, too":   {servicetest.Drop, nil, 3 * maxTries},
		"all but the login":      {nil, nil, 3},
		"and asks to wait":       {nil, []string{"Retry-After", "60"}, 0},
		"a login that says that": {servicetest.Status(503, ``, "Retry-After", "60"), nil, 3},
	} {
		bubble(t, name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
			c := startInBubble(t, f)
			requireNoErrors(t, askAtOnce(c, 1))
			time.Sleep(youngAge)
			if test.login != nil {
				f.On(loginPath, test.login)
			}
			before := f.Count(loginPath)
			for began := time.Now(); time.Since(began) < 25*time.Minute; time.Sleep(time.Minute) {
				f.On(tasksPath, servicetest.Status(502+rand.IntN(3), ``, test.header...))
				for _, err := range askAtOnce(c, 6) {
					require.Error(t, err)
				}
			}
			assert.Equal(t, test.logins, f.Count(loginPath)-before)
		})
	}
}

// What an old token may explain is reported as it is, if no login tells: only one that is rejected explains it.
func TestFailureWithoutAnotherToken(t *testing.T) {
	for status, says := range map[int]string{503: "too many days", 429: "too many days", 401: "Key revoked"} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
			c := startInBubble(t, f)
			requireNoErrors(t, askAtOnce(c, 1))
			time.Sleep(youngAge)
			f.On(tasksPath, servicetest.Status(400, `{"message":"too many days"}`)).On(loginPath, servicetest.Status(status, `{"message":"Key revoked"}`))
			require.ErrorContains(t, askAtOnce(c, 1)[0], says)
		})
	}
}

// Whoever tests a login wants to know whether it works now.
func TestLoginAlwaysLogsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		c := startInBubble(t, f)
		for n := range 3 {
			_, err := c.Login(t.Context())
			require.NoError(t, err)
			requireNoErrors(t, askAtOnce(c, panels))
			assert.Equal(t, n+1, f.Count(loginPath))
		}
		f.On(loginPath, servicetest.InTurn(servicetest.Status(401, ``), f.LogIn))
		_, err := c.Login(t.Context())
		require.ErrorIs(t, err, ErrLogin)
		requireNoErrors(t, askAtOnce(c, panels))
		_, err = c.Login(t.Context())
		require.NoError(t, err)
	})
}
