package servicetest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"google.golang.org/grpc/test/bufconn"
)

// StartInBubble serves in memory until the test ends, and returns the address and a client for it. It is for use inside
// synctest.Test, whose clock advances only when all goroutines are durably blocked, which those waiting for a real socket
// never are. It requires all goroutines to end: callers must close the client's idle connections.
func (f *Fake) StartInBubble(t testing.TB) (address string, client *http.Client) {
	t.Helper()
	network := bufconn.Listen(64 << 10)
	server := httptest.NewUnstartedServer(f)
	_ = server.Listener.Close()
	server.Listener = network
	server.Start()
	t.Cleanup(server.Close)
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) { return network.DialContext(ctx) }
	return "http://127.0.0.1:80", &http.Client{
		Transport: &http.Transport{DialContext: dial, MaxIdleConnsPerHost: 100},
		Timeout:   time.Minute,
	}
}
