package insights

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// What the fake service accepts and gives.
const (
	testLogin        = "robot@example.com"
	testKey          = "key-that-nobody-may-see"
	testOrganization = "acme"

	tasksPath       = "/api/v1/insights/tasks"
	automationsPath = "/api/v1/insights/automation"
	runnersPath     = "/api/v1/insights/runner"
)

var (
	tasks       = datasets.Get("tasks")
	automations = datasets.Get("automations")
	runners     = datasets.Get("runners")
)

// request is what the service was asked.
type request struct {
	method, path, body string
	query              url.Values
	header             http.Header
	proto              int
}

// fake is the service, scripted: each route answers with the handler that a test gives it, behind the token check of
// the real one. It keeps what it was asked.
type fake struct {
	mu     sync.Mutex
	routes map[string]http.HandlerFunc
	asked  []request
	issued int
	valid  string
}

func newFake() *fake {
	f := &fake{routes: map[string]http.HandlerFunc{}}
	f.routes[loginPath] = f.logIn
	return f
}

// on sets the answer of a path, without a look at the token.
func (f *fake) on(path string, answer http.HandlerFunc) *fake {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.routes[path] = answer
	return f
}

// data sets the answer of a path to requests with the newest token; others are a 401.
func (f *fake) data(path string, answer http.HandlerFunc) *fake {
	return f.on(path, func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		ok := f.valid != "" && r.Header.Get("token") == f.valid && r.Header.Get("organization") == testOrganization
		f.mu.Unlock()
		if !ok {
			status(http.StatusUnauthorized, `{"message":"token expired"}`)(w, r)
			return
		}
		answer(w, r)
	})
}

// logIn issues a new token, which ends the one before.
func (f *fake) logIn(w http.ResponseWriter, r *http.Request) {
	var body struct{ Login, Key string }
	if json.NewDecoder(r.Body).Decode(&body) != nil || body.Login != testLogin || body.Key != testKey {
		status(http.StatusUnauthorized, `{"message":"Invalid credentials"}`)(w, r)
		return
	}
	f.mu.Lock()
	f.issued++
	f.valid = tokenNumber(f.issued)
	token := f.valid
	f.mu.Unlock()
	ok(fmt.Sprintf(`{"accessToken":%q,"organizationLabel":%q}`, token, testOrganization))(w, r)
}

func tokenNumber(n int) string { return fmt.Sprintf("token-that-nobody-may-see-%d", n) }

// expire ends the newest token.
func (f *fake) expire() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.valid = ""
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.asked = append(f.asked, request{
		method: r.Method, path: r.URL.Path, body: string(body), query: r.URL.Query(), header: r.Header.Clone(), proto: r.ProtoMajor,
	})
	answer := f.routes[r.URL.Path]
	f.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	if answer == nil {
		answer = status(http.StatusNotFound, `{"message":"no such route"}`)
	}
	answer(w, r)
}

// requests returns what was asked of a path; of all paths for "".
func (f *fake) requests(path string) []request {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []request
	for _, r := range f.asked {
		if path == "" || r.path == path {
			found = append(found, r)
		}
	}
	return found
}

func (f *fake) count(path string) int { return len(f.requests(path)) }

// start serves on the loopback and returns a client for it.
func (f *fake) start(t *testing.T, change ...func(*Config)) *Client {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return newClient(t, server, change...)
}

func newClient(t *testing.T, server *httptest.Server, change ...func(*Config)) *Client {
	t.Helper()
	httpClient := server.Client()
	httpClient.Timeout = time.Minute
	c := New(testConfig(server.URL, change...), httpClient)
	t.Cleanup(c.Close)
	return c
}

// testConfig has no cache, so that every read of a test reaches the service.
func testConfig(base string, change ...func(*Config)) Config {
	config := Config{
		BaseURL: base, Login: testLogin, Key: testKey, RunnersPath: runnersPath, Timeout: time.Minute,
		MaxConcurrent: 8, MaxRows: 100_000, UserAgent: "insights-test/1.0",
	}
	for _, change := range change {
		change(&config)
	}
	return config
}
