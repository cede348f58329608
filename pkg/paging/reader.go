// Package paging gets the rows of a list from its pages while the service changes it. The pages are offsets over live
// data: adding or removing a row shifts all rows behind it. It depends neither on HTTP, nor on who asks, nor on what is
// kept.
package paging

import (
	"context"
	"errors"
	"iter"
	"sync"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/budget"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

const (
	// MaxPasses bounds how often all pages are read while the data changes so much that no reading can be mended.
	MaxPasses = 3
	// maxAttempts bounds the attempts to prove one order while the data changes.
	maxAttempts = 4
)

// Source is a list as the service returns it. Errors are *service.Error, or those of a context that ended.
type Source interface {
	// Page requests a page with so many rows; 0: the service's default.
	Page(ctx context.Context, number, size int, bounds pages.Bounds) (*pages.Page, error)
	// TakeOrganizations returns the owners of the rows received since the last call.
	TakeOrganizations() []string
}

// Known is what an earlier read found. It predicts the next one.
type Known struct {
	Table        *columns.Table // in the service's order, without duplicates
	Seen         time.Time      // since when rows that were not final have not been received again
	Organization string
	Ordered      bool // the list was in descending order of the goal's Field, down to its last page
	Partial      bool // an unfinished read made it, which proves nothing
	// Seams are the rows of Table next to which the list may have moved while they were received: their pages have not been
	// looked at again, because the read ended before, or needed only the rows in front.
	Seams []int
}

// Reader reads one list, for one goal or several of increasing depth. It is not safe for concurrent use.
type Reader struct {
	Source     Source
	DataSet    *datasets.DataSet
	Sizes      *Sizes
	Memory     *budget.Reservation
	Texts      *pages.Interner
	Concurrent int    // requests in flight at once
	MaxRows    int    // rows to keep
	Known      *Known // nil: nothing is known
	Began      time.Time
	KeepTail   bool // rows behind the total remain predicted, because the list is longer if more days are requested
	Sampled    bool // another read, of no fewer rows, has just looked at a page at random
	Fresh      bool // another read has just received the rows of the prediction that were not final

	rows  *ledger
	order []int // entries in the service's order, as far as they are known or predicted
	// isListed says for each entry whether it is in the order; nil: to be computed.
	isListed []bool
	attempt  *attempt
	pages    int // pages received in all attempts
	passes   int // attempts for the present goal that read all pages
	tries    int // attempts for it to prove the present order

	organization string       // owner of the rows; empty: unknown
	ordered      bool         // the last page of the list continues the order of the goal's Field
	unordered    bool         // rows are in another order, so every goal needs all of them
	changed      string       // the key of a final row of the prediction that has changed, in any attempt
	withoutSize  bool         // rows were missing with a page size
	repeated     int          // rows that the service lists more than once
	fingerprint  uint64       // of the last pass
	told         map[int]int  // the totals of its pages
	moved        map[int]bool // entries at which the list moved in earlier attempts
}

// Read reads until a goal is met. Goals of later calls must need at least as many rows.
//
// Errors are those of the source. After an error, Partial returns what is known.
func (r *Reader) Read(ctx context.Context, goal Goal) (*Listing, error) {
	r.passes, r.tries = 0, 0 // Each goal has all its attempts, whatever earlier ones needed.
	for {
		v, err := r.try(ctx, goal)
		if err != nil {
			return nil, err
		}
		if v == proven && !r.sizeMayHideRows() && !r.hasTooManyFields() {
			if err := r.expectTable(ctx); err != nil {
				return nil, err
			}
			return r.listing(goal, Complete), nil
		}
		if r.tries++; v == moved && r.tries < maxAttempts {
			r.seams()
			r.attempt, r.Fresh = nil, false // What was read predicts the next attempt.
			continue
		}
		if r.passes >= MaxPasses {
			return r.listing(goal, Moved), nil
		}
		r.StartOver()
	}
}

// Pages returns how many pages were received so far.
func (r *Reader) Pages() int { return r.pages }

// setOrder replaces the order. Otherwise, it only grows.
func (r *Reader) setOrder(order []int) { r.order, r.isListed = order, nil }

// StartOver drops all rows and the prediction, so that the next attempt reads all pages.
func (r *Reader) StartOver() {
	r.Known, r.Fresh, r.rows, r.attempt, r.tries, r.repeated = nil, false, nil, nil, 0, 0
	r.setOrder(nil)
}

// expectTable waits for the memory of a table that is assembled from the prediction, which remains in use.
func (r *Reader) expectTable(ctx context.Context) error {
	if r.rows.predicted.Rows == 0 || r.Memory.Expects() {
		return nil
	}
	return r.Memory.Expect(ctx, r.rows.predicted.Bytes()+budget.Floor)
}

// hasTooManyFields reports whether the rows of the prediction and those received now have more unknown fields together
// than a table may have as columns: which of them become columns depends on the order of all rows.
func (r *Reader) hasTooManyFields() bool {
	unknown := map[string]bool{}
	for _, table := range []*columns.Table{r.rows.predicted, r.rows.now} {
		for _, c := range table.Columns[len(r.DataSet.Fields):] {
			unknown[c.Name] = true
		}
	}
	return r.Known != nil && len(unknown) > pages.MaxUnknown
}

// sizeMayHideRows reports whether rows may be missing because of the page size, so that all pages are read without it: a
// service may honor it on page 0, and compute offsets otherwise. What that reading finds is the verdict about the size.
func (r *Reader) sizeMayHideRows() bool {
	missing := r.attempt.stuck || r.missing()
	if r.withoutSize {
		r.Sizes.decide(r.DataSet, !missing)
		return false
	}
	if _, decided := r.Sizes.verdict(r.DataSet); decided || !missing || r.attempt.asked == 0 {
		return false
	}
	r.withoutSize = true
	r.passes--
	return true
}

// page reads one page.
func (r *Reader) page(ctx context.Context, number int) (*pages.Page, error) {
	return r.pageWithin(ctx, number, r.size(), 0)
}

func (r *Reader) pageWithin(ctx context.Context, number, size int, bytes int64) (*pages.Page, error) {
	page, err := r.Source.Page(ctx, number, size, pages.Bounds{Rows: r.MaxRows, Bytes: bytes})
	if err != nil {
		return nil, err
	}
	return page, r.Memory.Add(page.Table.Bytes(), r.Texts.Size())
}

// size returns the page size to request. From page 0 on, its rows count: a service that caps the size may still compute
// offsets from the requested one.
func (r *Reader) size() int {
	if r.attempt.asked > 0 && r.attempt.size > 0 {
		return r.attempt.size
	}
	return r.attempt.asked
}

// first reads page 0, whose size is unknown. If it exceeds what every read may use, it is aborted and read again when
// there is room: waiting in the middle of a response would block a request of others.
func (r *Reader) first(ctx context.Context, size int) (*pages.Page, error) {
	if r.Memory.Expects() {
		return r.pageWithin(ctx, 0, size, 0)
	}
	page, err := r.pageWithin(ctx, 0, size, budget.Floor)
	if !errors.Is(err, service.ErrTooLarge) {
		return page, err
	}
	if err := r.Memory.TakeAll(ctx); err != nil {
		return nil, err
	}
	return r.pageWithin(ctx, 0, size, 0)
}

// inOrder reads pages side by side, and passes them on in the order of the numbers until take returns false. Only a few
// pages wait for the preceding ones at any time. past says from which number on a rejected page is an empty one.
func (r *Reader) inOrder(ctx context.Context, numbers iter.Seq[int], ahead, past int, take func(number int, page *pages.Page) (bool, error)) error {
	ctx, stop := context.WithCancelCause(ctx)
	var fetching sync.WaitGroup
	defer fetching.Wait()
	defer stop(nil)
	queue := make(chan pendingPage, max(0, ahead-1))
	fetching.Go(func() {
		defer close(queue)
		for number := range numbers {
			next := pendingPage{number: number, result: make(chan pageResult, 1)}
			select {
			case queue <- next:
			case <-ctx.Done():
				return
			}
			fetching.Go(func() { r.fetch(ctx, next, past, stop) })
		}
	})
	for next := range queue {
		var got pageResult
		select {
		case got = <-next.result:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if got.err != nil {
			return got.err
		}
		r.pages++
		more, err := take(next.number, got.page)
		if err != nil || !more {
			return err
		}
	}
	return context.Cause(ctx) // Requesting stops silently when the context ends.
}

// pendingPage is a requested page. Its channel receives the result once.
type pendingPage struct {
	number int
	result chan pageResult
}

type pageResult struct {
	page *pages.Page
	err  error
}

// fetch reads one page. An error stops the others if the number of pages is known.
func (r *Reader) fetch(ctx context.Context, next pendingPage, past int, stop context.CancelCauseFunc) {
	var got pageResult
	defer func() {
		if got.err != nil && past > 0 {
			stop(got.err)
		}
		next.result <- got
	}()
	defer service.Recover(&got.err)
	asked := r.attempt.arrivals.asks()
	got.page, got.err = r.page(ctx, next.number)
	// Some services reject a page that does not exist instead of returning an empty one. Only a known total
	// distinguishes it from a missing page.
	if past > 0 && next.number >= past && isRejected(got.err) {
		got = pageResult{page: pages.Empty(r.DataSet)}
	}
	if got.err == nil {
		r.attempt.arrivals.add(next.number, asked, got.page.Total)
	}
}

// isRejected reports whether the service rejected the request of a page.
func isRejected(err error) bool {
	return errors.Is(err, service.ErrNotFound) || errors.Is(err, service.ErrRejected)
}
