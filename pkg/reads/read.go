package reads

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Read says what to read from the service.
type Read struct {
	pages.Question
	Limit  int     // rows that are enough, as they come; 0: all, up to Config.MaxRows
	Newest *Newest // which rows are enough where the newest come first; nil: all
	// Whole reads all rows, whatever was read before: what it gives rests on no assumption about the service.
	Whole bool
}

// Result is what a read gave. Callers share it and must not change it.
type Result struct {
	Table    *columns.Table
	Stats    Stats
	Total    int       // matching rows that the service reported
	ReadAt   time.Time // when the read ended
	Reused   bool      // it came from the cache
	Executed string    // the requests, without secrets
	Warnings []string  // what was cut short or could not be read
	Notes    []string  // what else is worth knowing
	began    time.Time
	// organization is whose rows they are.
	organization string
	whole        bool    // false where the data moved and rows may be missing
	base         *base   // what the next read can begin from; nil: it has to be whole
	newest       *Newest // which rows it has; nil: all
	bytes        int64   // what it holds
	// keptUntil is how long the base is of use: for the next read, and for the whole one after that to compare with.
	keptUntil time.Time
}

// Complete says whether the rows are all that the service lists, as far as anybody can know.
func (r *Result) Complete() bool {
	return r.newest == nil && len(r.Warnings) == 0 && r.Table.Rows >= r.Total
}

// Read returns the rows of a data set. Reads that mean the same share one, in flight and for Config.CacheTTL after. A read
// that is made again later asks for what may have changed (see repeat).
//
// Errors are *service.Error, or those of a context that ended.
func (c *Reads) Read(ctx context.Context, r Read) (*Result, error) {
	key := c.key(r)
	if kept := c.kept(key, r); kept != nil {
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

// key names what a read asks for. The page size is no part of it: the rows are the same.
func (c *Reads) key(r Read) string {
	q := r.Question
	q.Size = 0
	return c.source.Describe(q) + "#" + strconv.Itoa(r.Limit)
}

// kept returns a result of the cache that answers a read, or nil.
func (c *Reads) kept(key string, r Read) *Result {
	kept := c.cache.get(key)
	if kept != nil && (kept.Stats.Kept == 0 || !r.Whole && c.canRepeat(kept)) {
		return kept // Rows of an earlier read are not shown for longer than they may be kept.
	}
	if r.Newest == nil || r.Whole {
		return nil
	}
	if kept = c.cache.get(key + newestKey); kept != nil && kept.newest.covers(r.Newest) {
		return kept
	}
	return nil
}

// run reads from the service, together with others that ask for the same at the same time.
func (c *Reads) run(ctx context.Context, key string, r Read) (result *Result, shared bool, err error) {
	believed := c.cache.peek(key)
	switch {
	case !r.Whole && c.canRepeat(believed):
		return c.share(ctx, key+repeatedKey, func(ctx context.Context, t *tracker) (*Result, error) {
			return c.readAgain(ctx, key, r, believed.base, t)
		})
	case r.Newest != nil && !r.Whole && c.order.holds():
		return c.share(ctx, key+newestKey+r.Newest.key(), func(ctx context.Context, t *tracker) (*Result, error) {
			return c.readNewest(ctx, key, r, t)
		})
	default:
		return c.readWhole(ctx, key, r)
	}
}

// canRepeat says whether a read can begin from what was read before.
func (c *Reads) canRepeat(believed *Result) bool {
	return believed != nil && believed.base != nil && time.Since(believed.base.wholeAt) < c.config.FullReadInterval && c.trust.holds()
}

// readAgain reads what may have changed since a base, or everything where that does not add up.
func (c *Reads) readAgain(ctx context.Context, key string, r Read, b *base, t *tracker) (*Result, error) {
	result, err := c.repeat(ctx, r, b, t)
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
	return c.share(ctx, key, func(ctx context.Context, t *tracker) (*Result, error) {
		result, err := c.readFresh(ctx, r, t)
		if err == nil {
			c.keep(key, r, result)
		}
		return result, err
	})
}

// keep puts a result into the cache, unless rows may be missing.
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

func (c *Reads) readFresh(ctx context.Context, r Read, t *tracker) (*Result, error) {
	start := time.Now()
	hold, err := c.budget.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer hold.leave()
	reader := &reader{reads: c, read: r, most: c.most(r), texts: pages.NewTexts(), hold: hold, tracker: t}
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
	result.Warnings = c.warnings(reader, p, rows)
	c.complete(result, reader.texts.Size())
	readsMade.WithLabelValues(r.DataSet.Name, extent).Inc()
	return result, nil
}

// complete fills in what every result has. texts is the bytes of the texts of its rows.
func (c *Reads) complete(result *Result, texts int64) {
	result.ReadAt = time.Now()
	if result.base != nil {
		result.keptUntil = result.base.wholeAt.Add(2 * c.config.FullReadInterval)
	}
	result.bytes = result.size() + texts
}

// stats is what the read has cost so far.
func (r *reader) stats(rows int, start time.Time) Stats {
	rowsRead.WithLabelValues(r.read.DataSet.Name).Add(float64(rows))
	return Stats{
		Pages: r.pages, Rows: rows, Took: time.Since(start),
		Requests: r.usage.Requests.Load(), Bytes: r.usage.Bytes.Load(),
	}
}

// resultBytes is what a result takes beside its table and texts.
const resultBytes = 512

func (r *Result) size() int64 {
	n := resultBytes + r.Table.Bytes() + int64(len(r.Executed))
	for _, warning := range r.Warnings {
		n += int64(len(warning))
	}
	return n
}

// most is how many rows a read gives at the most.
func (c *Reads) most(r Read) int {
	if r.Limit > 0 {
		return min(r.Limit, c.config.MaxRows)
	}
	return c.config.MaxRows
}

// executed describes the requests of a read: its address, and how many pages. The pages after page 0 are asked for as many
// rows as that has.
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
