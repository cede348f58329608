package reads

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// repeatedKey distinguishes repeated reads in flight from full ones.
const repeatedKey = " repeated"

// repeat reads what may have changed since a base, and reuses its other rows:
//   - the front, up to a page whose end is known, in the base's order, and unchanged. Together with the base's other
//     rows, truncated to the total, it predicts all rows;
//   - the pages of rows that have not ended, the last page, and one page at random. Each must have exactly the
//     predicted rows. Rows that have not ended are updated; ended ones must be unchanged.
//
// This proves that no row was added, removed or moved, except for an ended row that changed, and a row in the middle
// that replaced another. Only the random page and full reads can detect those two (see trust).
type repeat struct {
	*reader
	base  *base
	known map[key]int // rows of the base

	now   *assembly     // rows of the pages read by this attempt
	at    map[int][]int // these rows by page
	total int           // total that every page must report
	of    int           // pages that this attempt reads; 0: not known yet
	moved bool          // two pages report different totals
}

// place is the source of a predicted row: a row of the base or, as its complement, a row that was just read.
type place int

func readNow(row int) place           { return place(^row) }
func (p place) isBase() bool          { return p >= 0 }
func (p place) row() int              { return int(max(p, ^p)) }
func (rp *repeat) ended(p place) bool { return ended(rp.read.DataSet, rp.tableOf(p), p.row()) }

func (rp *repeat) tableOf(p place) *columns.Table {
	if p.isBase() {
		return rp.base.table
	}
	return rp.now.table
}

// repeat reads a question again from a base. The result is nil if the pages are inconsistent, so a full read is needed.
func (c *Reads) repeat(ctx context.Context, r Read, b *base) (*Result, error) {
	start := time.Now()
	hold, err := c.budget.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer hold.leave()
	rp := &repeat{
		reader: &reader{reads: c, read: r, most: c.most(r), size: b.asked, texts: pages.NewTexts(), hold: hold},
		base:   b,
		known:  index(r.DataSet, b.table),
	}
	// The rows are assembled in addition to those of the base, which remains in use.
	if err := hold.expect(ctx, b.table.Bytes()+readFloor); err != nil {
		return nil, err
	}
	for range settleTries {
		table, outcome, err := rp.try(ctx)
		if isRejected(err) {
			return nil, nil // The page or its size is not accepted any more; a full read can do without.
		}
		if err != nil || outcome == broken {
			return nil, err
		}
		if outcome == settled {
			result := rp.result(table, start)
			c.complete(result, result.base.texts)
			return result, nil
		}
	}
	return nil, nil
}

func (rp *repeat) try(ctx context.Context) (*columns.Table, outcome, error) {
	rp.now, rp.at, rp.total, rp.of, rp.moved = newAssembly(rp.read.DataSet), map[int][]int{}, -1, 0, false
	predicted, fits, err := rp.front(ctx)
	if err != nil || !fits {
		return nil, rp.verdict(broken), err
	}
	numbers := rp.toCheck(predicted)
	if len(numbers) > rp.pagesInAll()/2 {
		return nil, broken, nil
	}
	rp.of = len(rp.at) + len(numbers)
	fits, err = rp.check(ctx, predicted, numbers)
	if err != nil || !fits || rp.odd() {
		return nil, rp.verdict(broken), err
	}
	table := rp.assemble(predicted)
	if !canBeBase(rp.read.DataSet, table) {
		return nil, broken, nil
	}
	return table, settled, nil
}

// verdict returns the outcome, or again if the data changed meanwhile.
func (rp *repeat) verdict(o outcome) outcome {
	if rp.moved {
		return again
	}
	return o
}

// odd reports whether the rows cannot be a base, or belong to another organization.
func (rp *repeat) odd() bool {
	organizations := rp.usage.TakeOrganizations()
	emptyField := func(c *columns.Column) bool {
		return rp.base.table.Column(c.Name) == nil && !slices.Contains(c.Valid, true)
	}
	return rp.now.keyless || rp.now.folded || len(rp.now.problems) > 0 || slices.ContainsFunc(rp.now.table.Columns, emptyField) ||
		!slices.Equal(organizations, []string{rp.base.organization})
}

func (rp *repeat) pagesInAll() int { return pagesFor(rp.total, rp.base.size) }

// front reads from page 0 until a page has nothing new, and predicts all rows.
func (rp *repeat) front(ctx context.Context) (predicted []place, fits bool, err error) {
	for number := 0; ; number++ {
		if number > pagesFor(rp.base.table.Rows, rp.base.size)/2 {
			return nil, false, nil
		}
		if err := rp.readAll(ctx, []int{number}); err != nil || rp.moved {
			return nil, false, err
		}
		at := rp.at[number]
		for _, row := range at {
			predicted = append(predicted, readNow(row))
		}
		if len(at) != rp.expected(number) || len(predicted) != rp.now.table.Rows || rp.total > rp.most {
			// The page size changed, a row is duplicated, or there are more rows than needed.
			return nil, false, nil
		}
		quiet, fits := rp.quiet(at)
		if !fits {
			return nil, false, nil
		}
		if quiet || len(predicted) >= rp.total {
			break
		}
	}
	predicted = append(predicted, rp.others()...)
	if len(predicted) < rp.total {
		return nil, false, nil // A row was added that the front does not show.
	}
	// Rows leave the window at the end, so the last page must agree.
	return predicted[:rp.total], true, nil
}

// expected returns how many rows a page must have.
func (rp *repeat) expected(number int) int {
	return max(0, min(rp.base.size, rp.total-number*rp.base.size))
}

// quietRows is how many unchanged rows at the end of a page show that nothing new follows: a page as the specification
// reports it.
const quietRows = 20

// quiet reports whether the last rows of a page are known, in the base's order, and unchanged. fits is false if an
// ended row changed.
func (rp *repeat) quiet(at []int) (quiet, fits bool) {
	run := newQuietRun(rp.base, rp.now.table)
	for _, row := range at {
		known, ok := rp.knownRow(row)
		if changed := run.add(row, known, ok); changed && rp.ended(place(known)) {
			return false, false
		}
	}
	return run.isQuiet(), true
}

// quietRun counts the rows since the last one that is new, moved, or changed.
type quietRun struct {
	base   *base
	same   columns.Comparison // of current rows with those of the base
	rows   int
	before int // previous row of the base
}

func newQuietRun(b *base, now *columns.Table) *quietRun {
	return &quietRun{base: b, same: columns.Compare(now, b.table), before: -1}
}

// add adds the next row, and reports whether it is a changed row of the base.
func (q *quietRun) add(row, known int, ok bool) (changed bool) {
	if !ok {
		q.rows = 0
		return false
	}
	changed = !q.same.Same(row, known)
	if changed || known <= q.before {
		q.rows = 0
	} else {
		q.rows++
	}
	q.before = known
	return changed
}

func (q *quietRun) isQuiet() bool { return q.rows >= min(quietRows, q.base.size) }

// knownRow finds a row that was just read in the base.
func (rp *repeat) knownRow(row int) (int, bool) {
	k, _ := keyOf(rp.now.table.Column(rp.read.DataSet.Key), row)
	known, ok := rp.known[k]
	return known, ok
}

// others returns the rows of the base that are not in the front, in their order.
func (rp *repeat) others() []place {
	inFront := make(map[int]bool, rp.now.table.Rows)
	for row := range rp.now.table.Rows {
		if known, ok := rp.knownRow(row); ok {
			inFront[known] = true
		}
	}
	others := make([]place, 0, rp.base.table.Rows)
	for row := range rp.base.table.Rows {
		if !inFront[row] {
			others = append(others, place(row))
		}
	}
	return others
}

// toCheck returns the pages to compare with the prediction, beyond those of the front.
func (rp *repeat) toCheck(predicted []place) []int {
	numbers := map[int]bool{}
	add := func(number int) {
		if _, read := rp.at[number]; !read {
			numbers[number] = true
		}
	}
	for i, p := range predicted {
		if !rp.ended(p) {
			add(i / rp.base.size)
		}
	}
	all := rp.pagesInAll()
	if all > 0 {
		add(all - 1)
	}
	if left := all - len(rp.at) - len(numbers); left > 0 {
		add(rp.unread(numbers, rand.IntN(left)))
	}
	list := make([]int, 0, len(numbers))
	for number := range numbers {
		list = append(list, number)
	}
	slices.Sort(list)
	return list
}

// unread returns the nth page that is neither read nor scheduled.
func (rp *repeat) unread(numbers map[int]bool, nth int) int {
	for number := 0; ; number++ {
		if _, read := rp.at[number]; read || numbers[number] {
			continue
		}
		if nth == 0 {
			return number
		}
		nth--
	}
}

// readAll reads pages concurrently.
func (rp *repeat) readAll(ctx context.Context, numbers []int) error {
	read, err := rp.several(ctx, numbers)
	if err != nil {
		return err
	}
	for i, page := range read {
		if rp.total < 0 {
			rp.total = page.Total
		}
		rp.moved = rp.moved || page.Total != rp.total
		rp.at[numbers[i]] = rp.now.add(page)
		rp.pages++
	}
	return nil
}

// check reads pages and compares them with the prediction, the last one among the first, because it shows most
// deviations.
func (rp *repeat) check(ctx context.Context, predicted []place, numbers []int) (fits bool, err error) {
	slices.Reverse(numbers)
	for some := range slices.Chunk(numbers, 2*rp.reads.config.MaxConcurrent) {
		if err := rp.readAll(ctx, some); err != nil || rp.moved {
			return false, err
		}
		for _, number := range some {
			if !rp.takeOver(predicted, number) {
				return false, nil
			}
		}
	}
	return true, nil
}

// takeOver compares a page with the prediction, and updates rows that have not ended.
func (rp *repeat) takeOver(predicted []place, number int) bool {
	at := rp.at[number]
	if len(at) != rp.expected(number) {
		return false
	}
	same := columns.Compare(rp.now.table, rp.base.table)
	for i, row := range at {
		p := &predicted[number*rp.base.size+i]
		known, ok := rp.knownRow(row)
		if !ok || !p.isBase() || p.row() != known {
			return false
		}
		switch {
		case same.Same(row, known):
		case rp.ended(*p):
			return false
		default:
			*p = readNow(row)
		}
	}
	return true
}

// assemble returns the table of a prediction, which is the base's if nothing changed.
func (rp *repeat) assemble(predicted []place) *columns.Table {
	same := columns.Compare(rp.now.table, rp.base.table)
	for i, p := range predicted {
		if p.isBase() {
			continue
		}
		if known, ok := rp.knownRow(p.row()); ok && same.Same(p.row(), known) {
			predicted[i] = place(known)
		}
	}
	if rp.isBase(predicted) {
		return rp.base.table
	}
	table := newAssembly(rp.read.DataSet)
	for begin := 0; begin < len(predicted); {
		end := begin + 1
		for end < len(predicted) && predicted[end].isBase() == predicted[begin].isBase() {
			end++
		}
		rows := make([]int, 0, end-begin)
		for _, p := range predicted[begin:end] {
			rows = append(rows, p.row())
		}
		table.table.Append(rp.tableOf(predicted[begin]), rows)
		begin = end
	}
	return table.finish(nil, len(predicted))
}

// isBase reports whether a prediction equals the base.
func (rp *repeat) isBase(predicted []place) bool {
	if len(predicted) != rp.base.table.Rows {
		return false
	}
	for i, p := range predicted {
		if p != place(i) {
			return false
		}
	}
	return true
}

// result returns the result of the repeated read.
func (rp *repeat) result(table *columns.Table, start time.Time) *Result {
	next := *rp.base
	next.table = table
	if table != rp.base.table {
		next.texts += rp.texts.Size()
	}
	result := &Result{
		Table: table, Total: rp.total, Executed: rp.executedAgain(), began: start, whole: true, base: &next,
		Stats: rp.stats(table.Rows, start),
	}
	result.Stats.Kept = rp.total - rp.now.table.Rows
	result.Stats.BaseAge = time.Since(rp.base.wholeAt)
	return result
}

// executedAgain describes the requests.
func (rp *repeat) executedAgain() string {
	return fmt.Sprintf("%s … (%d of %d pages; %d of %d rows are reused from the read at %s)", rp.reads.source.Describe(rp.question(rp.size)), rp.pages,
		rp.pagesInAll(), rp.total-rp.now.table.Rows, rp.total, rp.base.wholeAt.UTC().Format(time.TimeOnly+" UTC"))
}
