package plugin

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/require"
)

// What the service of these tests accepts and gives.
const (
	testLogin = "robot@example.com"
	testKey   = "key-that-nobody-may-see"
	testToken = "token-that-nobody-may-see"

	loginPath       = "/api/v2/workspace/login"
	tasksPath       = "/api/v1/insights/tasks"
	automationsPath = "/api/v1/insights/automation"
	runnersPath     = "/api/v1/insights/runner"
)

// quiet takes the complaints of servers about the handshakes that tests make fail.
var quiet = log.New(io.Discard, "", 0)

// service is the reporting service, scripted: each path answers with what a test gives it. It keeps what was asked.
type service struct {
	mu      sync.Mutex
	answers map[string]http.HandlerFunc
	asked   []*http.Request
}

// newService answers a login with the right key, and gives a little data of each kind.
func newService() *service {
	s := &service{answers: map[string]http.HandlerFunc{}}
	s.on(loginPath, s.logIn)
	s.on(tasksPath, guarded(page(
		`{"id":1,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":"intake","machineId":"m-1","dateCreation":"2026-11-20T09:00:00.000+00:00"}`,
		`{"id":2,"state":"START","finishStatus":null,"activityLabel":"Invoices","machineId":null,"dateCreation":"2026-11-20T10:00:00.000+00:00"}`,
	)))
	s.on(automationsPath, guarded(page(
		`{"label":"b-intake","name":"Zeta intake","repositoryLabel":"finance","taskCount":7,"successRate":0.9}`,
		`{"label":"a-invoices","name":"Invoices","repositoryLabel":"finance","taskCount":3,"successRate":0.5}`,
		`{"label":"c-nameless","name":null,"repositoryLabel":null,"taskCount":1,"successRate":null}`,
	)))
	s.on(runnersPath, guarded(`[{"_id":"m-2","tasks":5,"utilizationRate":0.5},{"_id":"m-1","tasks":2,"utilizationRate":0.1}]`))
	return s
}

func (s *service) on(path string, answer http.HandlerFunc) *service {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers[path] = answer
	return s
}

func (s *service) logIn(w http.ResponseWriter, r *http.Request) {
	var body struct{ Login, Key string }
	if json.NewDecoder(r.Body).Decode(&body) != nil || body.Login != testLogin || body.Key != testKey {
		status(http.StatusUnauthorized, `{"message":"Invalid credentials"}`)(w, r)
		return
	}
	status(http.StatusOK, `{"accessToken":"`+testToken+`","organizationLabel":"acme"}`)(w, r)
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r.Clone(r.Context()))
	answer := s.answers[r.URL.Path]
	s.mu.Unlock()
	if answer == nil {
		answer = status(http.StatusNotFound, `{"message":"no such route"}`)
	}
	answer(w, r)
}

// requests returns what was asked of a path; of all paths for "".
func (s *service) requests(path string) []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found []*http.Request
	for _, r := range s.asked {
		if path == "" || r.URL.Path == path {
			found = append(found, r)
		}
	}
	return found
}

func (s *service) count(path string) int { return len(s.requests(path)) }

// start serves, and returns a data source for it; settings are jsonData beside the login, by name and value in turn.
func (s *service) start(t *testing.T, settings ...any) *Instance {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return newInstance(t, source(server.URL, settings...))
}

// source is the settings of a data source, as Grafana hands them over.
func source(url string, settings ...any) backend.DataSourceInstanceSettings {
	jsonData := map[string]any{"login": testLogin}
	for i := 0; i+1 < len(settings); i += 2 {
		jsonData[settings[i].(string)] = settings[i+1]
	}
	raw, err := json.Marshal(jsonData)
	if err != nil {
		panic(err)
	}
	return backend.DataSourceInstanceSettings{
		UID: "test", Name: "Test", Type: ID, URL: url, JSONData: raw,
		DecryptedSecureJSONData: map[string]string{"key": testKey},
	}
}

func newInstance(t *testing.T, source backend.DataSourceInstanceSettings) *Instance {
	t.Helper()
	made, err := NewInstance(t.Context(), source)
	require.NoError(t, err)
	i := made.(*Instance)
	t.Cleanup(i.Dispose)
	return i
}

// status answers with a JSON body; header holds names and values in turn.
func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// guarded answers to who has logged in.
func guarded(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("token") != testToken || r.Header.Get("organization") == "" {
			status(http.StatusUnauthorized, `{"message":"Unknown token"}`)(w, r)
			return
		}
		status(http.StatusOK, body)(w, r)
	}
}

// page is an envelope with all rows on one page.
func page(rows ...string) string {
	content := ""
	for i, row := range rows {
		if i > 0 {
			content += ","
		}
		content += row
	}
	return fmt.Sprintf(`{"content":[%s],"number":0,"size":20,"totalElements":%d,"totalPages":1}`, content, len(rows))
}
