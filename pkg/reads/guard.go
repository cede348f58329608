package reads

import (
	"fmt"
	"sync"
	"time"
)

// guardTime is how long an assumption is not relied on after a read has shown that it does not hold.
const guardTime = time.Hour

// guard records whether an assumption about the service holds. It is safe for concurrent use.
type guard struct {
	mu    sync.Mutex
	until time.Time
	why   string
}

// withdraw stops relying on the assumption for a while.
func (g *guard) withdraw(why string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.until, g.why = time.Now().Add(guardTime), why
}

// holds reports whether no recent read has disproved the assumption.
func (g *guard) holds() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return !time.Now().Before(g.until)
}

// notice says until when and why reads are full reads; "" if they are not.
func (g *guard) notice() string {
	if g.holds() {
		return ""
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return fmt.Sprintf("%s: until %s, every read requests all rows", g.why, g.until.UTC().Format("15:04 UTC"))
}
