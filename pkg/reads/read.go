package reads

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Read describes what to read from the service.
type Read struct {
	pages.Question
	Limit  int     // rows needed, in the service's order; 0: all, up to Config.MaxRows
	Newest *Newest // rows needed if the newest come first; nil: all
	// Whole reads all rows without reusing earlier ones, so the result rests on no assumption about the service.
	Whole bool
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
	began    time.Time
	// organization is the owner of the rows.
	organization string
	whole        bool // false if the data changed and rows may be missing
	// cut says that there are more rows than Config.MaxRows.
	cut    bool
	base   *base   // base of the next read; nil: it has to be a full read
	newest *Newest // rows that it has; nil: all
	bytes  int64   // its size
	// keptUntil is how long the base is useful: for the next read, and for the full read afterwards to compare with.
	keptUntil time.Time
}

// Complete reports whether the rows are all that the service lists, as far as is known.
func (r *Result) Complete() bool {
	return r.newest == nil && len(r.Warnings) == 0 && r.Table.Rows >= r.Total
}

// ErrIncomplete is the kind of errors about rows that may be missing.
var ErrIncomplete = errors.New("incomplete rows")

// Incomplete returns why numbers computed from the rows may be wrong, or "": the data changed during every attempt to
// read it, or there are more rows than Config.MaxRows.
func (r *Result) Incomplete() string {
	if r.whole && !r.cut {
		return ""
	}
	return r.Warnings[0]
}

// Read returns the rows of a data set. Equivalent reads share one, in flight and for Config.CacheTTL afterwards. A
// later repetition requests only what may have changed (see repeat).
//
// Errors are *service.Error, or those of a context that ended.
func (c *Reads) Read(ctx context.Context, r Read) (*Result, error) {
	key := c.key(r)
	if kept := c.cached(key, r); kept != nil {
		readsServed.WithLabelValues(r.DataSet.Name, "cache").Inc()
		reused := *kept
		reused.Reused = true
		return &reused, nil
	}
	result, shared, err := c.run(ctx, key, r)
	source := "service"
	if shared {
		source = "shared"
	}
	readsServed.WithLabelValues(r.DataSet.Name, source).Inc()
	return result, err
}

// key identifies the question of a read. The page size is not part of it: the rows are the same.
func (c *Reads) key(r Read) string {
	q := r.Question
	q.Size = 0
	return c.source.Describe(q) + "#" + strconv.Itoa(r.Limit)
}

// cached returns a cached result that answers a read, or nil.
func (c *Reads) cached(key string, r Read) *Result {
	kept := c.cache.get(key)
	if kept != nil && (kept.Stats.Kept == 0 || !r.Whole && c.canRepeat(kept)) {
		return kept // Rows of an earlier read must not be reused for longer than allowed.
	}
	if r.Newest == nil || r.Whole {
		return nil
	}
	if kept = c.cache.get(key + newestKey); kept != nil && kept.newest.covers(r.Newest) {
		return kept
	}
	return nil
}

// run reads from the service, or joins an identical read in flight.
func (c *Reads) run(ctx context.Context, key string, r Read) (result *Result, shared bool, err error) {
	believed := c.cache.peek(key)
	switch {
	case !r.Whole && c.canRepeat(believed):
		return c.inFlight.Do(ctx, key+repeatedKey, func(ctx context.Context) (*Result, error) {
			return c.readAgain(ctx, key, r, believed.base)
		})
	case r.Newest != nil && !r.Whole && c.order.holds():
		return c.inFlight.Do(ctx, key+newestKey+r.Newest.key(), func(ctx context.Context) (*Result, error) {
			return c.readNewest(ctx, key, r)
		})
	default:
		return c.readWhole(ctx, key, r)
	}
}

// canRepeat reports whether a read can start from an earlier result.
func (c *Reads) canRepeat(believed *Result) bool {
	return believed != nil && believed.base != nil && time.Since(believed.base.wholeAt) < c.config.FullReadInterval && c.trust.holds()
}

// readAgain reads what may have changed since a base, or everything if that is inconsistent.
func (c *Reads) readAgain(ctx context.Context, key string, r Read, b *base) (*Result, error) {
	result, err := c.repeat(ctx, r, b)
	if err != nil {
		return nil, err
	}
	if result == nil || !c.trust.holds() {
		readsMade.WithLabelValues(r.DataSet.Name, "fallback").Inc()
		result, _, err = c.readWhole(ctx, key, r)
		return result, err
	}
	readsMade.WithLabelValues(r.DataSet.Name, "incremental").Inc()
	c.cache.put(key, result)
	return result, nil
}

// readWhole reads all rows.
func (c *Reads) readWhole(ctx context.Context, key string, r Read) (result *Result, shared bool, err error) {
	r.Newest = nil
	return c.inFlight.Do(ctx, key, func(ctx context.Context) (*Result, error) {
		result, err := c.readFresh(ctx, r)
		if err == nil {
			c.keep(key, r, result)
		}
		return result, err
	})
}

// keep caches a result, unless rows may be missing.
func (c *Reads) keep(key string, r Read, result *Result) {
	if !result.whole {
		return
	}
	if result.newest != nil {
		if kept := c.cache.get(key + newestKey); kept == nil || !kept.newest.covers(result.newest) {
			c.cache.put(key+newestKey, result)
		}
		return
	}
	c.audit(r.DataSet, c.cache.peek(key), result)
	if notice := c.trust.notice(); notice != "" && c.repeats(r.DataSet) {
		result.Notes = append(result.Notes, notice)
	}
	c.cache.put(key, result)
}

func (c *Reads) readFresh(ctx context.Context, r Read) (*Result, error) {
	start := time.Now()
	hold, err := c.budget.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer hold.leave()
	reader := &reader{reads: c, read: r, most: c.most(r), texts: pages.NewTexts(), hold: hold}
	p, err := reader.all(ctx)
	if err != nil {
		return nil, err
	}
	rows := p.count()
	table := p.rows.finish(p.order, reader.most)
	result := &Result{
		Table: table, Total: max(p.total, rows), Executed: reader.executed(p), whole: !p.unsettled, began: start,
		organization: reader.organization, Stats: reader.stats(table.Rows, start), base: reader.newBase(p, table, start),
	}
	extent := "whole"
	if p.early {
		result.newest, extent = r.Newest, "newest"
	}
	result.Warnings, result.cut = c.warnings(reader, p, rows), c.cuts(reader, p, rows)
	c.complete(result, reader.texts.Size())
	readsMade.WithLabelValues(r.DataSet.Name, extent).Inc()
	return result, nil
}

// complete sets the fields common to all results. texts is the size of the texts of its rows.
func (c *Reads) complete(result *Result, texts int64) {
	result.ReadAt = time.Now()
	if result.base != nil {
		result.keptUntil = result.base.wholeAt.Add(2 * c.config.FullReadInterval)
	}
	result.bytes = result.size() + texts
}

// stats returns the cost of the read so far.
func (r *reader) stats(rows int, start time.Time) Stats {
	rowsRead.WithLabelValues(r.read.DataSet.Name).Add(float64(rows))
	return Stats{
		Pages: r.pages, Rows: rows, Took: time.Since(start),
		Requests: r.usage.Requests.Load(), Bytes: r.usage.Bytes.Load(),
	}
}

// resultBytes is the size of a result in addition to its table and texts.
const resultBytes = 512

func (r *Result) size() int64 {
	n := resultBytes + r.Table.Bytes() + int64(len(r.Executed))
	for _, warning := range r.Warnings {
		n += int64(len(warning))
	}
	return n
}

// most returns the maximum number of rows of a read.
func (c *Reads) most(r Read) int {
	if r.Limit > 0 {
		return min(r.Limit, c.config.MaxRows)
	}
	return c.config.MaxRows
}

// executed describes the requests of a read: its URL, and the number of pages. The pages after page 0 request as many
// rows as page 0 has.
func (r *reader) executed(p *pass) string {
	address := r.reads.source.Describe(r.question(r.asked))
	size := ""
	if r.size != r.asked {
		size = fmt.Sprintf("&size=%d", r.size)
	}
	switch {
	case p.early:
		return fmt.Sprintf("%s … page=%d%s (%d of %d pages; %s)", address, p.tailAt, size, p.pages, p.tailAt+1, r.read.Newest.assumed())
	case p.last > 0:
		return fmt.Sprintf("%s … page=%d%s (%d pages)", address, p.last, size, p.last+1)
	default:
		return address
	}
}
