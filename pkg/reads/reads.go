// Package reads answers questions about rows: it decides who shares a read, what is kept of it, and when it is read
// again. It depends neither on HTTP, nor on the service's JSON, nor on Grafana's frames.
package reads

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/budget"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// Config holds the validated settings of reads.
type Config struct {
	MaxConcurrent    int           // requests in flight at once
	CacheTTL         time.Duration // 0 turns the cache off
	MaxRows          int           // rows read for one query
	PageSize         int           // requested rows per page; 0: the service's default
	Incremental      bool          // a repeated read requests only what may have changed
	FullReadInterval time.Duration // after which what is kept is checked against a full read; 0: every read is one
}

// Reads reads the data sets of one service. It is safe for concurrent use. A new one is created when the settings
// change, so what is kept does not outlive them.
type Reads struct {
	config Config
	source pages.Source
	cache  *cache
	budget *budget.Budget
	sizes  *paging.Sizes
	reuse  guard // rows that have ended do not change, so rows of earlier reads are reused
	order  guard // tasks come newest first, so all questions about them share one list

	mu    sync.Mutex
	lists map[string]*list // lists that are being read, or waited for

	gather     time.Duration   // refer to the constant
	background context.Context // ends with Close
	stop       context.CancelFunc
	auditing   atomic.Bool
}

// New returns Reads for a source.
func New(config Config, source pages.Source) *Reads {
	c := &Reads{
		config: config, source: source, cache: newCache(cacheBytes), budget: budget.New(),
		sizes: paging.NewSizes(config.PageSize), lists: map[string]*list{}, gather: gather,
	}
	c.background, c.stop = context.WithCancel(context.Background())
	return c
}

// Close ends reads in the background, evicts the cache, and stops its timer.
func (c *Reads) Close() {
	c.stop()
	c.cache.close()
}

// Read describes what to read from the service.
type Read struct {
	pages.Question
	// Goal says which rows are needed. With a start, they are the rows since then, and Days only has to reach it.
	// Without one, they are the rows that the service lists for Days.
	Goal paging.Goal
}

// Result is the result of a read. Callers share it and must not modify it.
type Result struct {
	Table    *columns.Table
	Stats    Stats
	Total    int       // total reported by the service
	ReadAt   time.Time // when the read ended
	Reused   bool      // from the cache
	Executed string    // description of the requests, without secrets
	Warnings []string  // what is missing or could not be parsed
	Notes    []string  // additional information

	began      time.Time
	days       int // requested
	incomplete paging.Incomplete
	atEnd      bool // the list has no rows behind those of Table
	ordered    bool // rows are newest first
	set        *datasets.DataSet
	texts      int64 // bytes of the texts of Table
}

// Complete reports whether the rows are all that the service lists, as far as is known.
func (r *Result) Complete() bool { return r.atEnd && len(r.Warnings) == 0 }

// reused returns the result as one from the cache.
func (r *Result) reused() *Result {
	reused := *r
	reused.Reused = true
	return &reused
}

// ErrIncomplete is the kind of errors about rows that may be missing.
var ErrIncomplete = errors.New("incomplete rows")

// Incomplete returns why numbers computed from the rows may be wrong, or "": the data changed during every attempt to
// read it, or there are more rows than Config.MaxRows.
func (r *Result) Incomplete() string {
	if r.incomplete == paging.Moved || r.incomplete == paging.Cut {
		return r.Warnings[0]
	}
	return ""
}

// Read returns the rows of a data set. Questions about one list share its reads, in flight and for Config.CacheTTL
// afterwards. A later read requests only what may have changed (refer to package paging).
//
// Errors are *service.Error, or those of a context that ended.
func (c *Reads) Read(ctx context.Context, r Read) (*Result, error) {
	key := c.key(r)
	defer c.auditIfDue(key, r)
	if kept := c.cached(key, r); kept != nil {
		readsServed.WithLabelValues(r.DataSet.Name, "cache").Inc()
		return kept.reused(), nil
	}
	result, shared, err := c.wait(ctx, key, r)
	source := "service"
	if shared {
		source = "shared"
	}
	readsServed.WithLabelValues(r.DataSet.Name, source).Inc()
	return result, err
}

// key identifies the list that a question is about. The page size is not part of it: the rows are the same.
func (c *Reads) key(r Read) string {
	q := r.Question
	q.Size = 0
	if c.sharesDays(r.DataSet) {
		q.Days = 0
	}
	return c.source.Describe(q)
}

// sharesDays reports whether the lists of different days begin with the same rows: the newest come first.
func (c *Reads) sharesDays(set *datasets.DataSet) bool { return set.HasTimes() && c.order.holds() }

// cached returns a kept result that answers a question and is fresh, or nil.
func (c *Reads) cached(key string, r Read) *Result {
	return c.kept(key).answer(r, func(result *Result) bool {
		return time.Since(result.ReadAt) < c.config.CacheTTL && (result.Stats.Kept == 0 || c.reuse.holds())
	})
}

// predicts reports whether rows of an earlier read of a data set may be reused.
func (c *Reads) predicts(set *datasets.DataSet) bool {
	return c.config.Incremental && c.config.FullReadInterval > 0 && set.End != nil && set.Parameters.Page != "" && c.reuse.holds()
}
