// Package servicetest is a scripted Insights reporting API for the tests of the other packages. It is based on the
// specification, not on the code under test.
package servicetest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// What the fake accepts and returns.
const (
	Login        = "robot@example.com"
	Key          = "key-that-nobody-may-see"
	Organization = "acme"
	// TokenPrefix is the prefix of every token: tests must not find any of them in output.
	TokenPrefix = "token-that-nobody-may-see"

	LoginPath       = "/api/v2/workspace/login"
	TasksPath       = "/api/v1/insights/tasks"
	AutomationsPath = "/api/v1/insights/automation"
	RunnersPath     = "/api/v1/insights/runner"
)

// Quiet discards the log of servers whose handshakes tests make fail.
var Quiet = log.New(io.Discard, "", 0)

// Request is a received request, with its body as text.
type Request struct {
	*http.Request
	Text string
}

// Fake is the service: each path responds with the handler that a test sets, behind the token check of the real one. It
// records requests. It is safe for concurrent use.
type Fake struct {
	mu     sync.Mutex
	routes map[string]http.HandlerFunc
	asked  []Request
	issued int
	valid  string
}

// New returns a service with only a login route.
func New() *Fake {
	f := &Fake{routes: map[string]http.HandlerFunc{}}
	f.routes[LoginPath] = f.LogIn
	return f
}

// On sets the handler of a path, without a token check.
func (f *Fake) On(path string, answer http.HandlerFunc) *Fake {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.routes[path] = answer
	return f
}

// Data sets the handler of a path for requests with the newest token and the organization; others get a 401.
func (f *Fake) Data(path string, answer http.HandlerFunc) *Fake {
	return f.On(path, func(w http.ResponseWriter, r *http.Request) {
		f.mu.Lock()
		ok := f.valid != "" && r.Header.Get("token") == f.valid && r.Header.Get("organization") == Organization
		f.mu.Unlock()
		if !ok {
			Status(http.StatusUnauthorized, `{"message":"token expired"}`)(w, r)
			return
		}
		answer(w, r)
	})
}

// LogIn handles a login: it issues a new token, which invalidates the previous one.
func (f *Fake) LogIn(w http.ResponseWriter, r *http.Request) {
	var body struct{ Login, Key string }
	if json.NewDecoder(r.Body).Decode(&body) != nil || body.Login != Login || body.Key != Key {
		Status(http.StatusUnauthorized, `{"message":"Invalid credentials"}`)(w, r)
		return
	}
	f.mu.Lock()
	f.issued++
	f.valid = Token(f.issued)
	token := f.valid
	f.mu.Unlock()
	OK(fmt.Sprintf(`{"accessToken":%q,"organizationLabel":%q}`, token, Organization))(w, r)
}

// Token returns the token of the nth login, from 1.
func Token(n int) string { return fmt.Sprintf("%s-%d", TokenPrefix, n) }

// Expire invalidates the newest token.
func (f *Fake) Expire() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.valid = ""
}

func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	f.mu.Lock()
	f.asked = append(f.asked, Request{Request: r.Clone(r.Context()), Text: string(body)})
	answer := f.routes[r.URL.Path]
	f.mu.Unlock()
	r.Body = io.NopCloser(bytes.NewReader(body))
	if answer == nil {
		answer = Status(http.StatusNotFound, `{"message":"no such route"}`)
	}
	answer(w, r)
}

// Requests returns the requests of a path; of all paths for "".
func (f *Fake) Requests(path string) []Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	var found []Request
	for _, r := range f.asked {
		if path == "" || r.URL.Path == path {
			found = append(found, r)
		}
	}
	return found
}

// Count returns how often a path was requested; all paths for "".
func (f *Fake) Count(path string) int { return len(f.Requests(path)) }

// Start serves on the loopback interface until the test ends.
func (f *Fake) Start(t testing.TB) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return server
}

// memoryNetwork is an in-memory network. In a testing/synctest bubble, the clock advances only when all goroutines are
// durably blocked, which those waiting for a real socket never are.
type memoryNetwork struct {
	accepted chan net.Conn
	closed   chan struct{}
	once     sync.Once
}

func (n *memoryNetwork) Accept() (net.Conn, error) {
	select {
	case conn := <-n.accepted:
		return conn, nil
	case <-n.closed:
		return nil, net.ErrClosed
	}
}

func (n *memoryNetwork) Close() error {
	n.once.Do(func() { close(n.closed) })
	return nil
}

func (n *memoryNetwork) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

func (n *memoryNetwork) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case n.accepted <- far:
		return near, nil
	case <-n.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// StartInBubble serves in memory until the test ends, and returns the address and a client for it. It is for use inside
// synctest.Test, which requires all goroutines to end: callers must close the client's idle connections.
func (f *Fake) StartInBubble(t testing.TB) (address string, client *http.Client) {
	t.Helper()
	network := &memoryNetwork{accepted: make(chan net.Conn), closed: make(chan struct{})}
	server := httptest.NewUnstartedServer(f)
	_ = server.Listener.Close()
	server.Listener = network
	server.Start()
	t.Cleanup(server.Close)
	return server.URL, &http.Client{
		Transport: &http.Transport{DialContext: network.dial, MaxIdleConnsPerHost: 100},
		Timeout:   time.Minute,
	}
}
