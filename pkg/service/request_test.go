package service

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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

// testConfig returns the settings of a client of the scripted service.
func testConfig(base string, change ...func(*Config)) Config {
	config := Config{
		BaseURL: base, Login: servicetest.Login, Key: servicetest.Key, Timeout: time.Minute,
		MaxConcurrent: 8,
	}
	for _, change := range change {
		change(&config)
	}
	return config
}

// start serves on the loopback interface and returns a client for it.
func start(t *testing.T, f *servicetest.Fake, change ...func(*Config)) *Client {
	t.Helper()
	return newClient(t, f.Start(t), change...)
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

// tasksRequest requests a page of the tasks of the last days.
func tasksRequest(days, page int) Request {
	return Request{Path: tasksPath, Query: url.Values{"days": {strconv.Itoa(days)}, "page": {strconv.Itoa(page)}}}
}

// ask requests the first page of the tasks of the last days, and returns the ids of the rows.
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

// panels is the number of concurrent requests of a dashboard.
const panels = 24

// askAtOnce requests like a dashboard of n panels and returns their errors.
func askAtOnce(c *Client, n int) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { _, errs[i] = ask(context.Background(), c, i+1) })
	}
	wg.Wait()
	return errs
}

func requireNoErrors(t *testing.T, errs []error) {
	t.Helper()
	for _, err := range errs {
		require.NoError(t, err)
	}
}

// readFailing sends a request and returns its failure, which must be an *Error of the kind.
func readFailing(t *testing.T, c *Client, kind error) *Error {
	t.Helper()
	_, err := ask(t.Context(), c, 1)
	require.ErrorIs(t, err, kind)
	var e *Error
	require.ErrorAs(t, err, &e)
	return e
}

func TestClock(t *testing.T) {
	sent := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	answered := sent.Add(time.Second)
	for name, test := range map[string]struct {
		header http.Header
		want   time.Duration
		ok     bool
	}{
		"the same":     {http.Header{"Date": {"Fri, 20 Nov 2026 10:00:00 GMT"}}, 0, true},
		"ahead":        {http.Header{"Date": {"Fri, 20 Nov 2026 10:05:00 GMT"}}, 5 * time.Minute, true},
		"behind":       {http.Header{"Date": {"Fri, 20 Nov 2026 09:00:00 GMT"}}, -time.Hour, true},
		"no date":      {http.Header{}, 0, false},
		"no such date": {http.Header{"Date": {"yesterday"}}, 0, false},
		"of a cache":   {http.Header{"Date": {"Fri, 20 Nov 2026 09:00:00 GMT"}, "Age": {"3600"}}, 0, false},
	} {
		ahead, ok := clockAhead(test.header, sent, answered)
		assert.Equal(t, test.want, ahead, name)
		assert.Equal(t, test.ok, ok, name)
	}
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

// sentence is the body with a description of a failure.
func sentence(text string) string { return `{"message":"` + tasksPath + " returned " + text + `"}` }

func TestForwardWithoutLogin(t *testing.T) {
	for status, kind := range map[int]error{401: ErrLogin, 500: ErrUnavailable} {
		f := servicetest.New().On(loginPath, servicetest.Status(status, `{"message":"no"}`)).On(tasksPath, servicetest.OK(threeTasks))
		answer, err := start(t, f).Forward(t.Context(), Request{Path: tasksPath})
		require.ErrorIs(t, err, kind)
		assert.Nil(t, answer, "the response to a login is not forwarded")
		assert.Zero(t, f.Count(tasksPath))
	}
}

// What is not whole is an error.
func TestForwardOfAPart(t *testing.T) {
	for kind, answers := range map[error][]http.HandlerFunc{
		ErrConnection: {servicetest.Drop, servicetest.CutLength(threeTasks), servicetest.CutChunks(threeTasks)},
		ErrTooLarge:   {servicetest.OK(strings.Repeat(" ", maxForwarded+1))},
	} {
		for _, answer := range answers {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, answer)
				got, err := startInBubble(t, f).Forward(t.Context(), Request{Path: tasksPath})
				require.ErrorIs(t, err, kind)
				assert.Nil(t, got)
			})
		}
	}
}
