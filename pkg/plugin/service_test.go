package plugin

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	loginPath       = servicetest.LoginPath
	tasksPath       = servicetest.TasksPath
	automationsPath = servicetest.AutomationsPath
	runnersPath     = servicetest.RunnersPath
)

func newService() *servicetest.Fake {
	recent := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	return servicetest.New().
		Data(tasksPath, servicetest.OK(page(
			`{"id":1,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":"intake","machineId":"m-1","dateCreation":"`+recent+`"}`,
			`{"id":2,"state":"START","finishStatus":null,"activityLabel":"Invoices","machineId":null,"dateCreation":"2020-11-20T10:00:00.000+00:00"}`,
		))).
		Data(automationsPath, servicetest.OK(page(
			`{"label":"b-intake","name":"Zeta intake","repositoryLabel":"finance","taskCount":7,"successRate":0.9}`,
			`{"label":"a-invoices","name":"Invoices","repositoryLabel":"finance","taskCount":3,"successRate":0.5}`,
			`{"label":"c-nameless","name":null,"repositoryLabel":null,"taskCount":1,"successRate":null}`,
		))).
		Data(runnersPath, servicetest.OK(`[{"_id":"m-2","tasks":5,"utilizationRate":0.5},{"_id":"m-1","tasks":2,"utilizationRate":0.1}]`))
}

func page(rows ...string) string {
	return fmt.Sprintf(`{"content":[%s],"number":0,"size":20,"totalElements":%d,"totalPages":1}`, strings.Join(rows, ","), len(rows))
}

// start serves, and returns a data source for it; settings alternates names and values of jsonData besides the login.
func start(t *testing.T, f *servicetest.Fake, settings ...any) *Instance {
	t.Helper()
	return create(t, source(f.Start(t).URL, settings...))
}

// startInBubble serves in memory, in a bubble of synctest.
func startInBubble(t *testing.T, f *servicetest.Fake) *Instance {
	t.Helper()
	address, httpClient := f.StartInBubble(t)
	t.Cleanup(httpClient.CloseIdleConnections)
	i := create(t, source(address))
	i.client = service.New(i.settings.Service, httpClient)
	i.source.Client = i.client
	return i
}

func source(url string, settings ...any) backend.DataSourceInstanceSettings {
	jsonData := map[string]any{"login": servicetest.Login}
	for i := 0; i+1 < len(settings); i += 2 {
		jsonData[settings[i].(string)] = settings[i+1]
	}
	raw, err := json.Marshal(jsonData)
	if err != nil {
		panic(err)
	}
	return backend.DataSourceInstanceSettings{
		UID: "test", Name: "Test", Type: ID, URL: url, JSONData: raw,
		DecryptedSecureJSONData: map[string]string{"key": servicetest.Key},
	}
}

func create(t *testing.T, source backend.DataSourceInstanceSettings) *Instance {
	t.Helper()
	i := newInstance(t.Context(), source, schema.All())
	t.Cleanup(i.Dispose)
	return i
}

const day = 24 * time.Hour

func dataQuery(refID, query string) backend.DataQuery {
	q := over(query, 7*day, 0)
	q.RefID = refID
	return q
}

func over(query string, from, to time.Duration) backend.DataQuery {
	last := backend.TimeRange{From: time.Now().Add(-from), To: time.Now().Add(-to)}
	return backend.DataQuery{RefID: "A", JSON: json.RawMessage(query), TimeRange: last, Interval: time.Hour, MaxDataPoints: 500}
}

func ask(t *testing.T, i *Instance, query string) backend.DataResponse {
	t.Helper()
	return askAll(t, t.Context(), i, dataQuery("A", query))["A"]
}

func askAll(t *testing.T, ctx context.Context, i *Instance, queries ...backend.DataQuery) backend.Responses {
	t.Helper()
	response, err := i.QueryData(ctx, &backend.QueryDataRequest{Queries: queries})
	require.NoError(t, err)
	require.Len(t, response.Responses, len(queries), "an answer for every refId")
	return response.Responses
}

func askFrame(t *testing.T, i *Instance, query string) *data.Frame {
	t.Helper()
	response := ask(t, i, query)
	require.NoError(t, response.Error)
	require.Equal(t, backend.StatusOK, response.Status)
	require.Len(t, response.Frames, 1)
	return response.Frames[0]
}

func column(t *testing.T, f *data.Frame, name string) []string {
	t.Helper()
	field, _ := f.FieldByName(name)
	require.NotNil(t, field, "field %s", name)
	var out []string
	for row := range field.Len() {
		value, ok := field.ConcreteAt(row)
		if !ok {
			out = append(out, "null")
			continue
		}
		raw, err := json.Marshal(value)
		require.NoError(t, err)
		out = append(out, strings.Trim(string(raw), `"`))
	}
	return out
}

func get(t *testing.T, i *Instance, path string) *backend.CallResourceResponse {
	t.Helper()
	return call(t, i, &backend.CallResourceRequest{Method: http.MethodGet, URL: path})
}

func call(t *testing.T, i *Instance, r *backend.CallResourceRequest) *backend.CallResourceResponse {
	t.Helper()
	r.Path, _, _ = strings.Cut(r.URL, "?")
	var got *backend.CallResourceResponse
	err := i.CallResource(t.Context(), r,
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

func with(query, properties string) string { return strings.Replace(query, "}", ","+properties+"}", 1) }

var secrets = []string{servicetest.Key, servicetest.TokenPrefix, "hunter2"}

var logged = &recorder{}

// TestMain runs the tests and then checks everything that the plugin logged.
func TestMain(m *testing.M) {
	log.DefaultLogger = logged
	code := m.Run()
	for _, secret := range secrets {
		for _, line := range logged.lines {
			if strings.Contains(line, secret) {
				fmt.Printf("a secret was logged: %s\n", line)
				code = 1
			}
		}
	}
	os.Exit(code)
}

type recorder struct {
	mu    sync.Mutex
	lines []string
}

func (r *recorder) log(msg string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf("%s %+v", msg, args))
}

func (r *recorder) Debug(msg string, args ...any)          { r.log(msg, args...) }
func (r *recorder) Info(msg string, args ...any)           { r.log(msg, args...) }
func (r *recorder) Warn(msg string, args ...any)           { r.log(msg, args...) }
func (r *recorder) Error(msg string, args ...any)          { r.log(msg, args...) }
func (r *recorder) With(args ...any) log.Logger            { r.log("with", args...); return r }
func (r *recorder) Level() log.Level                       { return log.Debug }
func (r *recorder) FromContext(context.Context) log.Logger { return r }
