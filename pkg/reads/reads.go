// Package reads answers one question with rows: it knows which pages to ask for, and shares, keeps and bounds what it
// reads. It knows neither HTTP, nor the service's JSON, nor Grafana's frames.
package reads

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Config is what reading needs to know of the data source settings, already checked.
type Config struct {
	MaxConcurrent    int           // requests in flight at once
	CacheTTL         time.Duration // 0 turns the cache off
	MaxRows          int           // rows read for one query
	PageSize         int           // rows asked for in one page; 0: the service's own
	Incremental      bool          // a repeated read asks for what may have changed
	FullReadInterval time.Duration // after which a repeated read is whole again; 0: always
}

// Reads reads the data sets of one service. It is safe for use by many goroutines, and is made anew when the settings
// change: what it keeps goes with the old one.
type Reads struct {
	config   Config
	source   pages.Source
	inFlight flight.Group[*Result]
	tracked  trackers // what is in flight
	cache    *cache
	budget   *budget
	sizes    sizes
	trust    trust // in what repeated reads rest on
	order    trust // in the newest rows coming first
}

// New makes Reads that ask source.
func New(config Config, source pages.Source) *Reads {
	return &Reads{
		config: config,
		source: source,
		cache:  newCache(cacheBytes, config.CacheTTL),
		budget: newBudget(),
		sizes:  sizes{want: config.PageSize},
	}
}

// Close drops what is kept, and the timer that would.
func (c *Reads) Close() { c.cache.close() }
