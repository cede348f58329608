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
	"sync"
	"testing"
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
