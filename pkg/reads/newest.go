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

// Newest says which rows of a read are enough, so that reading ends before the last page where the service gives the newest
// first. It does where the rows of all pages that were read, and those of the last page, fall by a time.
type Newest struct {
	Field string    // the time that rows have to fall by
	From  time.Time // rows before are not wanted; zero: all are
	To    time.Time // rows after are not counted; zero: all are
	Rows  int       // so many are enough; 0: all since From
}

// newestKey sets the results that have the newest rows alone apart from those that have all.
const newestKey = " newest"

func (n *Newest) key() string { return fmt.Sprintf(" %d %d %d", n.from(), n.until(), n.Rows) }

// from and until are the range in nanoseconds since the epoch, which begin in 1677 and end in 2262.
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

// covers says whether a read for the one gives all that is wanted for the other.
func (n *Newest) covers(other *Newest) bool {
	if n.Field != other.Field || other.from() < n.from() || n.Rows > 0 && other.until() < n.until() {
		return false
	}
	return n.Rows == 0 || other.Rows > 0 && other.Rows <= n.Rows
}

const (
	// evidence is how many rows page 0 is asked for beyond those that are wanted: one alone is in every order, and some may
	// have come after To.
	evidence = 20
	// lately is how long ago To may be for only few rows to have come since.
	lately = 5 * time.Minute
)

// first is how many rows are wanted from page 0 on, where that is known; 0: all.
func (n *Newest) first() int {
	if n == nil || n.Rows == 0 || !n.To.IsZero() && time.Since(n.To) > lately {
		return 0
	}
	return n.Rows + evidence
}

// Why all rows have to be read.
var (
	errUnordered = errors.New("the newest rows do not come first")
	errMoved     = errors.New("rows came or went, so that pages do not tell of the order")
)

// readNewest reads the rows that are wanted, or all where the order of the service does not allow to stop.
func (c *Reads) readNewest(ctx context.Context, key string, r Read, t *tracker) (*Result, error) {
	result, err := c.readFresh(ctx, r, t)
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

// stopsEarly says whether a pass may end before the last page. The totals have to say which one that is.
func (r *reader) stopsEarly(first *pages.Page, plan plan) bool {
	if r.read.Newest == nil || plan.sure <= 2 || first.Total < 0 {
		return false
	}
	return first.Pages < 0 || first.Pages == pagesFor(first.Total, first.Table.Rows)
}

// descent reads pages from the front until the rows that are wanted are there.
type descent struct {
	*Newest
	reader *reader
	pass   *pass
	end    int         // the number after the last page that is read in order
	next   int         // the page to read next
	last   int         // number of the last page
	tail   *pages.Page // that page, which is read with page 1; nil before
	low    int64       // the time of the row that was read last
	high   int64       // that of the first one
	found  int         // rows in the range
}

// newest reads the pages that follow page 0 as long as rows are wanted, and the last one, which shows that the order holds
// to the end. The pass is early where others were left out. The error is errUnordered where nothing can be.
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

// more reads the next pages, and with them the last one.
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

// isOfAnotherMoment says whether a page was read when there were more rows, or fewer, than when page 0 was.
func (d *descent) isOfAnotherMoment(page *pages.Page) bool { return page.Total != d.pass.first }

func (d *descent) takePage(page *pages.Page, number int) error {
	if page.Table.Rows == 0 {
		return errUnordered // The totals are too high, so that nobody knows which page is the last.
	}
	if number == d.last {
		return d.look(page)
	}
	known := d.pass.rows.table.Rows
	at, _ := d.pass.take(page, number)
	return d.take(at, known)
}

// take looks at rows of the next page. Those before known came before, which shows that rows moved, and not the order.
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
	d.reader.tell(d.pass, 0)
	return d.reader.hold.add(d.pass.rows.padding(), d.reader.texts.Size())
}

// look compares the last page with what has been read before it. Its rows are not kept, unless all others are.
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
		return errUnordered // All of one time, which is no order.
	}
	return nil
}

// enough says whether what follows is not wanted.
func (d *descent) enough() bool { return d.low < d.from() || d.Rows > 0 && d.found >= d.Rows }

// ahead is how many pages to read at once: as many as will be wanted if the times go on falling as they did.
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

// rowsUntil is about how many rows there are down to a time.
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

// assumed says what the rows rest on.
func (n *Newest) assumed() string {
	return n.Field + " decreases from row to row and on the last page, so older rows were not read"
}
