package reads

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/budget"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// longestRead bounds a read; no panel or alert rule waits longer.
const longestRead = 10 * time.Minute

// reading is one read of a list, for all questions that it answers.
type reading struct {
	paging.Reader
	reads    *Reads
	question pages.Question
	usage    service.Usage
	before   *kept // what was kept of the list; nil: nothing
	// predicted says that rows of an earlier read were to be reused.
	predicted bool
}

// readTogether reads the rows for a group of questions about one list, those that need the fewest first, and answers
// them. Questions that arrive meanwhile and need more are read by the same reader: their rows are of the same moment.
func (c *Reads) readTogether(ctx context.Context, key string, l *list, group []*waiter) (err error) {
	defer service.Recover(&err)
	ctx, cancel := context.WithTimeout(ctx, longestRead)
	defer cancel()
	ctx, abandon := context.WithCancelCause(ctx)
	defer abandon(nil)
	defer func() {
		if err != nil && errors.Is(context.Cause(ctx), errAbandoned) {
			err = errAbandoned
		}
	}()
	memory, err := c.budget.Reserve(ctx)
	if err != nil {
		return err
	}
	defer memory.Release()
	before, deepest := c.kept(key), group[len(group)-1]
	if check, ok := check(deepest.Read, before); ok {
		c.begin(l, deepest.Read, abandon)
		if err := c.checkTogether(ctx, l, c.newReading([]Read{check}, before, memory), check, group[0]); err != nil {
			return err
		}
		if group = c.unanswered(l, group); len(group) == 0 {
			return nil
		}
		before = c.kept(key)
	}
	var questions []Read
	for _, w := range group {
		questions = append(questions, w.Read)
	}
	r := c.newReading(questions, before, memory)
	for w := group[0]; w != nil; w = c.next(l, r, w) {
		c.begin(l, w.Read, abandon)
		result, err := c.readOne(ctx, r, w.Read)
		if err != nil {
			return err
		}
		c.deliver(l, result, w)
	}
	return nil
}

// checkTogether reads the rows that are checked at once, and answers questions from them. If only pages that the shallowest
// question may not need could not be read, or moved, none is answered: each is read by itself.
func (c *Reads) checkTogether(ctx context.Context, l *list, r *reading, check Read, shallowest *waiter) error {
	result, err := c.readOne(ctx, r, check)
	failed := err != nil || result.incomplete == paging.Moved
	if failed && ctx.Err() == nil && r.Pages() > 0 && compareDepth(check, shallowest.Read) > 0 {
		return nil
	}
	if err != nil {
		return err
	}
	c.deliver(l, result, nil)
	return nil
}

// readOne reads the rows that a question needs, and keeps them.
func (c *Reads) readOne(ctx context.Context, r *reading, question Read) (*Result, error) {
	listing, err := r.Read(ctx, c.goal(question))
	if err == nil && listing.Reused > 0 && !c.predicts(r.DataSet) {
		// Another read has shown meanwhile that rows must not be reused.
		r.StartOver()
		listing, err = r.Read(ctx, c.goal(question))
	}
	if err != nil {
		c.keepPartial(r)
		return nil, err
	}
	result := r.result(listing)
	c.keep(r, result, listing)
	return result, nil
}

// check returns the question whose rows are checked at once, if a prediction reaches all rows that a group needs: the
// deepest that was asked lately. That takes no more requests, and what is asked next is of the same moment. While pages
// are unread, none waits for those that only others need.
func check(deepest Read, before *kept) (Read, bool) {
	switch {
	case before == nil:
		return Read{}, false
	case before.deepest != nil && before.deepest.covers(deepest) && compareDepth(*before.deepest, deepest) > 0 && before.reaches(*before.deepest):
		return *before.deepest, true
	default:
		return deepest, before.reaches(deepest)
	}
}

// covers reports whether the rows of a question's days include those of another one, in a way that can answer it: the
// rows that the service lists for other days cannot be told apart.
func (r Read) covers(other Read) bool {
	return r.Days == other.Days || r.Days > other.Days && !other.Goal.From.IsZero()
}

// newReading returns the read of a list for the days of the question that needs most of them.
func (c *Reads) newReading(questions []Read, before *kept, memory *budget.Reservation) *reading {
	r := &reading{reads: c, question: questions[0].Question, before: before}
	for _, q := range questions {
		r.question.Days = max(r.question.Days, q.Days)
	}
	r.Reader = paging.Reader{
		Source: r, DataSet: r.question.DataSet, Sizes: c.sizes, Memory: memory, Texts: pages.NewInterner(),
		Concurrent: c.config.MaxConcurrent, MaxRows: c.config.MaxRows, Began: time.Now(), KeepTail: c.sharesDays(r.question.DataSet),
	}
	if before != nil && c.predicts(r.question.DataSet) {
		r.Known, r.predicted = before.known, before.known != nil
		moment := min(oneMoment, c.config.CacheTTL)
		r.Sampled = r.question.Days <= before.sampledDays && time.Since(before.sampledAt) < moment
		r.Fresh = before.known != nil && !before.known.Partial && time.Since(before.known.Seen) < moment
	}
	return r
}

// serves reports whether a read for one question can go on to answer another one: both are about the same rows of the
// service, and its first rows are not too old for a question that arrived later.
func (r *reading) serves(one Read, other *waiter) bool {
	covered := Read{Question: r.question}.covers(other.Read)
	return covered && compareDepth(one, other.Read) <= 0 && other.arrived.Sub(r.Began) <= max(r.reads.config.CacheTTL, oneMoment)
}

// goal returns what to read for a question: everything if the rows come in another order than the goal needs.
func (c *Reads) goal(r Read) paging.Goal {
	if r.Goal.Field != "" && !c.order.holds() {
		return paging.Goal{}
	}
	return r.Goal
}

// Page requests a page; see paging.Source.
func (r *reading) Page(ctx context.Context, number, size int, bounds pages.Bounds) (*pages.Page, error) {
	return r.reads.source.Page(ctx, r.sized(size), number, bounds, r.Texts, &r.usage)
}

// TakeOrganizations returns the owners of the rows received since the last call; see paging.Source.
func (r *reading) TakeOrganizations() []string { return r.usage.TakeOrganizations() }

// sized returns the question with a page size.
func (r *reading) sized(size int) pages.Question {
	q := r.question
	q.Size = size
	return q
}

// result returns the result of a read.
func (r *reading) result(l *paging.Listing) *Result {
	rowsRead.WithLabelValues(r.DataSet.Name).Add(float64(l.Table.Rows - l.Reused))
	result := &Result{
		Table: l.Table, Total: l.Total, ReadAt: time.Now(), Executed: r.executed(l), Warnings: r.warnings(l), began: r.Began,
		set: r.DataSet, days: r.question.Days, incomplete: l.Incomplete, atEnd: l.AtEnd && l.Incomplete == paging.Complete, texts: r.Texts.Size(),
		Stats: Stats{
			Pages: l.Pages, Rows: l.Table.Rows, Took: time.Since(r.Began), Kept: l.Reused,
			Requests: r.usage.Requests.Load(), Bytes: r.usage.Bytes.Load(),
		},
	}
	if r.Fresh && l.Reused > 0 {
		result.ReadAt = r.before.known.Seen // Some rows are that old.
	}
	if l.Reused > 0 && r.before != nil {
		result.Stats.BaseAge = time.Since(r.before.wholeAt)
	}
	result.ordered = r.DataSet.HasTimes() && paging.NewestFirst(l.Table.Column(r.DataSet.TimeFields[0]), l.Table.Rows)
	r.count(l)
	r.guard(l)
	if notice := r.reads.reuse.notice(); notice != "" && r.reads.config.Incremental && r.DataSet.End != nil {
		result.Notes = append(result.Notes, notice)
	}
	return result
}

// count counts a read by its extent.
func (r *reading) count(l *paging.Listing) {
	extent := "newest"
	switch {
	case l.Reused > 0:
		extent = "incremental"
	case r.predicted:
		extent = "fallback"
	case l.AtEnd || l.Incomplete != paging.Complete:
		extent = "whole"
	}
	readsMade.WithLabelValues(r.DataSet.Name, extent).Inc()
}

// guard remembers what a read has shown about the assumptions of later ones.
func (r *reading) guard(l *paging.Listing) {
	if l.Changed != "" {
		r.reads.reuse.withdraw(fmt.Sprintf("row %s of %s changed after it had ended", l.Changed, r.DataSet.Name))
		readsDistrusted.WithLabelValues(r.DataSet.Name).Inc()
	}
	if l.Unordered {
		r.reads.order.withdraw(r.DataSet.Name + " do not come newest first")
	}
}

// executed describes the requests of a read: its URL, and the number of pages. The pages after page 0 request as many
// rows as page 0 has.
func (r *reading) executed(l *paging.Listing) string {
	address, size := r.reads.source.Describe(r.sized(l.Asked)), ""
	if l.Size != l.Asked {
		size = fmt.Sprintf("&size=%d", l.Size)
	}
	last := fmt.Sprintf("%s … page=%d%s", address, l.LastPage, size)
	switch {
	case l.Reused > 0:
		return fmt.Sprintf("%s … (%d of %d pages; %d of %d rows are reused from the read at %s)", address, l.Pages, l.AllPages, l.Reused,
			l.Table.Rows, r.before.wholeAt.UTC().Format(time.TimeOnly+" UTC"))
	case l.Ordered && !l.AtEnd:
		assumption := r.DataSet.TimeFields[0] + " decreases from row to row and on the last page, so older rows were not read"
		return fmt.Sprintf("%s (%d of %d pages; %s)", last, l.Pages, l.AllPages, assumption)
	case l.LastPage > 0:
		return fmt.Sprintf("%s (%d pages)", last, l.LastPage+1)
	default:
		return address
	}
}
