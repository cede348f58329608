package plugin

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func options(t *testing.T, i *Instance, address string) [][2]string {
	t.Helper()
	got := get(t, i, address)
	require.Equal(t, 200, got.Status, "%s", got.Body)
	assert.Equal(t, []string{"application/json"}, got.Headers["Content-Type"])
	var all []struct{ Value, Text string }
	require.NoError(t, json.Unmarshal(got.Body, &all), "%s", got.Body)
	out := [][2]string{}
	for _, o := range all {
		out = append(out, [2]string{o.Value, o.Text})
	}
	return out
}

func TestSuggestions(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(page(
		`{"id":10,"state":"START","machineId":17,"totalItems":5,"extra":true}`,
		`{"id":9,"state":"FINISHED","machineId":null,"totalItems":null}`,
		`{"id":8,"state":"START","machineId":"m-1","totalItems":12}`,
	)))
	i := start(t, s)
	for address, want := range map[string][][2]string{
		"automations":             {{"c-nameless", "c-nameless"}, {"a-invoices", "Invoices"}, {"b-intake", "Zeta intake"}},
		"automations?search=IN":   {{"a-invoices", "Invoices"}, {"b-intake", "Zeta intake"}},
		"automations?search=zeta": {{"b-intake", "Zeta intake"}},
		"runners":                 {{"m-1", "m-1"}, {"m-2", "m-2"}},
		"values?field=state":      {{"FINISHED", "FINISHED"}, {"START", "START"}},
		"values?field=machineId":  {{"17", "17"}, {"m-1", "m-1"}},
		"values?field=extra":      {{"true", "true"}},
		"values?queryType=automations&field=repositoryLabel": {{"finance", "finance"}},
		"values?field=organizationLabel":                     {{"acme", "acme"}},
		"values?queryType=automations&field=dataSource":      {{"Test", "Test"}},
		"values?field=dataSource&search=elsewhere":           {},
		"values?queryType=automations&field=name&search=zet": {{"Zeta intake", "Zeta intake"}},
	} {
		assert.Equal(t, want, options(t, i, address), address)
	}
}

// Suggestions look back as far as the service's default, or as requested.
func TestDaysOfSuggestions(t *testing.T) {
	for address, want := range map[string]string{"automations": "filterBy=30", "automations?days=3": "filterBy=3", "values?field=state&days=90": "days=90"} {
		s := newService()
		options(t, start(t, s), address)
		assert.Contains(t, s.Requests("")[1].URL.RawQuery, want)
	}
}

func TestBadResourceRequests(t *testing.T) {
	for address, says := range map[string][]string{
		"values?queryType=robots&field=state":          {"robots", "tasks, automations, runners"},
		"values?field=colour":                          {"colour", "activityLabel"},
		"automations?days=0":                           {"days", "0", "from 1 to 100000"},
		"values?field=state&days=soon":                 {"days", "soon"},
		"values?field=state&days=99999999999999999999": {"days", "99999999999999999999"},
	} {
		got := get(t, start(t, newService()), address)
		assert.Equal(t, 400, got.Status, address)
		servicetest.RequireSays(t, sentence(t, got.Body), says, address)
	}
}

func sentence(t *testing.T, body []byte) string {
	t.Helper()
	var answer struct{ Message string }
	require.NoError(t, json.Unmarshal(body, &answer), "%s", body)
	return answer.Message
}

// The proxy route returns the service's own response, with its status and type. Cookies and headers of Grafana do not reach the
// service, and callers cannot choose another token or organization.
func TestProxyRoute(t *testing.T) {
	for _, path := range []string{tasksPath, automationsPath, runnersPath} {
		s := newService().On(path, servicetest.Status(200, `{"as":"it is"}`, "Content-Type", "application/vnd.insights+json"))
		got := call(t, start(t, s), &backend.CallResourceRequest{
			Method: http.MethodGet, URL: strings.TrimPrefix(path, "/") + "?page=3&days=7&sort=label%2Cdesc&x=a+b&x=%26", Body: []byte(`{"x":1}`),
			Headers: map[string][]string{"Cookie": {"grafana_session=hunter2"}, "Authorization": {"Bearer hunter2"}, "X-Grafana-Id": {"x"},
				"Token": {"mine"}, "Organization": {"other"}, "Host": {"elsewhere.test"}, "X-Http-Method-Override": {"DELETE"}},
		})
		assert.Equal(t, 200, got.Status)
		assert.Equal(t, `{"as":"it is"}`, string(got.Body))
		assert.Equal(t, []string{"application/vnd.insights+json"}, got.Headers["Content-Type"])
		for _, r := range s.Requests("") {
			for name := range r.Header {
				assert.Contains(t, []string{"Accept", "Accept-Encoding", "Content-Length", "Content-Type", "Organization", "Token", "User-Agent"}, name)
			}
			assert.True(t, strings.HasPrefix(r.Host, "127.0.0.1"))
		}
		sent := s.Requests(path)
		require.Len(t, sent, 1)
		assert.Equal(t, http.MethodGet, sent[0].Method)
		assert.Zero(t, sent[0].ContentLength)
		assert.Equal(t, map[string][]string{"page": {"3"}, "days": {"7"}, "sort": {"label,desc"}, "x": {"a b", "&"}}, map[string][]string(sent[0].URL.Query()))
		assert.Equal(t, []string{servicetest.Token(1)}, sent[0].Header["Token"])
		assert.Equal(t, []string{"acme"}, sent[0].Header["Organization"])
	}
}

func stuckReader(t *testing.T) (reader backend.CallResourceResponseSenderFunc, waiting *atomic.Int64) {
	waiting = &atomic.Int64{}
	return func(*backend.CallResourceResponse) error {
		waiting.Add(1)
		<-t.Context().Done()
		return nil
	}, waiting
}

func callTasks(t *testing.T, i *Instance, reader backend.CallResourceResponseSender) error {
	t.Helper()
	path := strings.TrimPrefix(tasksPath, "/")
	return i.CallResource(t.Context(), &backend.CallResourceRequest{Method: http.MethodGet, Path: path, URL: path}, reader)
}

// A few responses are passed on at once, and others wait. Readers that stop do not keep them from theirs: they are given up, although
// they still hold what they have.
func TestProxyRouteOfReadersThatStop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService()
		i := startInBubble(t, s)
		stuck, waiting := stuckReader(t)
		var readers sync.WaitGroup
		for range forwardedAtOnce {
			readers.Go(func() { assert.ErrorIs(t, callTasks(t, i, stuck), errUnsent) })
		}
		synctest.Wait()
		require.Equal(t, int64(forwardedAtOnce), waiting.Load())
		asked := s.Count(tasksPath)
		ctx, leave := context.WithTimeout(t.Context(), time.Millisecond)
		defer leave()
		assert.ErrorIs(t, i.handlers()[tasksPath](ctx, nil, nil), context.DeadlineExceeded)
		assert.Equal(t, asked, s.Count(tasksPath), "nothing is requested for who has left")
		assert.Equal(t, 200, get(t, i, "api/v1/insights/tasks").Status)
		readers.Wait()
		assert.Equal(t, int64(forwardedAtOnce), waiting.Load())
	})
}

// A response is sent in pieces. One that breaks off is an error.
func TestProxyRouteOfALongResponse(t *testing.T) {
	body, pieces := strings.Repeat(" ", 5*pieceBytes), 0
	i := start(t, newService().On(tasksPath, servicetest.InTurn(servicetest.OK(body), servicetest.CutLength(body))))
	require.NoError(t, callTasks(t, i, backend.CallResourceResponseSenderFunc(func(r *backend.CallResourceResponse) error {
		pieces++
		assert.Len(t, r.Body, pieceBytes)
		return nil
	})))
	assert.Equal(t, 5, pieces)
	assert.Equal(t, 502, get(t, i, "api/v1/insights/tasks").Status)
}

// The path of the runners route is a setting; the resource name is fixed.
func TestProxyRouteOfRunnersFollowsTheSetting(t *testing.T) {
	s := newService().Data("/custom/runners", servicetest.OK(`[{"_id":"custom"}]`))
	i := start(t, s, "runnersPath", "/custom/runners")
	assert.Equal(t, `[{"_id":"custom"}]`, string(get(t, i, "api/v1/insights/runner").Body))
	assert.Equal(t, 404, get(t, i, "custom/runners").Status)
	assert.Zero(t, s.Count(runnersPath))
}

func TestNothingElsePassesTheProxyRoute(t *testing.T) {
	s := newService().On("/", servicetest.Status(200, `leak`)).On("/admin", servicetest.Status(200, `leak`)).On("/api/v1/insights/", servicetest.Status(200, `leak`))
	i := start(t, s)
	for _, path := range []string{
		"", "/", "admin", "api", "api/v1/insights", "api/v1/insights/", "api/v1/insights/tasks/", "api/v1/insights/tasks/1",
		"api/v1/insights/automations", "api/v1/insights/TASKS", "api/v2/workspace/login", "api/v1/insights/../insights/tasks",
		"api/v1/insights/tasks/../../../../admin", "../admin", "api/v1/insights/..", "api//v1/insights/tasks", "//api/v1/insights/tasks",
		"./api/v1/insights/tasks", "api/v1/insights/%2e%2e/insights/tasks", "api/v1/insights%2Ftasks", "api/v1/insights/tasks%00",
		"api/v1/insights/tasks%2F..%2Fadmin", `api\v1\insights\tasks`, "api/v1/insights/tasks;x=1", "values/", "automations/x",
	} {
		got := get(t, i, path)
		assert.Equal(t, 404, got.Status, path)
		assert.NotContains(t, string(got.Body), "leak", path)
	}
	for _, method := range []string{
		http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodHead, http.MethodOptions, http.MethodTrace, http.MethodConnect, "get", "PURGE",
	} {
		for _, path := range []string{"api/v1/insights/tasks", "api/v1/insights/automation", "api/v1/insights/runner", "automations", "runners", "values"} {
			got := call(t, i, &backend.CallResourceRequest{Method: method, URL: path})
			assert.Equal(t, 405, got.Status, method+" "+path)
			assert.Equal(t, []string{"GET"}, got.Headers["Allow"], method+" "+path)
		}
	}
	assert.Zero(t, s.Count(""), "nothing is sent to the service, not even a login")
}
