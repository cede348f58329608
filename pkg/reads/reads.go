// Package reads answers questions about rows: it decides which list of the service answers a question, what is kept in
// memory, and what may be missing. It depends neither on the service's JSON nor on Grafana's frames.
package reads

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	longestRead   = 10 * time.Minute // of what is read in the background; and since when rows that answer late are known
	slowAge       = 5 * time.Minute  // how much older than asked for rows may be in a rule, and in a panel without a warning
	longerWait    = 10 * time.Second // how long a question waits for a refresh of a list of more days before it reads its own
	patience      = 25 * time.Second // how long a question waits. Grafana gives up a rule after 30 s
	oneMoment     = time.Minute      // how far apart windows may have been read whose differences are the activity between their starts
	firstPages    = 8                // that ReadFirst reads at most: to refresh all rows costs no more
	largeReads    = 4                // full reads of many pages at once: this bounds their memory
	windowsAtOnce = 8                // of one query that are read concurrently, so that other queries can run
)

// Config holds the validated settings of reads.
type Config struct {
	MaxConcurrent    int           // requests in flight at once
	CacheTTL         time.Duration // how old an answer may be; 0 turns the cache off
	MaxRows          int           // rows read for one query
	PageSize         int           // requested rows per page; 0: the service's default
	Incremental      bool          // a repeated read requests only what may have changed
	FullReadInterval time.Duration // within which each page of a list that is looked at is read again; 0: every read is a full one
}

// Reads reads the data sets of one service. It is safe for concurrent use. Settings that change make a new one, which keeps nothing.
type Reads struct {
	config Config
	source *pages.Source
	large  *semaphore.Weighted
	ended  context.Context // ends with Close
	end    context.CancelFunc
	oldest Background[time.Time]
	silent sync.Map // by the name of a data set: since when the service does not answer, as far as is known
}

// New returns Reads for a source.
func New(config Config, source *pages.Source) *Reads {
	r := &Reads{config: config, source: source, large: semaphore.NewWeighted(largeReads)}
	r.ended, r.end = context.WithCancel(context.Background())
	return r
}

// Close ends reads in the background, and evicts the lists.
func (r *Reads) Close() {
	r.end()
	lists.drop(r)
}

// Ended ends with Close.
func (r *Reads) Ended() context.Context { return r.ended }

// idle returns how long a list is kept that nobody asks for.
func (r *Reads) idle() time.Duration {
	return max(longestRead, 2*r.config.CacheTTL, r.config.FullReadInterval)
}

// Result is the result of a read. It is the caller's, but for Table, which is shared and must not be modified.
type Result struct {
	Table    *columns.Table
	Stats    paging.Cost // of the read
	AsOf     time.Time   // when the oldest of the rows that may have changed since was requested
	Reused   bool        // an earlier read, or that of another caller, answers
	Executed string      // description of the requests, without secrets
	Warnings []Warning   // what is missing or could not be parsed

	Unreadable   []pages.Unread // the fields with values that could not be read, and are null
	Later        []pages.Unread // the fields with times after now
	IsFirst      bool           // there are other rows, which the question does not need
	Ahead        time.Duration  // of the service's clock, which dates the rows; 0 if it is about ours, or rows have no times
	Organization string         // owner of the rows, as in the requests for them
	Late         error          // why older rows answer; nil: they are as new as was asked for
	Missing      string         // why rows are missing or may be, so that numbers computed from them may be wrong; empty if none are
}

// ErrIncomplete is the kind of errors about rows or values that are missing, and ErrSlow of those that tell to ask again.
var ErrIncomplete, ErrSlow = errors.New("incomplete rows"), list.ErrSlow

// said are the kinds of failures with which a service answers, but not with rows.
var said = []error{ErrSlow, ErrIncomplete, service.ErrLogin, service.ErrUnauthorized, service.ErrRateLimited, service.ErrForbidden, service.ErrNotFound, service.ErrRejected, service.ErrTooLarge}

// isSilence reports whether an error means that the service does not answer.
func isSilence(err error) bool {
	e, is := errors.AsType[*service.Error](err)
	return is && !slices.Contains(said, e.Kind)
}

// heed remembers since when the service does not answer about a data set: the first read that failed since one succeeded.
func (r *Reads) heed(set *schema.DataSet, err error) {
	switch {
	case isSilence(err):
		r.silent.LoadOrStore(set.Name, time.Now())
	case err == nil:
		r.silent.Delete(set.Name)
	}
}

// SilentSince returns since when the service does not answer about a data set; zero if an error does not say so.
func (r *Reads) SilentSince(set *schema.DataSet, err error) (since time.Time) {
	if at, isKnown := r.silent.Load(set.Name); isKnown && isSilence(err) {
		since = at.(time.Time)
	}
	return since
}

// Patient returns a context whose patience ends so long after a question arrived. It is then answered with older rows or, if there
// are none, told to ask again, while reading goes on for a moment (list.Slow).
func Patient(ctx context.Context, arrived time.Time) (context.Context, context.CancelFunc) {
	return context.WithDeadlineCause(ctx, arrived.Add(patience), list.Slow("page", 0, 0, patience))
}

// Progress returns how far a slow service has come, such as "120/451"; empty if an error does not tell to ask again.
func Progress(err error) string {
	if e, is := errors.AsType[*service.Error](err); is && errors.Is(e, ErrSlow) {
		return e.Cause.Error()
	}
	return ""
}

// Read answers a question with all rows of its days. Equal ones share what was read for Config.CacheTTL, and a later read
// requests only what may have changed (refer to package paging). The first one begins with what is known of a list over other days.
//
// The rows are in the order of the service, whatever the question sorts by: sorted by a field with ties, a service may list a row on
// two pages, and another one on none. Errors are *service.Error, or the cause of a context that ended.
func (r *Reads) Read(ctx context.Context, q schema.Question) (*Result, error) {
	q.Sort = nil
	results, err := answers(ctx, r.since(), r.list(q, 0))
	if err != nil {
		return nil, err
	}
	return results[0], nil
}

// ReadOrMore is Read for a question that rows of more days answer, too: those of the longest list that is kept, if it is flawless.
func (r *Reads) ReadOrMore(ctx context.Context, q schema.Question) (*Result, error) {
	q.Sort = nil
	if l, n := lists.longest(r.name(q)); l != nil && r.predicts(q.DataSet) {
		longest, since := &shared{r, n, r.sized(over(q, n.days), 0), l}, r.since()
		brief, cancel := context.WithTimeout(ctx, longerWait)
		defer cancel()
		if found, err := longest.read(brief, since); err == nil && isFlawless(found) && !isTooOld(found, since) {
			return longest.result(found), nil
		}
	}
	return r.Read(ctx, q)
}

// ReadFirst is Read for a question that so many of the first rows may answer, and reads only their pages. all reports whether there
// are no others. Without a result, use Read: so many rows are no saving, the list is kept or being read, or a longer one is known.
func (r *Reads) ReadFirst(ctx context.Context, q schema.Question, rows int) (result *Result, all bool, err error) {
	whole := q
	whole.Sort = nil
	n := r.name(whole)
	most := min(r.config.MaxRows, firstPages*cmp.Or(r.source.Size(r.sized(q, 0)), pages.UsualSize))
	if _, isKnown := lists.nearest(n); isKnown || rows >= most || lists.has(n) {
		return nil, false, nil
	}
	l, asked := r.list(q, rows), time.Now()
	found, err := l.read(ctx, r.since())
	list.Settle(asked, err, l.list)
	if err != nil {
		return nil, false, err
	}
	if all = found.Lack == paging.Complete; found.Lack == paging.Cut {
		first := *found
		first.Lack = paging.Complete // Nobody asked for the others.
		found = &first
	}
	result = l.result(found)
	result.IsFirst = !all
	return result, all, nil
}

// Windows reads the same question over several numbers of days, descending, all as of one moment: the difference of two windows is
// what happened between their starts. The first error stops all reads, and is returned as from Read.
func (r *Reads) Windows(ctx context.Context, q schema.Question, days []int) ([]*Result, error) {
	windows, err := r.windows(ctx, q, days, time.Now().Add(-min(r.config.CacheTTL, oneMoment)))
	if err == nil && !areOfOne(windows) {
		windows, err = r.windows(ctx, q, days, time.Now()) // Some were read before the organization changed.
	}
	if err == nil && !areOfOne(windows) {
		err = &service.Error{Kind: ErrIncomplete, Message: "the organization changed while the windows of the query were read: refresh to read them again"}
	}
	if err != nil {
		return nil, err
	}
	if spread := spreadOf(windows); spread >= oneMoment {
		missing := fmt.Sprintf("its windows were read over %s, so what happened meanwhile is in some of them only: select fewer points", spread.Round(time.Second))
		windows[0].Missing, windows[0].Warnings = missing, append(windows[0].Warnings, Warning{"moments", missing})
	}
	if areAlike(windows, q.DataSet.CountField) {
		windows[0].Warnings = append(windows[0].Warnings, Warning{"days", fmt.Sprintf(
			"the service returns the same totals for %d and for %d days: all of them are from the latter, or it does not heed the number of days", days[0], days[len(days)-1])})
	}
	return windows, nil
}

func (r *Reads) windows(ctx context.Context, q schema.Question, days []int, since time.Time) ([]*Result, error) {
	var lists []*shared
	for _, d := range days {
		lists = append(lists, r.list(over(q, d), 0))
	}
	return answers(ctx, since, lists...)
}

func areOfOne(windows []*Result) bool {
	return !slices.ContainsFunc(windows, func(w *Result) bool { return w.Organization != windows[0].Organization })
}

// spreadOf returns how long it took to read windows, from the first request to the last response.
func spreadOf(windows []*Result) time.Duration {
	first, last := windows[0].AsOf, windows[0].AsOf
	for _, w := range windows {
		first = columns.Earlier(first, w.AsOf)
		if end := w.AsOf.Add(w.Stats.Took); end.After(last) {
			last = end
		}
	}
	return last.Sub(first)
}

func (r *Reads) since() time.Time { return time.Now().Add(-r.config.CacheTTL) }

type shared struct {
	*Reads
	name
	question schema.Question // for all of its rows
	list     *list.List
}

// list returns the list that a question is about, or that of so many of its first rows.
func (r *Reads) list(q schema.Question, rows int) *shared {
	n := r.name(q)
	n.rows = rows
	q = r.sized(q, rows)
	return &shared{r, n, q, lists.list(n, func() *list.List { return r.newList(q, n) })}
}

// answers answers questions about lists with rows that are not older than a time, or all of them with an error.
func answers(ctx context.Context, since time.Time, of ...*shared) ([]*Result, error) {
	asked, results, lists := time.Now(), make([]*Result, len(of)), make([]*list.List, len(of))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(windowsAtOnce)
	for i, s := range of {
		lists[i] = s.list
		group.Go(func() (err error) {
			defer service.Recover(&err)
			results[i], err = s.answer(ctx, since)
			return err
		})
	}
	err, late, done := group.Wait(), error(nil), 0
	for _, r := range results {
		if r != nil && r.Late != nil {
			late = r.Late
		} else if r != nil {
			done++
		}
	}
	if len(of) > 1 && Progress(err) != "" {
		err = list.Slow("window", done, len(of), time.Since(asked))
	}
	list.Settle(asked, cmp.Or(err, late), lists...)
	return results, err
}

// answer answers a question with rows that are not older than a time or, while a slow service is read, with those that are kept.
func (s *shared) answer(ctx context.Context, since time.Time) (*Result, error) {
	found, err := s.read(ctx, since)
	var late error
	switch kept := s.list.Kept(); {
	case kept != nil && Progress(err) != "" && time.Since(kept.AsOf.Add(min(kept.Cost.Took, longestRead))) < longestRead:
		shared := *kept
		shared.Shared = true
		found, late, err = &shared, err, nil
	case err != nil:
		return nil, err
	case isTooOld(found, since): // The next question is not answered with them.
		late = &service.Error{Kind: ErrIncomplete, Message: fmt.Sprintf(
			"the service is slow: it took longer than %s to read its rows. Ask again, or ask for fewer days", slowAge)}
	}
	result := s.result(found)
	if result.Late = late; late != nil {
		result.Warnings = append(result.Warnings, Warning{"late", fmt.Sprintf("these rows are of %s ago: %s", time.Since(found.AsOf).Round(time.Second), late)})
	}
	return result, nil
}

func isTooOld(found *paging.Result, since time.Time) bool {
	return found.AsOf.Before(since.Add(-slowAge))
}

func isFlawless(found *paging.Result) bool {
	return found != nil && found.Lack == paging.Complete && len(found.Problems) == 0 && found.Repeated == 0 && !found.Keyless
}

func (s *shared) read(ctx context.Context, since time.Time) (*paging.Result, error) {
	found, err := s.list.Read(ctx, since, s.similar)
	if err == nil {
		count(s.question.DataSet, found)
	}
	return found, err
}

// similar returns what is known of the nearest list over other days; nil: nothing. Panels ask for several at once: the first is waited for.
func (s *shared) similar(ctx context.Context) *paging.Prediction {
	known, _ := lists.nearest(s.name)
	if earlier := lists.begin(s.name); known == nil && earlier != nil {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		earlier.Await(ctx)
		known, _ = lists.nearest(s.name)
	}
	return known
}

func (r *Reads) newList(q schema.Question, n name) *list.List {
	c := list.Config{
		DataSet: q.DataSet, Concurrent: r.config.MaxConcurrent, MaxRows: cmp.Or(n.rows, r.config.MaxRows),
		Interval: max(r.config.FullReadInterval, r.config.CacheTTL), Large: r.large, Predicts: n.rows == 0 && r.predicts(q.DataSet),
	}
	c.Page = func(ctx context.Context, p list.PageRequest) (*pages.Page, error) {
		q := q
		if p.Rows > 0 && q.Size > 0 {
			q.Size = p.Rows
		}
		return r.source.Page(ctx, q, p.Number, c.MaxRows, p.Texts)
	}
	var l *list.List
	c.Ended, c.Done = r.ended.Done(), func(err error) {
		r.heed(q.DataSet, err)
		lists.count(n, l)
	}
	l = list.New(c)
	return l
}

// predicts reports whether what was read of a data set predicts the next read: some of its rows do not change anymore.
func (r *Reads) predicts(set *schema.DataSet) bool {
	return r.config.Incremental && r.config.FullReadInterval > 0 && set.End != nil && set.Parameters.Page != ""
}

func (r *Reads) name(q schema.Question) name {
	days := q.Days
	q.Days, q.Size = 0, 0
	return name{reads: r, of: r.source.Describe(q), days: days}
}

// sized returns the question with the size of its pages: no more rows than are kept, of so many of the first; 0: all.
func (r *Reads) sized(q schema.Question, rows int) schema.Question {
	q.Size = min(r.config.PageSize, cmp.Or(rows, r.config.MaxRows))
	return q
}

func over(q schema.Question, days int) schema.Question {
	q.Days = days
	return q
}
