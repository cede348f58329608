package servicetest

import (
	"net/http"
	"sync"
)

// Gate holds requests until a test lets them go, and knows the most that were in flight at once.
type Gate struct {
	// Pass lets one request go for each value; closed, it lets all go.
	Pass chan struct{}

	mu        sync.Mutex
	now, peak int
}

// NewGate makes a gate that is shut.
func NewGate() *Gate { return &Gate{Pass: make(chan struct{})} }

// Hold counts a request as over before its answer is written: from then on the client may send the next one.
func (g *Gate) Hold(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		g.mu.Lock()
		g.now++
		g.peak = max(g.peak, g.now)
		g.mu.Unlock()
		<-g.Pass
		g.mu.Lock()
		g.now--
		g.mu.Unlock()
		answer(w, r)
	}
}

// InFlight is how many requests are held now.
func (g *Gate) InFlight() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now
}

// Peak is the most that were held at once.
func (g *Gate) Peak() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.peak
}
