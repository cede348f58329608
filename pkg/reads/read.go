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
	bytes    int64
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
		if err == nil {
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
	reader := &reader{reads: c, read: r, texts: pages.NewTexts()}
	read, err := reader.all(ctx)
	if err != nil {
		return nil, err
	}
	table, problems, repeated := assemble(r.DataSet, read)
	result := &Result{Table: table, Total: reader.total, Executed: reader.executed()}
	result.Warnings = reader.warnings(table.Rows, repeated)
	if most := c.most(r); table.Rows > most {
		trim(table, most)
	}
	for _, p := range problems {
		result.Warnings = append(result.Warnings, p.Notice())
	}
	result.ReadAt = time.Now()
	result.Stats = Stats{
		Pages: len(read), Rows: table.Rows, Took: time.Since(start),
		Requests: reader.usage.Requests.Load(), Bytes: reader.usage.Bytes.Load(),
	}
	result.bytes = table.Bytes() + reader.texts.Size()
	rowsRead.WithLabelValues(r.DataSet.Name).Add(float64(table.Rows))
	return result, nil
}

// most is how many rows a read gives at the most.
func (c *Reads) most(r Read) int {
	if r.Limit > 0 {
		return min(r.Limit, c.config.MaxRows)
	}
	return c.config.MaxRows
}

// Probe reads one page, past cache and shared reads, and returns how many records match. It is the health check's
// question.
func (c *Reads) Probe(ctx context.Context, set *datasets.DataSet, days int) (total int, err error) {
	reader := &reader{reads: c, read: Read{Question: pages.Question{DataSet: set, Days: days}, Limit: 1}, texts: pages.NewTexts()}
	p, err := reader.page(ctx, 0)
	if err != nil {
		return 0, err
	}
	return max(p.Total, p.Rows), nil
}

// executed describes the requests of a read: its address, and how many pages.
func (r *reader) executed() string {
	address := r.reads.source.Describe(r.read.Question)
	if r.lastPage > 0 {
		return fmt.Sprintf("%s … page=%d (%d pages)", address, r.lastPage, r.lastPage+1)
	}
	return address
}
