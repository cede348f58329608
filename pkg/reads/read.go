package reads

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Read says what to read from the service.
type Read struct {
	pages.Question
	Limit int // rows that are enough; 0: all, up to Config.MaxRows
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
	whole    bool      // false where the data moved and rows may be missing
	bytes    int64     // what it holds
}

// Read returns the rows of a data set. Reads that mean the same share one, in flight and for Config.CacheTTL after.
//
// Errors are *service.Error, or those of a context that ended.
func (c *Reads) Read(ctx context.Context, r Read) (*Result, error) {
	key := c.source.Describe(r.Question) + "#" + strconv.Itoa(r.Limit)
	if kept := c.cache.get(key); kept != nil {
		readsServed.WithLabelValues(r.DataSet.Name, "cache").Inc()
		reused := *kept
		reused.Reused = true
		return &reused, nil
	}
	result, shared, err := c.inFlight.Do(ctx, key, func(ctx context.Context) (*Result, error) {
		result, err := c.readFresh(ctx, r)
		if err == nil && result.whole {
			c.cache.put(key, result)
		}
		return result, err
	})
	source := "service"
	if shared {
		source = "shared"
	}
	readsServed.WithLabelValues(r.DataSet.Name, source).Inc()
	return result, err
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
		Table: table, Total: max(p.total, rows), Executed: reader.executed(p), whole: !p.unsettled, ReadAt: time.Now(),
		Stats: Stats{
			Pages: reader.pages, Rows: table.Rows, Took: time.Since(start),
			Requests: reader.usage.Requests.Load(), Bytes: reader.usage.Bytes.Load(),
		},
	}
	result.Warnings = c.warnings(reader, p, rows)
	result.bytes = result.size() + reader.texts.Size()
	rowsRead.WithLabelValues(r.DataSet.Name).Add(float64(table.Rows))
	return result, nil
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

// probeRows is how many rows the health check keeps: it counts them, and shows none.
const probeRows = 1

// Probe reads one page, past cache and shared reads, and returns how many records match. It is the health check's
// question.
func (c *Reads) Probe(ctx context.Context, set *datasets.DataSet, days int) (total int, err error) {
	q := pages.Question{DataSet: set, Days: days}
	p, err := c.source.Page(ctx, q, 0, pages.Bounds{Rows: probeRows}, pages.NewTexts(), nil)
	if err != nil {
		return 0, err
	}
	return max(p.Total, p.Table.Rows+p.Left), nil
}

// executed describes the requests of a read: its address, and how many pages.
func (r *reader) executed(p *pass) string {
	address := r.reads.source.Describe(r.read.Question)
	if p.last > 0 {
		return fmt.Sprintf("%s … page=%d (%d pages)", address, p.last, p.last+1)
	}
	return address
}
