package insights

import (
	"compress/gzip"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func redirectTo(code int, target string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, code) }
}

// Go sends custom headers on to wherever a redirect points, and with 307 and 308 the body too.
func TestRedirectToAnotherHostIsRefused(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, path := range []string{loginPath, tasksPath} {
			t.Run(http.StatusText(code)+" "+path, func(t *testing.T) {
				thief := newFake().on(loginPath, ok(`{"accessToken":"T","organizationLabel":"O"}`)).on(tasksPath, ok(threeTasks))
				other := httptest.NewServer(thief)
				t.Cleanup(other.Close)
				f := newFake().data(tasksPath, ok(threeTasks)).on(path, redirectTo(code, other.URL+path))
				e := readFailing(t, f.start(t), ErrConnection)
				assert.Zero(t, thief.count(""), "nothing at all is sent there")
				assert.Equal(t, 1, f.count(path), "and it is not tried again")
				assert.Contains(t, e.Message, host(other))
				assert.Contains(t, e.Message, "base URL")
				requireNoSecrets(t, e)
			})
		}
	}
}

// The same host over another scheme is another origin: http to https says that the base URL is wrong, https to http
// would send the token in the open.
func TestRedirectToAnotherSchemeIsRefused(t *testing.T) {
	f := newFake()
	f.on(loginPath, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://"+r.Host+loginPath, http.StatusPermanentRedirect)
	})
	e := readFailing(t, f.start(t), ErrConnection)
	assert.Contains(t, e.Message, "https://127.0.0.1")
	assert.Equal(t, 1, f.count(""))
}

func TestRedirectWithinTheServiceIsFollowed(t *testing.T) {
	for _, code := range []int{301, 302, 307, 308} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			f := newFake().on(tasksPath, redirectTo(code, "/moved/tasks?page=0&days=1")).data("/moved/tasks", ok(threeTasks))
			if code >= 307 {
				f.on(loginPath, redirectTo(code, "/moved/login")).on("/moved/login", f.logIn)
			}
			result, err := f.start(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
			require.NoError(t, err)
			assert.Equal(t, 3, result.Table.Rows)
			sent := f.requests("/moved/tasks")
			require.Len(t, sent, 1)
			assert.Equal(t, tokenNumber(1), sent[0].header.Get("token"))
			assert.Equal(t, testOrganization, sent[0].header.Get("organization"))
		})
	}
}

func TestRedirectsThatNeverEnd(t *testing.T) {
	f := newFake().data(tasksPath, redirectTo(302, tasksPath))
	readFailing(t, f.start(t), ErrConnection)
	assert.LessOrEqual(t, f.count(tasksPath), 11)
}

func TestHeadersOfEveryRequest(t *testing.T) {
	f := newFake().data(tasksPath, paged(20, still(taskRange(1, 45))))
	_, err := f.start(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
	require.NoError(t, err)
	require.Equal(t, 4, f.count(""))
	for _, r := range f.requests("") {
		assert.Equal(t, "insights-test/1.0", r.header.Get("User-Agent"), "some front ends refuse requests that name nobody")
		assert.Equal(t, "application/json", r.header.Get("Accept"))
		assert.Contains(t, r.header.Get("Accept-Encoding"), "gzip")
	}
	login := f.requests(loginPath)[0]
	assert.Empty(t, login.header.Get("token"))
	assert.Empty(t, login.header.Get("organization"))
}

func zipped(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, body)
		_ = z.Close()
	}
}

func TestGzip(t *testing.T) {
	body := envelope(taskRange(1, 20), 0, 20)
	f := newFake().data(tasksPath, zipped(body))
	result, err := f.start(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
	require.NoError(t, err)
	assert.Equal(t, 20, result.Table.Rows)
	assert.EqualValues(t, len(body), result.Stats.Bytes, "unpacked")
}

func TestGzipThatIsNone(t *testing.T) {
	f := newFake().data(tasksPath, status(200, threeTasks, "Content-Encoding", "gzip"))
	_, err := f.start(t).Read(t.Context(), Read{DataSet: tasks, Days: 1})
	require.ErrorContains(t, err, "gzip")
}

// countConns counts the connections that come to a server before it starts.
func countConns(server *httptest.Server) *atomic.Int64 {
	n := &atomic.Int64{}
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			n.Add(1)
		}
	}
	return n
}

func startHTTP2(t *testing.T, f *fake) (*Client, *atomic.Int64) {
	t.Helper()
	server := httptest.NewUnstartedServer(f)
	conns := countConns(server)
	server.EnableHTTP2 = true
	server.Config.ErrorLog = quiet
	server.StartTLS()
	t.Cleanup(server.Close)
	return newClient(t, server), conns
}

func TestHTTP2(t *testing.T) {
	f := newFake().data(tasksPath, paged(20, still(taskRange(1, 399))))
	c, conns := startHTTP2(t, f)
	result, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
	require.NoError(t, err)
	assert.Equal(t, 399, result.Table.Rows)
	for _, r := range f.requests("") {
		assert.Equal(t, 2, r.proto)
	}
	assert.EqualValues(t, 1, conns.Load())
}

// A stream that breaks is the broken connection of HTTP/2.
func TestBrokenStreamIsTriedAgain(t *testing.T) {
	for name, broken := range map[string]http.HandlerFunc{
		"before the answer": drop, "in the middle of the answer": cutChunks(threeTasks), "short of its length": cutLength(threeTasks),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFake().data(tasksPath, inTurn(broken, ok(threeTasks)))
			c, _ := startHTTP2(t, f)
			result, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
			require.NoError(t, err)
			assert.Equal(t, 3, result.Table.Rows)
			assert.Equal(t, 2, f.count(tasksPath))
		})
	}
}

func TestConnectionsAreKept(t *testing.T) {
	f := newFake().data(tasksPath, paged(5, still(taskRange(1, 400))))
	server := httptest.NewUnstartedServer(f)
	conns := countConns(server)
	server.Start()
	t.Cleanup(server.Close)
	c := New(testConfig(server.URL), &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}})
	t.Cleanup(c.Close)
	for range 3 {
		_, err := c.Read(t.Context(), Read{DataSet: tasks, Days: 1})
		require.NoError(t, err)
	}
	// Go's transport may dial for a request that then finds an idle connection: some more than are in flight at once.
	assert.LessOrEqual(t, conns.Load(), int64(16), "for 241 requests")
}
