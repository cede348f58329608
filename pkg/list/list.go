// Package list answers questions about a list that a service pages by offset while rows come in front, leave at the end,
// are removed, or jump to the front. Many callers share a List. It depends neither on HTTP nor on the use of the rows.
//
// Prediction. Whatever was read before predicts the list. A look (one attempt to bring the prediction up to date) reads
// page 0, the last page that the goal needs, and the pages with rows that may still change. Between two pages that were
// read, there are either as many rows as the prediction has between their rows, and then nothing was added or removed
// there, or not, and then the page in the middle is read, which shows in which half. This is a bisection. Without a
// prediction, all pages are read, side by side.
//
// For example, pages have 3 rows, the prediction is 1 to 12, and meanwhile 0 was added and 5 was removed. The service has
// 012 346 789 abc (a to c are 10 to 12). Page 0 is 0 1 2, page 3 is a b c. Between 2 and a, the prediction has 7 rows, 3 to
// 9, but pages 1 and 2 have 6. Page 1 is read: 3 4 6. Nothing is between it and page 0, and 3 follows 2. Between 6 and a,
// the prediction has 7 8 9, and page 2 has as many, so it need not be read. 5 was between 4 and 6: it is gone.
//
// Proof. The list must stand still during a look: all pages report the same total, no row is on two of them, and page 0,
// read again at the end, has no new row that a larger total does not explain. If all pages are read, a row that is added
// shows as a row that is on two pages, so page 0 is not read again. Otherwise, the pages that were read are the prediction
// of the next look, which needs few pages. That prediction has rows that are gone, which counting finds, and may miss rows
// where the list moved between two neighboring pages: a row that was removed in front of both pulls the first row of the
// second page over to the first, which was read already. As the removed row is still predicted, the count is right
// although another row is missing. So the border of such pages is a seam, and the pages on both sides of a seam are read
// again until the list stands still meanwhile. Hence the invariant: a prediction misses rows only next to seams and where
// the list has grown.
//
// What cannot be seen: between two reads, a row appears in the middle while another one behind it is removed, and pages on
// both sides of them, but none between, are read. A full read in the background finds it (Config.AuditAfter).
//
// Sharing. One caller at a time, the holder of a lock that respects contexts, refreshes the rows and extends them as far
// as its goal needs. The callers that wait find fresh rows, and extend them further. What a caller that leaves has received
// is the prediction of the next one. While a first read runs, its proven rows are published, and they answer questions
// that need less.
package list

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Source requests pages of a list. The rows of fewer days are the first rows of more days.
type Source interface {
	// Page requests a page. Errors are *service.Error, or the cause of a context that ended.
	Page(ctx context.Context, r PageRequest) (*Response, error)
}

// PageRequest describes a page to request.
type PageRequest struct {
	Days, Number int
	Size         int // rows of a page; 0: the service's default
	Texts        *pages.Interner
}

// Response is a page as it was received.
type Response struct {
	*pages.Page
	Organization string        // owner of the rows
	Ahead        time.Duration // how far the service's clock is ahead of this one
	Requests     int64         // HTTP requests that it took
	Bytes        int64         // of the response, decompressed
}

// Config says how to read a list.
type Config struct {
	Source
	DataSet    *schema.DataSet
	Concurrent int           // pages requested at once
	Size       int           // rows to request in a page; 0: the service's default
	MaxRows    int           // rows to read
	Predicts   bool          // what was read predicts the next read; otherwise, every read is a full one
	AuditAfter time.Duration // how old the last full read may be until one is made in the background; 0: any age
	// Large bounds the full reads of many pages that run at once.
	Large *semaphore.Weighted
	// Audit reports the outcome of a full read in the background: passed, changed, or failed.
	Audit func(outcome string)
	Ended context.Context // ends full reads in the background
}

// List is one list of the service. It is safe for concurrent use.
type List struct {
	Config
	lock    chan struct{} // whoever holds it reads
	waiting atomic.Int32  // callers that wait for it

	mu       sync.Mutex
	kept     *kept
	changed  chan struct{} // closed when kept or failure is replaced
	failure  *failure
	longest  int       // days of any question
	deepest  Goal      // the goal that needed most rows since the last full read in the background
	depth    int       // rows that it needed
	auditing bool      // a full read in the background is running
	audited  time.Time // when the last one ended
	sizeless time.Time // until when no page size is requested
}

// New returns a list of which nothing is known.
func New(c Config) *List {
	return &List{Config: c, lock: make(chan struct{}, 1), changed: make(chan struct{})}
}

// Lack says why rows may be missing from an answer.
type Lack string

// The reasons why rows may be missing.
const (
	Complete  Lack = ""
	Unstable  Lack = "unstable"  // the list changed during each attempt to read it
	Cut       Lack = "cut"       // there are more than Config.MaxRows
	SamePage  Lack = "same page" // the service returns the rows of page 0 for every page
	ShortPage Lack = "page"      // a page has fewer rows than it must have: Result.LackPage
	FewerRows Lack = "fewer"     // all pages together have fewer rows than the service reports
)

// Result is an answer. Tables are shared and must not be modified.
type Result struct {
	Table        *columns.Table
	ReadAt       time.Time // when the oldest of the rows that may still change was requested
	WholeAt      time.Time // when the last full read began
	Organization string    // owner of the rows
	Total        int       // rows that the service reports for the days of the goal; -1: unknown
	AtEnd        bool      // the list has no rows behind these
	Unordered    bool      // rows are not newest first, so all were read
	Lack         Lack      // why rows may be missing
	LackPage     int       // the page of ShortPage
	LackRows     int       // its rows
	LackExpected int       // the rows that it must have
	PageRows     int       // rows of page 0
	Repeated     int       // rows that the service lists more than once
	Understated  bool      // there are more rows than the service reports
	Uncounted    bool      // the service reports no total, so rows that moved while pages were read are not detected
	Keyless      bool      // rows have no key, so rows that are listed twice are not detected
	FieldsCut    bool      // there are more unknown fields than pages.MaxUnknown
	Problems     pages.Problems
	Shared       bool // another caller's read, or an earlier one, had the rows
	Cost         Cost // of the read that had the rows
}

// Cost is what a read took.
type Cost struct {
	Pages    int   // pages received
	LastPage int   // the highest number of them
	AllPages int   // number of pages of the list
	Size     int   // requested rows of page 0; 0: none
	Requests int64 // HTTP requests
	Bytes    int64 // of the responses, decompressed
	Reused   int   // rows that an earlier read had received
	Took     time.Duration
}

// Read answers a question with rows that are not older than since.
//
// Errors come from the source, or are the cause of a context that ended.
func (l *List) Read(ctx context.Context, goal Goal, since time.Time) (*Result, error) {
	arrived, length := time.Now(), -1
	for {
		known, failed, changed := l.load(goal.Days)
		if r := known.answer(goal, since); r != nil {
			return l.shared(known, goal, r), nil
		}
		if failed.concerns(goal, arrived) {
			return failed.answer()
		}
		if known != nil && known.growing {
			if r := l.aside(ctx, known, goal, since, &length); r != nil {
				return r, nil
			}
		}
		l.waiting.Add(1)
		select {
		case l.lock <- struct{}{}:
			l.waiting.Add(-1)
			return l.refresh(ctx, goal, since, arrived)
		case <-changed: // Whoever reads has published more rows, or has failed.
			l.waiting.Add(-1)
		case <-ctx.Done():
			l.waiting.Add(-1)
			return nil, context.Cause(ctx)
		}
	}
}

// shared returns an answer that needed no request.
func (l *List) shared(known *kept, goal Goal, r *Result) *Result {
	r.Shared = true
	l.auditIfDue(known, goal, r.Table.Rows)
	return r
}

// refresh reads for the holder of the lock, and releases it. Another caller may have read while it waited.
func (l *List) refresh(ctx context.Context, goal Goal, since, arrived time.Time) (*Result, error) {
	defer func() { <-l.lock }()
	before, failed, _ := l.load(goal.Days)
	if r := before.answer(goal, since); r != nil {
		return l.shared(before, goal, r), nil
	}
	if failed.concerns(goal, arrived) {
		return failed.answer()
	}
	r := &reading{goal: goal, since: since, before: before, tries: attempts, window: 2 * l.Concurrent, publish: l.store}
	now, err := l.read(ctx, r)
	if err != nil {
		if now != nil && l.Predicts {
			l.store(now.behind(before))
		}
		if ctx.Err() == nil { // Otherwise, the caller left, and the service is not to blame.
			l.fail(&failure{goal: goal, ended: time.Now(), atOnce: r.cost.Pages == 0, err: err})
		}
		return nil, err
	}
	result := now.first(r.need, r.enough)
	l.store(now)
	if result.Lack == Unstable {
		l.fail(&failure{goal: goal, ended: time.Now(), result: result})
	}
	l.auditIfDue(now, goal, r.need)
	return result, nil
}

// failureMemory is how long a failed read is not repeated: Grafana repeats the queries of a rule at once.
const failureMemory = time.Second

// failure is a read whose answer cannot be kept: an error, or rows that moved during each attempt. It answers the callers
// that waited for it, so that none waits for one timeout after the other.
type failure struct {
	goal   Goal
	ended  time.Time
	atOnce bool // not even page 0 was received, so every question fails
	result *Result
	err    error
}

// concerns reports whether a question that arrived at a time would fail, too.
func (f *failure) concerns(goal Goal, arrived time.Time) bool {
	if f == nil || arrived.After(f.ended.Add(failureMemory)) {
		return false
	}
	return goal == f.goal || f.err != nil && (f.atOnce || goal.includes(f.goal))
}

func (f *failure) answer() (*Result, error) {
	if f.result == nil {
		return nil, f.err
	}
	r := *f.result
	r.Shared = true
	return &r, nil
}

// aside answers a question while another caller reads all pages for the first time: the rows that are published
// meanwhile are the prediction of a look without the lock, of few pages. length is how many rows the goal needs, if it
// needs all of its days; -1: page 0 has to show it.
func (l *List) aside(ctx context.Context, known *kept, goal Goal, since time.Time, length *int) *Result {
	_, enough := known.needed(goal)
	if goal.All() && goal.Days < known.days {
		if *length < 0 {
			if p, err := l.request(ctx, PageRequest{Days: goal.Days, Texts: pages.NewInterner()}); err == nil {
				*length = p.Total
			}
		}
		enough = *length >= 0 && *length < known.proven
	}
	if !enough {
		return nil
	}
	r := &reading{goal: goal, since: since, before: known, tries: 1, window: l.Concurrent}
	now, err := l.read(ctx, r)
	if err != nil {
		return nil
	}
	return now.answer(goal, since)
}

// attempts is how often the list may move while it is looked at, and enoughPages returns after how many pages that is
// given up: in a list whose ties come in another order each time, no look ends.
const attempts = 16

func enoughPages(all int) int { return 3*all + 50 }

// read looks at the list until it stands still: what one look has received is the prediction of the next. If it ends with
// an error, it returns what it has received, or nil.
func (l *List) read(ctx context.Context, r *reading) (*kept, error) {
	r.began, r.texts = time.Now(), pages.NewInterner()
	r.wholeAt = r.began
	k := &look{List: l, reading: r}
	if l.Predicts && r.before != nil && r.before.predicts {
		k.before, k.organization, k.ordered = r.before.rows, r.before.result.Organization, r.before.ordered
		r.wholeAt, r.earlierTexts, r.fieldsCut = r.before.wholeAt, r.before.texts, r.before.fieldsCut
	}
	defer r.leave(l.Large)
	for n, alike := 1, 0; ; n++ {
		last := k
		k = last.next()
		err := k.run(ctx)
		if alike++; n == 1 || !k.isLike(last) {
			alike = 0
		}
		if err == nil && alike > 0 {
			err = k.refused
		}
		k.listedTwice = alike > 1 && !k.inconsistent
		switch {
		case err != nil && len(k.order) == 0:
			return nil, err
		case err != nil:
			return k.unfinished(), err
		case k.still() || n == r.tries || r.cost.Pages > enoughPages(pagesFor(k.all(), k.size)):
			return k.finished(), nil
		}
		if k.before = k.order; k.foreign || k.keyless || k.broken {
			k.before, k.organization, k.ordered = nil, "", false
			r.wholeAt, r.earlierTexts, r.fieldsCut = time.Now(), 0, false
		}
	}
}

// load returns what is known. A question about more days shows that rows behind the last one may exist.
func (l *List) load(days int) (*kept, *failure, chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.longest = max(l.longest, days)
	return l.kept, l.failure, l.changed
}

// longestDays returns the most days that a question was about.
func (l *List) longestDays() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.longest
}

func (l *List) store(now *kept) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = now
	l.wake()
}

func (l *List) fail(f *failure) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failure = f
	l.wake()
}

// wake lets the callers that wait look at what is known. The caller holds the mutex.
func (l *List) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Bytes returns the approximate memory of what is known.
func (l *List) Bytes() int64 {
	known, _, _ := l.load(0)
	if known == nil {
		return 0
	}
	return known.bytes()
}

// sizelessTime is how long no page size is requested after the service has refused it. A stray error looks the same.
const sizelessTime = time.Hour

// request requests a page: page 0 without a size if the service refuses it.
func (l *List) request(ctx context.Context, r PageRequest) (*Response, error) {
	r.Size = l.sizeOf(r)
	if r.Number > 0 {
		return l.Source.Page(ctx, r)
	}
	asked := r.Size
	p, used, err := pages.Sized(asked, func(size int) (*Response, error) {
		r.Size = size
		return l.Source.Page(ctx, r)
	})
	if err == nil && used != asked {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.sizeless = time.Now().Add(sizelessTime)
	}
	return p, err
}

// sizeOf returns how many rows to request. Other pages are requested with the number of rows that page 0 had, because a
// service that caps the size may compute offsets from the requested size.
func (l *List) sizeOf(r PageRequest) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.Size == 0 || time.Now().Before(l.sizeless):
		return 0
	case r.Number > 0:
		return r.Size
	default:
		return min(l.Size, l.MaxRows)
	}
}

// auditIfDue reads all pages in the background if the last full read is long ago, as far as questions have needed them
// since then. An audit replaces what is kept.
func (l *List) auditIfDue(known *kept, goal Goal, rows int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rows >= l.depth {
		l.depth, l.deepest = rows, goal
	}
	due := l.AuditAfter > 0 && known.predicts && !l.auditing && min(time.Since(known.wholeAt), time.Since(l.audited)) >= l.AuditAfter
	if !due || l.Ended.Err() != nil {
		return
	}
	deepest := l.deepest
	l.auditing, l.depth = true, 0
	go func() {
		outcome, err := l.audit(deepest)
		if err != nil {
			outcome = "failed"
		}
		l.Audit(outcome)
		l.mu.Lock()
		defer l.mu.Unlock()
		l.auditing, l.audited = false, time.Now()
	}()
}

var errUnstable = errors.New("the list changed during each attempt to read it")

// audit reads all pages that a goal needs, and replaces what is known with them. It returns its outcome.
func (l *List) audit(goal Goal) (outcome string, err error) {
	defer service.Recover(&err)
	const window = 2 // Others have the rest of Concurrent.
	now, err := l.read(l.Ended, &reading{goal: goal, tries: attempts, window: window})
	if err != nil {
		return "", err
	}
	if now.result.Lack == Unstable {
		return "", errUnstable
	}
	return l.replace(now, goal)
}

// replace replaces what is known with the result of an audit for a goal, and returns its outcome.
func (l *List) replace(now *kept, goal Goal) (outcome string, err error) {
	select {
	case l.lock <- struct{}{}:
	case <-l.Ended.Done():
		return "", context.Cause(l.Ended)
	}
	defer func() { <-l.lock }()
	before, _, _ := l.load(0)
	outcome = "passed"
	if before.changedSettled(now) {
		outcome = "changed"
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.depth > 0 && !goal.includes(l.deepest) {
		return outcome, nil // Meanwhile, a question needed more rows, which must not be lost. The next audit reads them, too.
	}
	l.kept = now
	l.wake()
	return outcome, nil
}
