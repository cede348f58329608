package servicetest

import (
	"net/http"
	"sync"
)

// Gate blocks requests until a test releases them, and records the maximum in flight.
type Gate struct {
	// Release releases one request per value; once closed, it releases all.
	Release chan struct{}

	mu        sync.Mutex
	now, peak int
}

// NewGate returns a closed gate.
func NewGate() *Gate { return &Gate{Release: make(chan struct{})} }

// Hold counts a request as finished before its response is written: from then on the client may send the next one.
func (g *Gate) Hold(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.now++
		g.peak = max(g.peak, g.now)
		g.mu.Unlock()
		<-g.Release
		g.mu.Lock()
		g.now--
		g.mu.Unlock()
		answer(w, r)
	}
}

// InFlight returns how many requests are blocked now.
func (g *Gate) InFlight() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now
}

// Peak returns the maximum of InFlight.
func (g *Gate) Peak() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.peak
}
