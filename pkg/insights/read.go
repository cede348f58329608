package insights

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Read says what to read from the service.
type Read struct {
	DataSet *datasets.DataSet
	Days    int            // look back so many days; at least 1
	Search  string         // sent where the route has a search parameter; empty: all
	Sort    *datasets.Sort // sent where the route can sort by the field; nil: the service's order
	Limit   int            // rows that are enough; 0: all, up to Config.MaxRows
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
// Errors are *Error, or those of a context that ended.
func (c *Client) Read(ctx context.Context, r Read) (*Result, error) {
	key := c.url(c.path(r.DataSet), c.query(r, 0)) + "#" + strconv.Itoa(r.Limit)
	if kept := c.cache.get(key); kept != nil {
		readsServed.WithLabelValues(r.DataSet.Name, "cache").Inc()
		reused := *kept
		reused.Reused = true
		return &reused, nil
	}
	result, shared, err := c.reads.do(ctx, key, func(ctx context.Context) (*Result, error) {
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

func (c *Client) readFresh(ctx context.Context, r Read) (*Result, error) {
	start := time.Now()
	reader := &reader{client: c, read: r, texts: newInterner()}
	pages, err := reader.all(ctx)
	if err != nil {
		return nil, err
	}
	table, problems, repeated := assemble(r.DataSet, pages)
	result := &Result{Table: table, Total: reader.total, Executed: reader.executed()}
	result.Warnings = reader.warnings(table.Rows, repeated)
	if most := c.most(r); table.Rows > most {
		trim(table, most)
	}
	for _, p := range problems {
		result.Warnings = append(result.Warnings, p.notice())
	}
	result.ReadAt = time.Now()
	result.Stats = Stats{
		Pages: len(pages), Rows: table.Rows, Took: time.Since(start),
		Requests: reader.counter.requests.Load(), Bytes: reader.counter.bytes.Load(),
	}
	result.bytes = table.Bytes() + reader.texts.size()
	rowsRead.WithLabelValues(r.DataSet.Name).Add(float64(table.Rows))
	return result, nil
}

// Path returns the path of a data set's route.
func (c *Client) path(set *datasets.DataSet) string {
	if set.PathSetting == "runnersPath" && c.config.RunnersPath != "" {
		return c.config.RunnersPath
	}
	return set.Path
}

// most is how many rows a read gives at the most.
func (c *Client) most(r Read) int {
	if r.Limit > 0 {
		return min(r.Limit, c.config.MaxRows)
	}
	return c.config.MaxRows
}

func (c *Client) query(r Read, page int) url.Values {
	names := r.DataSet.Parameters
	q := url.Values{names.Days: {strconv.Itoa(r.Days)}}
	if names.Page != "" || page > 0 {
		q.Set("page", strconv.Itoa(page))
	}
	if names.Sort != "" && r.Sort != nil {
		q.Set(names.Sort, r.Sort.Field+","+r.Sort.Order)
	}
	if names.Search != "" && r.Search != "" {
		q.Set(names.Search, r.Search)
	}
	return q
}

// Probe reads one page, past cache and shared reads, and returns how many records match. It is the health check's
// question.
func (c *Client) Probe(ctx context.Context, set *datasets.DataSet, days int) (total int, err error) {
	reader := &reader{client: c, read: Read{DataSet: set, Days: days, Limit: 1}, texts: newInterner()}
	p, err := reader.page(ctx, 0)
	if err != nil {
		return 0, err
	}
	return max(p.total, p.rows), nil
}

// executed describes the requests of a read: its address, and how many pages.
func (r *reader) executed() string {
	c := r.client
	address := http.MethodGet + " " + c.url(c.path(r.read.DataSet), c.query(r.read, 0))
	if r.lastPage > 0 {
		return fmt.Sprintf("%s … page=%d (%d pages)", address, r.lastPage, r.lastPage+1)
	}
	return address
}
