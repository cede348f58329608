package plugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// A request may contain valid and invalid queries of all data sets. Each refId gets its own response.
func TestEveryRefIDGetsAnAnswer(t *testing.T) {
	i := start(t, newService().On(runnersPath, servicetest.Status(404, `nothing`)))
	queries := map[string]backend.Status{
		`{"queryType":"tasks","days":1}`:       backend.StatusOK,
		`{"queryType":"automations","days":1}`: backend.StatusOK,
		`{"queryType":"runners","days":1}`:     backend.StatusNotFound,
		`{"queryType":"robots"}`:               backend.StatusBadRequest,
		`not JSON`:                             backend.StatusBadRequest,
		`{"days":1,"format":"numeric","measure":"tasks","groupBy":["state"]}`: backend.StatusOK,
		`{"format":"timeseries","measure":"tasks"}`:                           backend.StatusOK,
	}
	var asked []backend.DataQuery
	for query := range queries {
		for n := range 5 {
			asked = append(asked, dataQuery(fmt.Sprintf("%d %s", n, query), query))
		}
	}
	for refID, got := range askAll(t, t.Context(), i, asked...) {
		assert.Equal(t, queries[refID[2:]], got.Status, refID)
		assert.Equal(t, got.Status != backend.StatusOK, got.Error != nil, refID)
		for _, f := range got.Frames {
			assert.Equal(t, refID, f.RefID)
		}
	}
}

// Closing a dashboard cancels its requests, down to the socket. The SDK would log an error in a response, but not a canceled request.
func TestCancelledRequestStopsItsReads(t *testing.T) {
	came, reading := make(chan string, 100), atomic.Int64{}
	stuck := func(_ http.ResponseWriter, r *http.Request) {
		reading.Add(1)
		came <- r.URL.Path
		<-r.Context().Done()
		reading.Add(-1)
	}
	i := start(t, newService().On(tasksPath, stuck).On(automationsPath, stuck))
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		for first := <-came; <-came == first; {
			continue
		}
		leave()
	}()
	response, err := i.QueryData(ctx, &backend.QueryDataRequest{Queries: []backend.DataQuery{dataQuery("A", `{"days":1}`), dataQuery("B", `{"days":1}`), dataQuery("C", savingsLine)}})
	require.Nil(t, response)
	require.Equal(t, backend.RequestStatusCancelled, backend.RequestStatusFromError(err))
	require.True(t, backend.IsDownstreamError(err), "cancellation is not a plugin error")
	require.Eventually(t, func() bool { return reading.Load() == 0 }, 30*time.Second, time.Millisecond)
}

func TestDeadlineOfARequest(t *testing.T) {
	s := newService().On(tasksPath, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	got := askAll(t, ctx, start(t, s), dataQuery("A", `{"days":1}`))["A"]
	require.EqualError(t, got.Error, "the time for the query ended before the service had answered all requests: request fewer days, or larger pages")
	assert.Equal(t, backend.StatusTimeout, got.Status)
	assert.Equal(t, backend.ErrorSourceDownstream, got.ErrorSource)
}

// What the plugin does not know is its own fault, and counts as such for whoever operates it.
func TestFaultOfThePlugin(t *testing.T) {
	got := start(t, newService()).failure(errors.New("a mistake"))
	assert.Equal(t, backend.ErrorSourcePlugin, got.ErrorSource)
	assert.Equal(t, backend.StatusInternal, got.Status)
}

func statOf(t *testing.T, f *data.Frame, name string) float64 {
	t.Helper()
	for _, s := range f.Meta.Stats {
		if strings.HasPrefix(strings.ToLower(s.DisplayName), name) {
			return s.Value
		}
	}
	require.Fail(t, "no stat", name)
	return 0
}

func notices(f *data.Frame) string {
	var texts []string
	for _, n := range f.Meta.Notices {
		texts = append(texts, n.Text)
	}
	return strings.Join(texts, "\n")
}

// Which filter excludes all rows concerns a panel that has no data. A count of 0 says it all.
func TestFilterThatExcludesAllRows(t *testing.T) {
	i := start(t, newService())
	for query, told := range map[string]bool{
		`"format":"numeric","measure":"tasks"`: false, `"format":"numeric","measure":"tasks","groupBy":["activityLabel"]`: true, `"format":"table"`: true,
	} {
		f := askFrame(t, i, `{`+query+`,"days":9000,"filters":[{"key":"state","operator":"=","value":"TIMEOUT"}]}`)
		assert.Equal(t, told, strings.Contains(notices(f), "no row satisfies state"), query)
	}
}

// The headers are those of Grafana 12.4, key by key.
func TestFromRule(t *testing.T) {
	for name, want := range map[string]bool{"FromAlert": true, "http_FromAlert": true, "http_Fromalert": true, "X-Cache-Skip": false, "http_X-Grafana-From-Expr": false} {
		assert.Equal(t, want, fromRule(&backend.QueryDataRequest{Headers: map[string]string{name: "true"}}), name)
	}
	assert.False(t, fromRule(&backend.QueryDataRequest{Headers: map[string]string{"FromAlert": "false"}}))
}

// A list of workspaces has a row of one that does not answer, without numbers. A number says since when, in its place, and so does what
// needs attention, and the error, which names the workspace. It is the first failed read since one has succeeded, of any list.
func TestAWorkspaceThatDoesNotAnswer(t *testing.T) {
	const counted = `{"format":"attention","groupBy":["dataSource","organizationLabel"]}`
	const tasks = `{"format":"numeric","measure":"tasks","groupBy":["dataSource","organizationLabel"],"shape":"long"}`
	const savings = `{"queryType":"automations","format":"numeric","measure":"savings","groupBy":["dataSource"],"shape":"long"}`
	isDown := atomic.Bool{}
	isDown.Store(true)
	unlessDown := func(answer http.HandlerFunc) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if isDown.Load() {
				servicetest.Status(http.StatusInternalServerError, "")(w, r)
				return
			}
			answer(w, r)
		}
	}
	s := servicetest.New().Data(tasksPath, unlessDown(servicetest.OK(page()))).Data(automationsPath, unlessDown(servicetest.OK(page())))
	s.Data(runnersPath, servicetest.Status(http.StatusNotFound, ""))
	i := start(t, s, "cacheTTL", 0, "names", "pt-BR")
	since := func(query, number string, fields int) (at string) {
		response := ask(t, i, query)
		require.Equal(t, backend.StatusBadGateway, response.Status)
		require.Len(t, response.Frames, 1, query)
		shown := response.Frames[0]
		require.Equal(t, "A", shown.RefID)
		require.Len(t, shown.Fields, fields, query)
		field, _ := shown.FieldByName(number)
		for n := range field.Len() {
			require.True(t, field.NilAt(n))
		}
		said := regexp.MustCompile(`^(?:Test: )?.* \(no answer since \d{4}-\d\d-\d\d (\d\d:\d\d) \+0545\)$|`).FindStringSubmatch(response.Error.Error())[1]
		for _, text := range []string{field.Config.NoValue, field.Config.DisplayNameFromDS} {
			if text != "" && strings.HasPrefix(text, "Sem") {
				require.Equal(t, "Sem resposta desde "+said, text, query)
				at = said
			}
		}
		return at
	}
	for query, number := range map[string]string{tasks: "tasks", savings: "savings"} {
		require.Empty(t, since(query, number, 2), "a row of a list, without the organization, which is not known")
		require.Equal(t, []string{"Test"}, column(t, ask(t, i, query).Frames[0], "dataSource"))
	}
	inKathmandu := func(query string) string { return strings.Replace(query, "{", `{"timezone":"Asia/Kathmandu",`, 1) }
	require.NotEmpty(t, since(inKathmandu(counted), "needsAttention", 3))
	require.Regexp(t, "^Sem resposta desde ", column(t, ask(t, i, counted).Frames[0], "noAnswer")[0])
	require.NotEmpty(t, since(inKathmandu(`{"format":"numeric","measures":["tasks","failedTasks"],"groupBy":["dataSource"]}`), "noAnswer", 1))
	require.NotEmpty(t, since(inKathmandu(`{"format":"attention"}`), "why", 14))
	require.Equal(t, "Tarefas", ask(t, i, `{"format":"numeric","measure":"tasks"}`).Frames[0].Fields[0].Config.DisplayNameFromDS)

	first := failsSince(t, i, "tasks")
	require.NotZero(t, first)
	require.Zero(t, failsSince(t, i, "runners"), "404 is an answer")
	isDown.Store(false)
	require.NoError(t, ask(t, i, `{"queryType":"automations","days":9}`).Error) // A list that has not failed a moment ago.
	isDown.Store(true)
	require.Equal(t, first, failsSince(t, i, "tasks"), "another route says nothing of this one")
	require.True(t, failsSince(t, i, "automations").After(first))

	invalid := ask(t, start(t, s, "timeout", "soon"), tasks)
	require.ErrorContains(t, invalid.Error, "Test: ")
	require.Equal(t, []string{"Test"}, column(t, invalid.Frames[0], "dataSource"))
	for _, other := range []string{
		`{"format":"numeric","measure":"tasks","groupBy":["activityLabel","dataSource"],"shape":"long"}`,
		`{"format":"numeric","measure":"tasks","groupBy":["activityLabel"]}`, `{"format":"numeric","measure":"tasks","shape":"long"}`, `{}`,
		`{"format":"attention","groupBy":["activityLabel","dataSource"]}`,
	} {
		response := ask(t, i, other)
		require.ErrorContains(t, response.Error, "no answer since ")
		require.Empty(t, response.Frames, other)
	}
	require.Empty(t, askOf(t, i, asRule, dataQuery("A", `{"format":"numeric","measure":"tasks"}`)).Frames, "a rule has no number")
}

// failsSince reads a data set, which fails, and returns since when; zero if the service answers.
func failsSince(t *testing.T, i *Instance, name string) time.Time {
	t.Helper()
	set := schema.All().Get(name)
	_, err := i.reads.Read(t.Context(), schema.Question{DataSet: set, Days: 1})
	require.Error(t, err)
	return i.reads.SilentSince(set, err)
}

// A slow service does not keep a dashboard waiting: a tile says how far it is, a panel shows the rows that are there, and the next query
// goes on. A rule needs new rows.
func TestASlowWorkspace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var latency, left atomic.Int64
		latency.Store(int64(5 * time.Second))
		slow := func(w http.ResponseWriter, r *http.Request) {
			select {
			case <-time.After(time.Duration(latency.Load())):
				servicetest.Paged(4, servicetest.Still(servicetest.TaskRange(1, 200)))(w, r)
			case <-r.Context().Done():
				left.Add(1)
			}
		}
		s := servicetest.New().Data(tasksPath, slow).Data(automationsPath, slow)
		i := startInBubble(t, s)
		began := time.Now()
		rows, number := dataQuery("A", `{"days":30}`), dataQuery("B", `{"days":30,"format":"numeric","measure":"tasks"}`)
		told := askAll(t, t.Context(), i, rows, number)
		require.InDelta(t, 25, time.Since(began).Seconds(), 0.1)
		const text = "the service is slow: page %d of 50 was read after 25s. Reading goes on for a minute: ask again, or ask for fewer days"
		require.Regexp(t, strings.Replace(text, "%d", `\d\d`, 1), told["A"].Error)
		require.Equal(t, backend.StatusTimeout, told["A"].Status)
		require.Equal(t, backend.ErrorSourceDownstream, told["A"].ErrorSource)
		require.Regexp(t, `^Still reading \(\d\d/50\)$`, told["B"].Frames[0].Fields[0].Config.NoValue)
		response := get(t, i, "/values?field=activityLabel&days=30")
		require.Equal(t, 200, response.Status, "owed")
		answered := askAll(t, t.Context(), i, rows, number)
		require.NoError(t, answered["A"].Error)
		require.Less(t, time.Since(began), 50*time.Second)
		require.Less(t, s.Count(tasksPath), 60)

		ctx, leave := context.WithTimeout(t.Context(), time.Second)
		defer leave()
		require.Error(t, askAll(t, ctx, i, dataQuery("A", `{"queryType":"automations","days":2}`))["A"].Error)
		synctest.Wait()
		require.EqualValues(t, 1, left.Load(), "nobody waits for what somebody has canceled")

		time.Sleep(2 * time.Minute)
		latency.Store(int64(28 * time.Second))
		late := askAll(t, t.Context(), i, rows)["A"]
		require.NoError(t, late.Error)
		require.Contains(t, notices(late.Frames[0]), "these rows are of 3m")
		rule := askOf(t, i, asRule, rows)
		require.ErrorContains(t, rule.Error, "the service is slow: page ")
		require.Empty(t, rule.Frames)

		i.Dispose()
		synctest.Wait()
		require.Greater(t, left.Load(), int64(1), "nor when the data source is replaced")
	})
}

// ran is a task of a runner that started some minutes ago.
func ran(id int, machine, automation string, startedAgo, minutes int) string {
	at := func(ago int) string {
		return time.Now().Add(-time.Duration(ago) * time.Minute).UTC().Format("2006-01-02T15:04:05.000Z07:00")
	}
	return fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":%q,"machineId":%q,"dateCreation":%q,"dateStartRunning":%q,"dateLastModified":%q}`,
		id, automation, machine, at(startedAgo+1), at(startedAgo), at(startedAgo-minutes))
}

// Each lane is a frame of the query. Costs and notices are those of the first one.
func TestTimeline(t *testing.T) {
	s := refunds().Data(tasksPath, servicetest.OK(page(ran(4, "b", "refunds", 10, 5), ran(3, "a", "orders", 20, 10), ran(2, "a", "refunds", 25, 10), ran(1, "a", "orders", 60, 5))))
	got := ask(t, start(t, s), `{"format":"timeline"}`)
	require.NoError(t, got.Error)
	require.Len(t, got.Frames, 3, "two runners, and tasks of one that overlap")
	for n, lane := range got.Frames {
		assert.Equal(t, "A", lane.RefID)
		assert.Contains(t, lane.Meta.ExecutedQueryString, tasksPath+"?days=11")
		assert.Equal(t, n > 0, len(lane.Meta.Stats) == 0)
	}
}

// Neither the address of the service is in an error that everybody sees, nor where it redirects to. A host of one word is no part of a path.
func TestErrorsWithoutAddress(t *testing.T) {
	for _, test := range []struct{ url, text, want string }{
		{"http://insights", "insights: /api/v1/insights/tasks returned 403", "the service: /api/v1/insights/tasks returned 403"},
		{"http://insights:80", "no login route at http://insights:80/api/v2/login", "no login route at the service/api/v2/login"},
		{"https://a.b:8443/c", "cannot resolve host a.b (DNS)", "cannot resolve the service (DNS)"},
		{"https://a.b:8443/c", "no login route at https://a.b:8443/c/login, of a.b:8443 and x.a.b", "no login route at the service/login, of the service and x.a.b"},
		{"http://[::1]:80", "the service at [::1]:80 redirects to https://x.y/z, and the token", "the service redirects to another address, and the token"},
	} {
		assert.Equal(t, test.want, create(t, source(test.url)).client.WithoutAddress(test.text))
	}
}

// extremes returns rows of a data set with nulls, empty texts and the limits of each type, and two fields that are not in the
// description.
func extremes(set *schema.DataSet) string {
	cells := map[schema.Type][]any{
		schema.Integer: {nil, 1, math.MinInt64, math.MaxInt64},
		schema.Number:  {nil, 0.5, -math.MaxFloat64, math.MaxFloat64},
		schema.Time:    {nil, "2026-11-20T10:05:00Z", "1677-09-21T00:12:43.145224193Z", "2262-04-11T23:47:16.854775806Z"},
		schema.String:  {nil, "FINISHED", "", `a "ü", b`},
	}
	var rows []string
	for n := range 4 {
		row := map[string]any{"extra": cells[schema.String][n], "flag": cells[schema.Number][n]}
		for _, f := range set.Fields {
			row[f.Name] = cells[f.Type][n]
		}
		raw, _ := json.Marshal(row)
		rows = append(rows, string(raw))
	}
	return page(rows...)
}

// The saved query is JSON that other programs write, too. Any input yields a frame that Grafana can read, or a 400.
func FuzzQuery(f *testing.F) {
	at := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC).UnixMilli()
	for _, seed := range []string{
		`{}`, `[]`, `{"days":1e999}`, `{"queryType":"automations","days":7,"sort":{"field":"label","order":"asc"},"limit":2}`,
		`{"queryType":"runners","columns":["tasks","_id","extra"],"sort":{"field":"flag","order":"desc"},"search":"a"}`,
		`{"format":"numeric","measure":"tasks","groupBy":["state"],"filters":[{"key":"state","operator":"=~","value":"a|b"}]}`,
		`{"format":"timeseries","measure":"duration","groupBy":["machineId"],"timeField":"dateLastModified","timezone":"America/Sao_Paulo","limit":1}`,
		`{"queryType":"automations","format":"numeric","measure":"savings","groupBy":["label"],"sort":{"field":"savings"}}`,
		`{"format":"timeseries","measure":"tasks","groupBy":["state"],"compare":"month","per":"day","timezone":"Europe/Berlin"}`,
		`{"format":"attention"}`, `{"format":"attention","groupBy":["machineId"],"attention":{"failures":"2","slow":0.5,"silent":0}}`,
		`{"format":"timeseries","measure":"occupancy","compare":"previous","per":"month"}`,
		`{"format":"numeric","measure":"successRate","groupBy":["state"],"compare":"previous","days":7,"untilNow":true}`,
		`{"queryType":"automations","format":"timeseries","measure":"savings","compare":"previous","per":"month","timezone":"America/Sao_Paulo"}`,
		`{"queryType":"automations","format":"numeric","measure":"savings","compare":"year","groupBy":["label"]}`,
		`{"days":30,"filters":[{"key":"id","operator":"=|","values":["1",""]},{"key":"dateCreation","operator":">","value":"2026-01-31"}]}`,
	} {
		f.Add([]byte(seed), "", at, at+86_400_000, int64(60_000), int64(1000))
		f.Add([]byte(seed), "runners", int64(math.MinInt64), int64(math.MaxInt64), int64(-1), int64(0))
	}
	s := servicetest.New()
	for _, set := range schema.All() {
		s.Data(set.Path, servicetest.OK(extremes(set)))
	}
	i := newInstance(f.Context(), source(s.Start(f).URL, "currency", "BRL", "cacheTTL", 3600), schema.All())
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, raw []byte, queryType string, from, to, interval, points int64) {
		frames, err := i.answer(t.Context(), t.Context(), backend.DataQuery{
			JSON: raw, QueryType: queryType, Interval: time.Duration(interval) * time.Millisecond, MaxDataPoints: points,
			TimeRange: backend.TimeRange{From: time.UnixMilli(from), To: time.UnixMilli(to)},
		}, false, now)
		if err != nil {
			require.ErrorIs(t, err, inputerror.Err)
			return
		}
		require.NotEmpty(t, frames)
		for _, out := range frames {
			raw, err := out.MarshalArrow()
			require.NoError(t, err)
			arrived, err := data.UnmarshalArrowFrame(raw)
			require.NoError(t, err)
			require.Equal(t, out.Rows(), arrived.Rows())
		}
	})
}
