// Package reads answers one question with rows: it decides which pages to request, and shares, caches and bounds reads.
// It depends neither on HTTP, nor on the service's JSON, nor on Grafana's frames.
package reads

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Config holds the validated settings of reads.
type Config struct {
	MaxConcurrent    int           // requests in flight at once
	CacheTTL         time.Duration // 0 turns the cache off
	MaxRows          int           // rows read for one query
	PageSize         int           // requested rows per page; 0: the service's default
	Incremental      bool          // a repeated read requests only what may have changed
	FullReadInterval time.Duration // after which a repeated read is a full read again; 0: always
}

// Reads reads the data sets of one service. It is safe for concurrent use. A new one is created when the settings
// change, so the cache does not outlive them.
type Reads struct {
	config   Config
	source   pages.Source
	inFlight flight.Group[*Result]
	cache    *cache
	budget   *budget
	sizes    sizes
	trust    trust // in the assumptions of repeated reads
	order    trust // in the newest rows coming first
}

// New returns Reads for a source.
func New(config Config, source pages.Source) *Reads {
	return &Reads{
		config: config,
		source: source,
		cache:  newCache(cacheBytes, config.CacheTTL),
		budget: newBudget(),
		sizes:  sizes{want: config.PageSize},
	}
}

// Close evicts the cache and stops its timer.
func (c *Reads) Close() { c.cache.close() }
