package plugin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// halted serves ten pages of tasks by the hour, newest first, and blocks before page 4 until release is closed.
type halted struct {
	*servicetest.Fake
	reached, release chan struct{}
}

func newHalted() *halted {
	h := &halted{Fake: newService(), reached: make(chan struct{}), release: make(chan struct{})}
	var rows []string
	for id := range 100 {
		rows = append(rows, today(id+1, time.Duration(id)*time.Hour+time.Minute, "intake"))
	}
	answer := servicetest.Paged(10, servicetest.Still(rows))
	h.Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		if number, _ := strconv.Atoi(r.URL.Query().Get("page")); number == 4 {
			close(h.reached)
			<-h.release
		}
		answer(w, r)
	})
	return h
}

// sent returns a query as in the progress request of the page.
func sent(query string) string {
	r := sevenDays()
	model := strings.TrimSuffix(strings.TrimPrefix(query, "{"), "}")
	if model != "" {
		model += ","
	}
	return fmt.Sprintf(`{%s"from":%d,"to":%d,"elapsed":1000,"intervalMs":3600000,"maxDataPoints":500,"rows":true}`,
		model, r.From.UnixMilli(), r.To.UnixMilli())
}

func postProgress(t *testing.T, i *Instance, body string) *backend.CallResourceResponse {
	t.Helper()
	var got *backend.CallResourceResponse
	err := i.CallResource(t.Context(), &backend.CallResourceRequest{Method: http.MethodPost, Path: "progress", URL: "progress", Body: []byte(body)},
		backend.CallResourceResponseSenderFunc(func(r *backend.CallResourceResponse) error {
			if got == nil {
				got = r
				return nil
			}
			got.Body = append(got.Body, r.Body...)
			return nil
		}))
	require.NoError(t, err)
	require.NotNil(t, got)
	return got
}

func progressOf(t *testing.T, i *Instance, queries ...string) []*progress {
	t.Helper()
	sentAll := make([]string, len(queries))
	for n, query := range queries {
		sentAll[n] = sent(query)
	}
	got := postProgress(t, i, `{"queries":[`+strings.Join(sentAll, ",")+`]}`)
	require.Equal(t, http.StatusOK, got.Status, "%s", got.Body)
	var answers []*progress
	require.NoError(t, json.Unmarshal(got.Body, &answers), "%s", got.Body)
	require.Len(t, answers, len(queries))
	return answers
}

const (
	line   = `{"format":"timeseries","measure":"tasks"}`
	number = `{"format":"numeric","measure":"tasks"}`
)

// inTheMiddle queries a table, and calls look when four of its ten pages are read.
func inTheMiddle(t *testing.T, i *Instance, h *halted, look func()) *data.Frame {
	t.Helper()
	done := make(chan *data.Frame, 1)
	go func() { done <- askFrame(t, i, `{}`) }()
	<-h.reached
	func() {
		defer close(h.release)
		for p := progressOf(t, i, `{}`)[0]; p.Read < 4 || h.Count(tasksPath) < 10; p = progressOf(t, i, `{}`)[0] {
			time.Sleep(time.Millisecond)
		}
		look()
	}()
	return <-done
}

func TestProgressOfQueries(t *testing.T) {
	h := newHalted()
	i := start(t, h.Fake, "pageSize", 0)
	assert.Equal(t, []*progress{nil}, progressOf(t, i, `{}`), "nothing is being read")
	assert.Zero(t, h.Count(""), "reading the progress does not log in")

	var table, found, limited *data.Frame
	all := inTheMiddle(t, i, h, func() {
		requests := h.Count("")
		got := progressOf(t, i, `{}`, line, number, `{"filters":[{"key":"id","operator":"=","value":"7"}]}`,
			`{"sort":{"field":"id","order":"desc"}}`, `{"sort":{"field":"id","order":"desc"},"limit":3}`,
			`{"columns":["zone"]}`, `{"format":"timeseries","measure":"concurrency"}`, `{"queryType":"automations"}`, `{"format":"sum"}`, `{"days":3}`)
		for n, answer := range got[:8] {
			require.NotNil(t, answer, n)
			assert.Equal(t, "pages", answer.Unit)
			assert.Equal(t, []int{4, 10, 40}, []int{answer.Read, answer.Of, answer.Rows})
		}
		table, found, limited = got[0].Frame, got[3].Frame, got[4].Frame
		assert.Nil(t, got[2].Frame, "no number is true yet")
		assert.Nil(t, got[5].Frame, "neither are the first by an order of their own")
		assert.Nil(t, got[6].Frame, "a field that may still arrive is not an error")
		assert.Nil(t, got[7].Frame, "older tasks may run still")
		assert.Nil(t, got[8], "another data set")
		assert.Contains(t, got[9].Error, `unknown format "sum"`)
		assert.Nil(t, got[10], "another read")

		counts := column(t, got[1].Frame, "tasks")
		known := counts[len(counts)-39:]
		assert.NotContains(t, known, "null")
		assert.NotContains(t, known, "0")
		assert.NotContains(t, counts[:len(counts)-40], "0", "what is not read is not 0")
		assert.Equal(t, requests, h.Count(""), "reading the progress sends no request")
	})
	ids := column(t, all, "id")
	assert.Len(t, ids, 100)
	assert.Equal(t, ids[:40], column(t, table, "id"))
	assert.Equal(t, []string{"7"}, column(t, found, "id"))
	assert.Equal(t, "40", column(t, limited, "id")[0])
	assert.Equal(t, []*progress{nil}, progressOf(t, i, `{}`), "after the read")
}

// A partial table is limited to what a screen needs.
func TestPartialRowsAreBounded(t *testing.T) {
	h := newHalted()
	i := start(t, h.Fake, "pageSize", 0)
	inTheMiddle(t, i, h, func() {
		answer := progressOf(t, i, `{"days":7,"limit":15}`, `{"limit":15}`)
		assert.Nil(t, answer[0], "a limit is another read where it needs fewer pages")
		assert.Len(t, column(t, answer[1].Frame, "id"), 15)
		got := postProgress(t, i, `{"queries":[`+strings.Replace(sent(`{}`), `"rows":true`, `"rows":false`, 1)+`]}`)
		assert.NotContains(t, string(got.Body), "frame", "only where they are drawn")
	})
}

// A line of automations reads many windows.
func TestProgressOfWindows(t *testing.T) {
	release, asked := make(chan struct{}), make(chan struct{}, 100)
	answer := servicetest.OK(page(`{"label":"a","taskCount":7}`))
	s := newService().Data(automationsPath, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("filterBy") != "7" {
			asked <- struct{}{}
			<-release
		}
		answer(w, r)
	})
	i := start(t, s)
	query := `{"queryType":"automations","format":"timeseries","measure":"taskCount"}`
	done := make(chan struct{})
	go func() { defer close(done); askFrame(t, i, query) }()
	<-asked
	got := progressOf(t, i, query)[0]
	assert.Equal(t, &progress{Unit: "windows", Read: 1, Of: 7}, got)
	close(release)
	<-done
	assert.Nil(t, progressOf(t, i, query)[0], "after the read")
}

func TestProgressOfBadRequests(t *testing.T) {
	i := start(t, newService())
	many := strings.Repeat(`{},`, maxProgressQueries) + `{}`
	for body, want := range map[string]string{
		`{`:                              "the queries are not valid",
		`{"queries":7}`:                  "queries must be a",
		`{"queries":[` + many + `]}`:     "101 queries: send at most 100 at once",
		strings.Repeat(" ", 1<<20) + `1`: "the queries are not valid",
	} {
		got := postProgress(t, i, body)
		assert.Equal(t, http.StatusBadRequest, got.Status, "%.20s", body)
		assert.Contains(t, string(got.Body), want)
	}
	got := get(t, i, "progress")
	assert.Equal(t, http.StatusMethodNotAllowed, got.Status)
	assert.Contains(t, string(got.Body), "use POST")

	broken := newInstance(t, backend.DataSourceInstanceSettings{UID: "test", Type: ID, URL: "ftp://x"})
	assert.Equal(t, http.StatusBadRequest, postProgress(t, broken, `{"queries":[]}`).Status)
}
