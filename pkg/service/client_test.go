package service

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

const (
	tasksPath   = servicetest.TasksPath
	runnersPath = servicetest.RunnersPath
)

var threeTasks = servicetest.Envelope(servicetest.TaskRange(1, 3), 0, 20)

func testConfig(base string, change ...func(*Config)) Config {
	config := Config{BaseURL: base, Login: servicetest.Login, Key: servicetest.Key, Timeout: time.Minute, MaxConcurrent: 8}
	for _, change := range change {
		change(&config)
	}
	return config
}

func start(t *testing.T, f *servicetest.Fake, change ...func(*Config)) *Client {
	t.Helper()
	return newClient(t, f.Start(t), change...)
}

// bubble runs a test in a bubble of synctest.
func bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

func newClient(t *testing.T, server *httptest.Server, change ...func(*Config)) *Client {
	t.Helper()
	httpClient := server.Client()
	httpClient.Timeout = time.Minute
	c := New(testConfig(server.URL, change...), httpClient)
	t.Cleanup(httpClient.CloseIdleConnections)
	return c
}

// startInBubble serves in memory; to be used inside synctest.Test.
func startInBubble(t *testing.T, f *servicetest.Fake, change ...func(*Config)) *Client {
	t.Helper()
	address, httpClient := f.StartInBubble(t)
	c := New(testConfig(address, change...), httpClient)
	t.Cleanup(httpClient.CloseIdleConnections)
	return c
}

func tasksRequest(days, page int) Request {
	return Request{Path: tasksPath, Query: url.Values{"days": {strconv.Itoa(days)}, "page": {strconv.Itoa(page)}}}
}

func ask(ctx context.Context, c *Client, days int) ([]int64, error) {
	return askFor(ctx, c, tasksRequest(days, 0))
}

// askFor decodes an envelope with encoding/json. It quotes what it cannot decode: the client must redact and shorten that.
func askFor(ctx context.Context, c *Client, r Request) (ids []int64, err error) {
	err = c.Get(ctx, r, func(body io.Reader) error {
		raw, err := io.ReadAll(body)
		if err != nil {
			return err
		}
		var page struct {
			Content                   *[]struct{ ID int64 }
			TotalElements, TotalPages int
		}
		if err := json.Unmarshal(raw, &page); err != nil || page.Content == nil {
			return fmt.Errorf("%w: %s", ErrNotJSON, raw)
		}
		ids = nil
		for _, row := range *page.Content {
			ids = append(ids, row.ID)
		}
		return nil
	})
	return ids, err
}

const panels = 24

func askAtOnce(c *Client, n int) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			time.Sleep(time.Duration(i)) // In a bubble, one after the other.
			_, errs[i] = ask(context.Background(), c, i+1)
		})
	}
	wg.Wait()
	return errs
}

// The middle of a request is compared with the date of its response, unless that is one of a cache.
func TestClock(t *testing.T) {
	answered := time.Date(2026, time.November, 20, 10, 0, 1, 0, time.UTC)
	for date, want := range map[string]any{
		"Fri, 20 Nov 2026 10:00:00 GMT": time.Duration(0), "Fri, 20 Nov 2026 10:05:00 GMT": 5 * time.Minute, "Fri, 20 Nov 2026 09:00:00 GMT": -time.Hour,
		"": nil, "yesterday": nil,
	} {
		ahead, ok := clockAhead(http.Header{"Date": {date}}, answered.Add(-time.Second), answered)
		assert.True(t, !ok && want == nil || ok && want == ahead, "%s: %s", date, ahead)
		_, ok = clockAhead(http.Header{"Date": {date}, "Age": {"3600"}}, answered.Add(-time.Second), answered)
		assert.False(t, ok)
	}
}

func requireNoErrors(t *testing.T, errs []error) {
	t.Helper()
	for _, err := range errs {
		require.NoError(t, err)
	}
}

func readFailing(t *testing.T, c *Client, kind error) *Error {
	t.Helper()
	_, err := ask(t.Context(), c, 1)
	require.ErrorIs(t, err, kind)
	var e *Error
	require.ErrorAs(t, err, &e)
	return e
}

// A 2xx response and JSON are forwarded unchanged. Of anything else, the status and a sentence are.
func TestForwardReturnsTheResponse(t *testing.T) {
	for _, test := range []struct {
		name   string
		answer http.HandlerFunc
		status int
		body   string
		kind   string
	}{
		{"page", servicetest.OK(threeTasks), 200, threeTasks, "application/json"},
		{"no JSON", servicetest.Status(200, "<p>hello", "Content-Type", "text/html"), 200, "<p>hello", "text/html"},
		{"empty", servicetest.Status(204, ""), 204, "", "application/json"},
		{"400", servicetest.Status(400, `{"message":"no"}`), 400, `{"message":"no"}`, "application/json"},
		{"400 with a secret", servicetest.Status(400, `{"message":"bad key `+servicetest.Key+`"}`), 400, `{"message":"bad key [secret]"}`, "application/json"},
		{"400 with a secret in UTF-16", servicetest.Status(400, inUTF16(`{"message":"`+servicetest.Token(1)+`"}`)), 400, `{"message":"[secret]"}`, "application/json"},
		{"400 with a secret in escapes that are not needed", servicetest.Status(400, `{"message":"\u0074`+servicetest.Token(1)[1:]+`"}`), 400, sentence("400 Bad Request"), "application/json"},
		{"400 in a list", servicetest.Status(400, ` [{"code": 7}] `), 400, ` [{"code": 7}] `, "application/json"},
		{"no status", servicetest.Status(999, `{"message":"no"}`), 502, `{"message":"no"}`, "application/json"},
		{"304", servicetest.Status(304, ``), 502, sentence("304 Not Modified"), "application/json"},
		{"403", servicetest.Status(403, `{"message":"never"}`), 403, `{"message":"never"}`, "application/json"},
		{"404", servicetest.Status(404, `gone`), 404, sentence("404 Not Found: gone – check the base URL in the data source settings"), "application/json"},
		{"429", servicetest.Status(429, ``, "Retry-After", "30"), 429, sentence("429 Too Many Requests – the service is rate limiting requests and asks to wait 30s: refresh less often, or limit Requests per second in the data source settings"), "application/json"},
		{"503", servicetest.Status(503, `<html><title>later</title>`, "Content-Type", "text/html"), 503, sentence("503 Service Unavailable: an HTML page, probably from a proxy and not from the service: later – the service has a problem: try again later"), "application/json"},
		{"JSON that is too long", servicetest.Status(500, `{"x":"`+strings.Repeat("x", errorBytes)+`"}`), 500, sentence("500 Internal Server Error – the service has a problem: try again later"), "application/json"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, test.answer)
			answer, err := start(t, f).Forward(t.Context(), Request{Path: tasksPath})
			require.NoError(t, err)
			assert.Equal(t, test.status, answer.Status)
			assert.Equal(t, test.kind, answer.ContentType)
			assert.Equal(t, test.body, string(answer.Body))
			assert.Equal(t, 1, f.Count(tasksPath), "the caller decides whether to try again")
		})
	}
}

func inUTF16(text string) string {
	return "\xff\xfe" + strings.Join(strings.Split(text, ""), "\x00") + "\x00"
}

func sentence(text string) string { return `{"message":"` + tasksPath + " returned " + text + `"}` }

// Every request counts: logins, retries, and those of the proxy route. None fails, and all are as far apart as they must be.
func TestRequestsPerSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New()
		f.Data(tasksPath, servicetest.InTurn(servicetest.OK(threeTasks), servicetest.Status(http.StatusTooManyRequests, ``, "Retry-After", "0"), servicetest.OK(threeTasks)))
		c := startInBubble(t, f, func(c *Config) { c.PerSecond = 20 })
		began := time.Now()
		requireNoErrors(t, askAtOnce(c, panels))
		f.Expire()
		for range 10 {
			_, err := c.Forward(t.Context(), tasksRequest(1, 0))
			require.NoError(t, err)
		}
		assert.Equal(t, 2, f.Count(loginPath))
		requests := panels + 1 + 10 + 1 + 2 // one is repeated, one was answered with 401
		assert.Equal(t, requests, f.Count(""))
		assert.Equal(t, time.Second*time.Duration(requests-1)/20, time.Since(began))
		assert.True(t, c.IsLimited())
	})
}

// Neither the wait for a turn counts for the setting Timeout, nor a request whose caller has left. A redirect counts.
func TestWaitingForATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).Data("/moved", redirectTo(http.StatusFound, tasksPath))
		c := startInBubble(t, f, func(c *Config) { c.PerSecond, c.Timeout = 1, time.Second })
		start := time.Now()
		requireNoErrors(t, askAtOnce(c, panels))
		assert.Equal(t, panels*time.Second, time.Since(start), "the login was first")

		ctx, leave := context.WithCancel(t.Context())
		var left sync.WaitGroup
		for days := range 3 * panels {
			left.Go(func() {
				_, err := ask(ctx, c, days)
				assert.ErrorIs(t, err, context.Canceled)
			})
		}
		synctest.Wait()
		leave()
		left.Wait()
		requireNoErrors(t, askAtOnce(c, 1))
		assert.Equal(t, (panels+1)*time.Second, time.Since(start))

		_, err := askFor(t.Context(), c, Request{Path: "/moved"})
		require.NoError(t, err)
		requireNoErrors(t, askAtOnce(c, 1))
		assert.Equal(t, (panels+4)*time.Second, time.Since(start))
		assert.False(t, c.IsLimited())
	})
}

// A request that waits for its turn takes no slot from one that could be sent: the rate alone limits what is sent.
func TestTurnsAndSlots(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(900 * time.Millisecond)
			servicetest.OK(threeTasks)(w, r)
		})
		c := startInBubble(t, f, func(c *Config) { c.PerSecond, c.MaxConcurrent = 2, 2 })
		start := time.Now()
		requireNoErrors(t, askAtOnce(c, panels))
		assert.Equal(t, panels*time.Second/2+900*time.Millisecond, time.Since(start))
	})
}

// What the service takes counts for the time within which a request is repeated, and the wait for a turn does not. So does a pause that it asks for, however long.
func TestRetriesEnd(t *testing.T) {
	for after, retries := range map[string]int{"16": 1, "Fri, 31 Dec 9999 23:59:59 GMT": 0} {
		synctest.Test(t, func(t *testing.T) {
			busy := servicetest.Status(http.StatusServiceUnavailable, ``, "Retry-After", after)
			f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(time.Second)
				busy(w, r)
			})
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			start := time.Now()
			_, err := ask(ctx, startInBubble(t, f, func(c *Config) { c.PerSecond = 0.05 }), 1)
			require.ErrorIs(t, err, ErrUnavailable)
			assert.Equal(t, 1+retries, f.Count(tasksPath))
			assert.Equal(t, time.Duration(20+1+retries*20)*time.Second, time.Since(start).Round(time.Millisecond), "turns are 20 s apart")
		})
	}
}

// While one request waits as long as the service asks for, others wait for its slot. Canceling ends both kinds of waiting.
func TestWaitingForASlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := servicetest.Status(http.StatusTooManyRequests, ``, "Retry-After", "9")
		f := servicetest.New().Data(tasksPath, servicetest.InTurn(busy, busy, servicetest.OK(threeTasks)))
		c := startInBubble(t, f, func(c *Config) { c.MaxConcurrent = 1 })
		begin := func(ctx context.Context, days int) chan error {
			done := make(chan error, 1)
			go func() {
				_, err := ask(ctx, c, days)
				done <- err
			}()
			synctest.Wait()
			return done
		}
		ctx, leave := context.WithCancel(t.Context())
		pausing, waiting := begin(ctx, 1), begin(ctx, 2)
		leave()
		require.ErrorIs(t, <-pausing, context.Canceled)
		require.ErrorIs(t, <-waiting, context.Canceled)
		start := time.Now()
		first, second := begin(t.Context(), 3), begin(t.Context(), 4)
		require.NoError(t, <-first)
		require.NoError(t, <-second)
		assert.Equal(t, 9*time.Second, time.Since(start))
		assert.Equal(t, 4, f.Count(tasksPath))
	})
}

// Neither the response to a login is forwarded, nor one that is not whole.
func TestForwardFails(t *testing.T) {
	login, tasks := loginPath, tasksPath
	for _, test := range []struct {
		kind   error
		path   string
		answer http.HandlerFunc
	}{
		{ErrLogin, login, servicetest.Status(401, `{"message":"no"}`)}, {ErrUnavailable, login, servicetest.Status(500, `{"message":"no"}`)},
		{ErrConnection, tasks, servicetest.Drop}, {ErrConnection, tasks, servicetest.CutLength(threeTasks)}, {ErrConnection, tasks, servicetest.CutChunks(threeTasks)},
		{ErrTooLarge, tasks, servicetest.OK(strings.Repeat(" ", maxForwarded+1))},
	} {
		synctest.Test(t, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(test.path, test.answer)
			answer, err := startInBubble(t, f).Forward(t.Context(), Request{Path: tasksPath})
			require.ErrorIs(t, err, test.kind)
			assert.Nil(t, answer)
		})
	}
}

func httpDate(in time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		servicetest.Status(http.StatusTooManyRequests, ``, "Retry-After", time.Now().Add(in).UTC().Format(http.TimeFormat))(w, r)
	}
}

// Transient failures are retried, after the pause that the service requests or a short one of our own.
func TestTransientFailures(t *testing.T) {
	for _, test := range []struct {
		name        string
		fails       http.HandlerFunc
		least, most time.Duration
	}{
		{"429 with seconds", servicetest.Status(429, `{"message":"slow"}`, "Retry-After", "7"), 7 * time.Second, 7 * time.Second},
		{"429 with a date", httpDate(5 * time.Second), 4 * time.Second, 5 * time.Second},
		{"429 with a date that is past", httpDate(-time.Hour), 0, 0},
		{"429 with 0", servicetest.Status(429, ``, "Retry-After", "0"), 0, 0},
		{"502", servicetest.Status(502, `<html>bad gateway</html>`), time.Millisecond, 2 * time.Second},
		{"503 with seconds", servicetest.Status(503, ``, "Retry-After", "3"), 3 * time.Second, 3 * time.Second},
	} {
		bubble(t, test.name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.InTurn(test.fails, servicetest.OK(threeTasks)))
			c := startInBubble(t, f)
			start := time.Now()
			ids, err := ask(t.Context(), c, 1)
			require.NoError(t, err)
			took := time.Since(start)
			assert.GreaterOrEqual(t, took, test.least)
			assert.LessOrEqual(t, took, test.most)
			assert.Equal(t, []int64{1, 2, 3}, ids, "a partial response leaves nothing behind")
			assert.Equal(t, 2, f.Count(tasksPath))
			assert.Equal(t, 1, f.Count(loginPath))
		})
	}
}

// A reset is reported like a closed connection, and a reset stream is the broken connection of HTTP/2.
func TestBrokenConnectionIsTriedAgain(t *testing.T) {
	reset := func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if assert.NoError(t, err) {
			_ = conn.(*net.TCPConn).SetLinger(0)
			_ = conn.Close()
		}
	}
	for name, broken := range map[string]http.HandlerFunc{
		"reset": reset, "before the answer": servicetest.Drop, "in the middle of the answer": servicetest.CutChunks(threeTasks), "short of its length": servicetest.CutLength(threeTasks),
	} {
		t.Run(name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.InTurn(broken, servicetest.OK(threeTasks)))
			server := httptest.NewUnstartedServer(f)
			server.Config.ErrorLog = servicetest.Quiet
			if server.EnableHTTP2 = name != "reset"; server.EnableHTTP2 {
				server.StartTLS()
			} else {
				server.Start()
			}
			t.Cleanup(server.Close)
			ids, err := ask(t.Context(), newClient(t, server), 1)
			require.NoError(t, err)
			assert.Len(t, ids, 3)
			assert.Equal(t, 2, f.Count(tasksPath))
		})
	}
}
