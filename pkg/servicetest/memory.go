package servicetest

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

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
