package reads

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Newest says which rows of a read are enough, so that reading can stop before the last page if the service returns the
// newest first: the rows of all pages read, and those of the last page, must be descending by a time.
type Newest struct {
	Field string    // the time by which rows must be descending
	From  time.Time // rows before are not needed; zero: all are
	To    time.Time // rows after do not count; zero: all do
	Rows  int       // number of rows needed; 0: all since From
}

// newestKey distinguishes results with only the newest rows from those with all.
const newestKey = " newest"

func (n *Newest) key() string { return fmt.Sprintf(" %d %d %d", n.from(), n.until(), n.Rows) }

// from and until are the range in nanoseconds since the epoch, limited to 1677 and 2262.
func (n *Newest) from() int64 {
	if n.From.Before(time.Unix(0, math.MinInt64)) {
		return math.MinInt64
	}
	return n.From.UnixNano()
}

func (n *Newest) until() int64 {
	if n.To.IsZero() || n.To.After(time.Unix(0, math.MaxInt64)) {
		return math.MaxInt64
	}
	return n.To.UnixNano()
}

// covers reports whether a read for n has all rows needed for other.
func (n *Newest) covers(other *Newest) bool {
	if n.Field != other.Field || other.from() < n.from() || n.Rows > 0 && other.until() < n.until() {
		return false
	}
	return n.Rows == 0 || other.Rows > 0 && other.Rows <= n.Rows
}

const (
	// evidence is how many additional rows page 0 is asked for: a single row shows no order, and some may be later than
	// To.
	evidence = 20
	// lately is how recent To must be to assume that only few rows are later.
	lately = 5 * time.Minute
)

// first returns how many rows are needed from page 0 on, if known; 0: all.
func (n *Newest) first() int {
	if n == nil || n.Rows == 0 || !n.To.IsZero() && time.Since(n.To) > lately {
		return 0
	}
	return n.Rows + evidence
}

// Reasons to read all rows.
var (
	errUnordered = errors.New("the newest rows do not come first")
	errMoved     = errors.New("rows came or went, so that pages do not tell of the order")
)

// readNewest reads the needed rows, or all if the service's order does not allow stopping early.
func (c *Reads) readNewest(ctx context.Context, key string, r Read) (*Result, error) {
	result, err := c.readFresh(ctx, r)
	unordered := errors.Is(err, errUnordered)
	if unordered {
		c.order.withdraw(r.DataSet.Name + " do not come newest first")
	}
	if unordered || errors.Is(err, errMoved) {
		result, _, err = c.readWhole(ctx, key, r)
		return result, err
	}
	if err == nil {
		c.keep(key, r, result)
	}
	return result, err
}

// stopsEarly reports whether a pass may end before the last page. The totals must show which page that is.
func (r *reader) stopsEarly(first *pages.Page, plan plan) bool {
	if r.read.Newest == nil || plan.sure <= 2 || first.Total < 0 {
		return false
	}
	return first.Pages < 0 || first.Pages == pagesFor(first.Total, first.Table.Rows)
}

// descent reads pages from the front until it has the needed rows.
type descent struct {
	*Newest
	reader *reader
	pass   *pass
	end    int         // exclusive end of the pages that are read in order
	next   int         // the page to read next
	last   int         // number of the last page
	tail   *pages.Page // the last page, which is read with page 1; nil before
	low    int64       // the time of the last row read
	high   int64       // the time of the first row
	found  int         // rows in the range
}

// newest reads the pages after page 0 while rows are needed, and the last page, which shows that the order holds to the
// end. The pass is early if others were skipped. The error is errUnordered if none can be.
func (r *reader) newest(ctx context.Context, p *pass, first *pages.Page, plan plan) error {
	last := pagesFor(first.Total, p.size) - 1
	d := &descent{Newest: r.read.Newest, reader: r, pass: p, last: last, end: min(plan.end, last), low: math.MaxInt64}
	if err := d.take(p.head, 0); err != nil {
		return err
	}
	d.high = p.rows.table.Column(d.Field).Times[p.head[0]]
	for d.tail == nil || d.next < d.end && !d.enough() {
		if err := d.more(ctx); err != nil {
			return err
		}
	}
	p.tailAt, p.early = last, d.enough()
	if p.early || plan.end <= last {
		p.note(d.tail, last)
		return nil
	}
	p.takeTail(d.tail)
	return nil
}

// more reads the next pages, the first time together with the last one.
func (d *descent) more(ctx context.Context) error {
	var numbers []int
	if !d.enough() {
		ahead := min(d.ahead(), d.end-d.next)
		if err := d.reader.hold.expect(ctx, d.reader.expected(d.pass, (d.next+ahead)*d.pass.size)); err != nil {
			return err
		}
		for range ahead {
			numbers = append(numbers, d.next+len(numbers))
		}
	}
	if d.tail == nil {
		numbers = append(numbers, d.last)
	}
	read, err := d.reader.several(ctx, numbers)
	if err != nil {
		return err
	}
	for i, page := range read {
		err := d.takePage(page, numbers[i])
		if errors.Is(err, errUnordered) && (d.pass.moved() || slices.ContainsFunc(read, d.isOfAnotherMoment)) {
			return errMoved
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isOfAnotherMoment reports whether the total changed since page 0.
func (d *descent) isOfAnotherMoment(page *pages.Page) bool { return page.Total != d.pass.first }

func (d *descent) takePage(page *pages.Page, number int) error {
	if page.Table.Rows == 0 {
		return errUnordered // The totals are too high, so the last page is unknown.
	}
	if number == d.last {
		return d.look(page)
	}
	known := d.pass.rows.table.Rows
	at, _ := d.pass.take(page, number)
	return d.take(at, known)
}

// take checks the order of the rows of the next page. Rows before known are duplicates, which show that rows moved, not
// the order.
func (d *descent) take(at []int, known int) error {
	d.next++
	if d.pass.rows.keyless {
		return errUnordered
	}
	times := d.pass.rows.table.Column(d.Field)
	for _, row := range at {
		if row < known {
			continue
		}
		if !times.Valid[row] || times.Times[row] > d.low {
			return errUnordered
		}
		d.low = times.Times[row]
		if d.low >= d.from() && d.low <= d.until() {
			d.found++
		}
	}
	return d.reader.hold.add(d.pass.rows.padding(), d.reader.texts.Size())
}

// look compares the last page with the rows before it. Its rows are dropped unless all others are read.
func (d *descent) look(page *pages.Page) error {
	d.tail = page
	times := page.Table.Column(d.Field)
	low := d.low
	for row := range page.Table.Rows {
		if !times.Valid[row] || times.Times[row] > low {
			return errUnordered
		}
		low = times.Times[row]
	}
	if low == d.high {
		return errUnordered // All times are equal, which shows no order.
	}
	return nil
}

// enough reports whether further rows are not needed.
func (d *descent) enough() bool { return d.low < d.from() || d.Rows > 0 && d.found >= d.Rows }

// ahead returns how many pages to read at once: the number needed if the times continue to descend at the same rate.
func (d *descent) ahead() int {
	rows := math.MaxFloat64
	if !d.From.IsZero() {
		rows = d.rowsUntil(d.from())
	}
	if d.Rows > 0 {
		rows = min(rows, d.rowsUntil(d.until())+float64(d.Rows-d.found))
	}
	most := 2 * d.reader.reads.config.MaxConcurrent
	return int(max(1, min(math.Ceil(rows/float64(d.pass.size)), float64(most))))
}

// rowsUntil estimates how many rows there are down to a time.
func (d *descent) rowsUntil(at int64) float64 {
	switch {
	case at >= d.low:
		return 0
	case d.high == d.low:
		return math.MaxFloat64
	}
	each := float64(d.high-d.low) / float64(d.pass.rows.table.Rows)
	return (float64(d.low) - float64(at)) / each
}

// assumed states the assumption of the read.
func (n *Newest) assumed() string {
	return n.Field + " decreases from row to row and on the last page, so older rows were not read"
}
