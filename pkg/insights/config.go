// Package insights reads the Insights reporting API: it logs in, reads pages side by side and gives back typed
// columns. It knows HTTP and the service's JSON, and nothing of Grafana's frames.
package insights

import "time"

const (
	// maxReadTime ends a read that nobody ends otherwise; no panel or alert rule waits longer.
	maxReadTime = 10 * time.Minute
	// cacheBytes bounds what a data source keeps for cacheTTL: some reads of 100,000 tasks.
	cacheBytes = 128 << 20
)

// Config is what the client needs to know of the data source settings, already checked.
type Config struct {
	BaseURL       string // http or https, without a trailing slash
	Login         string
	Key           string        // secret
	Organization  string        // sent instead of what login returned; empty: what login returned
	RunnersPath   string        // path of the runners route
	Timeout       time.Duration // of one request, for messages; the HTTP client enforces it
	MaxConcurrent int           // requests in flight at once
	CacheTTL      time.Duration // 0 switches the cache off
	MaxRows       int           // rows read for one query
	UserAgent     string
}
