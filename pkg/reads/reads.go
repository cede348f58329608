// Package reads answers questions about rows: it decides which list of the service answers a question, what is kept in
// memory, and what may be missing. It depends neither on the service's JSON nor on Grafana's frames.
package reads

import (
	"context"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// longestRead bounds a read; no panel or alert rule waits longer.
	longestRead = 10 * time.Minute
	// largeReads is how many full reads of many pages run at once: with maxRows and the limit of a response, it bounds
	// the memory of reads in flight.
	largeReads = 4
	// unorderedTime is how long lists of different days are read separately after one was not newest first.
	unorderedTime = time.Hour
)

// Config holds the validated settings of reads.
type Config struct {
	MaxConcurrent    int           // requests in flight at once
	CacheTTL         time.Duration // how old an answer may be; 0 turns the cache off
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
	large  *semaphore.Weighted
	ended  context.Context // ends with Close
	end    context.CancelFunc

	mu        sync.Mutex
	unordered map[string]time.Time // until when lists of different days are read separately, by data set

	oldest Background[time.Time]
}

// New returns Reads for a source.
func New(config Config, source pages.Source) *Reads {
	r := &Reads{
		config: config, source: source, cache: newCache(cacheBytes, max(longestRead, 2*config.CacheTTL, 2*config.FullReadInterval)),
		large: semaphore.NewWeighted(largeReads), unordered: map[string]time.Time{},
	}
	r.ended, r.end = context.WithCancel(context.Background())
	return r
}

// Close ends reads in the background, and evicts the cache.
func (r *Reads) Close() {
	r.end()
	r.cache.close()
}

// Ended ends with Close.
func (r *Reads) Ended() context.Context { return r.ended }

// Question describes what to read from the service.
type Question struct {
	pages.Question
	// Goal says which of the rows are needed. Its Days are the days of the question.
	Goal list.Goal
}

// Result is the result of a read. Callers share it and must not modify it.
type Result struct {
	Table    *columns.Table
	Stats    Stats
	ReadAt   time.Time // when the oldest of the rows that may have changed since was requested
	Reused   bool      // no request was made for it
	Executed string    // description of the requests, without secrets
	Warnings []Warning // what is missing or could not be parsed

	organization string
	missing      string // why rows are missing; empty: none are
	atEnd        bool   // the list has no rows behind these
}

// Stats is the cost of a read.
type Stats struct {
	Pages    int
	Rows     int
	Requests int64 // HTTP requests for data, including retries
	Bytes    int64 // of the responses, decompressed
	Took     time.Duration
}

// Complete reports whether the rows are all that the service lists, as far as is known.
func (r *Result) Complete() bool { return r.atEnd && len(r.Warnings) == 0 }

// Missing returns why rows are missing, so that numbers computed from them may be wrong; empty if none are.
func (r *Result) Missing() string { return r.missing }

// ErrIncomplete is the kind of errors about rows that are missing.
var ErrIncomplete = errors.New("incomplete rows")

// Read answers a question. Questions about one list share what was read of it for Config.CacheTTL, and a later read
// requests only what may have changed (refer to package list).
//
// Errors are *service.Error, or the cause of a context that ended.
func (r *Reads) Read(ctx context.Context, q Question) (*Result, error) {
	return r.readSince(ctx, q, time.Now().Add(-r.config.CacheTTL))
}

// readSince answers a question with rows that are not older than a time.
func (r *Reads) readSince(ctx context.Context, q Question, since time.Time) (*Result, error) {
	ctx, cancel := context.WithTimeout(ctx, longestRead)
	defer cancel()
	rows := r.cache.list(r.key(q.Question), func() *list.List { return r.newList(q.Question) })
	q.Goal.Days = q.Days
	found, err := rows.Read(ctx, q.Goal, since)
	if err == nil && found.Unordered {
		r.separate(q.DataSet)
	}
	r.cache.put(r.key(q.Question), rows) // If lists of days are separate from now on, it is the one of these days.
	if err != nil {
		return nil, err
	}
	count(q.DataSet, found)
	return r.result(q, found), nil
}

// newList returns the list that a question is about.
func (r *Reads) newList(q pages.Question) *list.List {
	return list.New(list.Config{
		Source: source{r.source, q, r.config.MaxRows}, DataSet: q.DataSet, Concurrent: r.config.MaxConcurrent, Size: r.sizeFor(q.DataSet),
		MaxRows: r.config.MaxRows, Predicts: r.predicts(q.DataSet), AuditAfter: max(r.config.FullReadInterval, r.config.CacheTTL),
		Large: r.large, Ended: r.ended,
		Audit: func(outcome string) { auditsMade.WithLabelValues(q.DataSet.Name, outcome).Inc() },
	})
}

// predicts reports whether what was read of a data set predicts the next read: some of its rows do not change anymore.
func (r *Reads) predicts(set *schema.DataSet) bool {
	return r.config.Incremental && r.config.FullReadInterval > 0 && set.End != nil && set.Parameters.Page != ""
}

func (r *Reads) sizeFor(set *schema.DataSet) int {
	if set.Parameters.Size == "" {
		return 0
	}
	return r.config.PageSize
}

// key identifies the list that a question is about. Lists of different days begin with the same rows if the newest come
// first.
func (r *Reads) key(q pages.Question) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if q.DataSet.HasTimes() && time.Now().After(r.unordered[q.DataSet.Name]) {
		q.Days = 0
	}
	return r.source.Describe(q)
}

// separate reads lists of different days separately for a while, because rows are not newest first.
func (r *Reads) separate(set *schema.DataSet) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unordered[set.Name] = time.Now().Add(unorderedTime)
}

// source requests pages of the list that a question is about.
type source struct {
	pages.Source
	question pages.Question
	maxRows  int
}

// Page requests a page; see list.Source.
func (s source) Page(ctx context.Context, r list.PageRequest) (*list.Response, error) {
	q, usage := s.question, &service.Usage{}
	q.Days, q.Size = r.Days, r.Size
	page, err := s.Source.Page(ctx, q, r.Number, s.maxRows, r.Texts, usage)
	if err != nil {
		return nil, err
	}
	return &list.Response{Page: page, Organization: usage.Organization, Ahead: usage.Ahead, Requests: usage.Requests, Bytes: usage.Bytes}, nil
}
