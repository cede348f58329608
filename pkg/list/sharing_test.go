package list

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// fake is a list that changes only when told, whose pages take some time.
type fake struct {
	slots    chan struct{} // as many as requests in flight
	mu       sync.Mutex
	rows     []*task // newest first
	size     int
	latency  time.Duration
	requests int
	flying   int // requests in flight
	owner    string
	ahead    time.Duration // of its clock
	odd      odd
}

// odd changes a page, or fails.
type odd func(s *fake, number, size int, p *pages.Page) error

func newFake(n, size int) *fake {
	s := &fake{slots: make(chan struct{}, 8), size: size, owner: "acme"}
	for i := range n {
		s.rows = append(s.rows, &task{id: int64(n - i), ended: true, created: time.Now().Add(-time.Duration(i) * time.Minute)})
	}
	return s
}

func (s *fake) Page(ctx context.Context, r PageRequest) (*pages.Page, error) {
	number, size := r.Number, r.Rows
	if arrives(ctx, 0, number); ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s.slots <- struct{}{}
	defer func() { <-s.slots }()
	s.mu.Lock()
	s.requests++
	s.flying++
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.flying--
	}()
	// A channel of time.After(0) makes the race detector of Go 1.26 crash in a bubble of synctest; a deadline does not.
	wait, stop := context.WithTimeout(ctx, s.latency)
	defer stop()
	<-wait.Done()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list := s.rows
	p := pages.Empty(tasks)
	p.Total = len(list)
	begin := min(number*s.size, len(list))
	fill(p, list[begin:min(begin+s.size, len(list))])
	if s.odd != nil {
		if err := s.odd(s, number, size, p); err != nil {
			return nil, err
		}
	}
	p.Usage.Organization, p.Usage.Ahead, p.Usage.Requests = s.owner, s.ahead, 1
	return p, nil
}

func (s *fake) come(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for range n {
		s.rows = slices.Insert(s.rows, 0, &task{id: s.rows[0].id + 1, created: s.rows[0].created.Add(time.Minute)})
	}
}

func (s *fake) took() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { s.requests = 0 }()
	return s.requests
}

func (s *fake) ids(n int) []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := []int64{}
	for _, r := range s.rows[:min(n, len(s.rows))] {
		ids = append(ids, r.id)
	}
	return ids
}

// bubble runs a subtest in a bubble of synctest, in which a fake serves requests in the same order in each run.
func bubble(t *testing.T, name string, test func(t *testing.T)) {
	t.Run(name, func(t *testing.T) { synctest.Test(t, test) })
}

// of returns a list whose pages a service serves.
func of(t testing.TB, serve func(ctx context.Context, r PageRequest) (*pages.Page, error), change ...func(*Config)) *List {
	c := Config{Page: serve, DataSet: tasks, Concurrent: 8, MaxRows: 100_000, Predicts: true}
	for _, f := range change {
		f(&c)
	}
	return New(c)
}

func idsOf(r *paging.Result) []int64 { return append([]int64{}, r.Table.Column("id").Integers...) }

// read asks a question that must be answered.
func read(t *testing.T, l *List, since time.Time) *paging.Result {
	t.Helper()
	r, err := l.Read(t.Context(), since, nil)
	require.NoError(t, err)
	return r
}

func TestCostsOfARefresh(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(s *fake)
		most   int
	}{
		{"nothing changed", func(*fake) {}, 4},
		{"5 came, 4 ended", func(s *fake) {
			s.come(5)
			for _, r := range s.rows[5:9] {
				r.ended = true
			}
		}, 6},
		{"50 came", func(s *fake) { s.come(50) }, 12},
		{"one deleted in the middle", func(s *fake) { s.rows = slices.Delete(s.rows, 4711, 4712) }, 40},
		{"three deleted", func(s *fake) {
			for _, i := range []int{7000, 5000, 300} {
				s.rows = slices.Delete(s.rows, i, i+1)
			}
		}, 60},
		{"20 left at the end", func(s *fake) { s.rows = s.rows[:len(s.rows)-20] }, 6},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newFake(10_000, 20)
			for _, r := range s.rows[:4] {
				r.ended = false
			}
			l := of(t, s.Page)
			read(t, l, ttl())
			time.Sleep(time.Minute)
			s.took()
			test.change(s)
			r := read(t, l, ttl())
			assert.Equal(t, s.ids(20_000), idsOf(r), test.name)
			assert.LessOrEqual(t, s.took(), test.most, test.name)
		})
	}
}

// Callers leave after 2 s, a whole read takes 3.7 s: what one has received is not requested again by the next.
func TestCallersWhoLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(5_800, 20)
		s.latency = 100 * time.Millisecond
		l := of(t, s.Page)
		for n := 1; ; n++ {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			r, err := l.Read(ctx, ttl(), nil)
			cancel()
			synctest.Wait()
			assert.Zero(t, s.flying, "requests of a caller who left")
			if err == nil {
				assert.Equal(t, s.ids(5_800), idsOf(r))
				assert.LessOrEqual(t, s.took(), 290*13/10)
				return
			}
			require.ErrorIs(t, err, context.DeadlineExceeded)
			require.Less(t, n, 3)
		}
	})
}

// An hour of a list of 500 pages that is looked at each minute: as many requests as pages, and a few for each look, for which nobody
// waits. What no look can see is then corrected, too: a row that ended changes, one replaces another one.
func TestCostsOfAnHour(t *testing.T) {
	for _, test := range []struct {
		come, end, most int
		unseen          bool
	}{{0, 0, 740, false}, {0, 0, 740, true}, {5, 5, 1100, false}, {5, 4, 1200, false}} {
		synctest.Test(t, func(t *testing.T) {
			s := newFake(10_000, 20)
			l := of(t, s.Page, func(c *Config) { c.Interval = time.Hour })
			read(t, l, ttl())
			if test.unseen {
				s.rows[2000].version++
				s.rows[1000], s.rows[1001] = s.rows[1001], s.rows[1000]
				s.rows[500] = &task{id: 99_999, ended: true, created: s.rows[500].created}
			}
			s.took()
			took, corrected, r := 0, 0, (*paging.Result)(nil)
			for range 60 {
				time.Sleep(time.Minute)
				s.come(test.come)
				for _, r := range s.rows[5*test.come : 5*test.come+test.end] {
					r.ended = true
				}
				r = read(t, l, ttl())
				assert.True(t, test.unseen || slices.Equal(s.ids(20_000), idsOf(r)))
				assert.LessOrEqual(t, time.Since(r.OldestAt), time.Hour)
				corrected += r.Cost.Corrected
				looked := s.took()
				assert.LessOrEqual(t, looked, 30)
				took += looked
			}
			assert.LessOrEqual(t, took, test.most)
			assert.Equal(t, s.ids(20_000), idsOf(r))
			assert.Equal(t, test.unseen, corrected == 1 && r.Table.Column("processedItems").Numbers[2000] == 1)
			time.Sleep(10 * time.Hour)
			read(t, l, ttl())
			assert.Equal(t, len(s.rows)/20, s.took(), "each page is older than the interval")
		})
	}
}

// ttl returns since when rows may have been read: in the last ten seconds.
func ttl() time.Time { return time.Now().Add(-10 * time.Second) }

// end is behind every page.
const end = 1 << 40

// on changes a range of pages.
func on(first, last int, change func(s *fake, p *pages.Page)) odd {
	return func(s *fake, number, _ int, p *pages.Page) error {
		if first <= number && number <= last {
			change(s, p)
		}
		return nil
	}
}

// Odd services are read to the end, what they lack is said, and nothing is requested for ever.
func TestOddServices(t *testing.T) {
	total := func(n int) func(*fake, *pages.Page) { return func(_ *fake, p *pages.Page) { p.Total = n } }
	shows := func(from, to int) func(*fake, *pages.Page) {
		return func(s *fake, p *pages.Page) { fill(p, s.rows[from:to]) }
	}
	lacks := func(from, to int) func(*fake, *pages.Page) {
		return func(_ *fake, p *pages.Page) {
			table, all := pages.Empty(tasks).Table, p.Table
			for i := range all.Rows {
				if i < from || i >= to {
					table.Append(all, []int{i})
				}
			}
			p.Table = table
		}
	}
	refuses := func(first, last int, e service.Error) odd {
		return func(_ *fake, number, _ int, _ *pages.Page) error {
			if first <= number && number <= last {
				return &e
			}
			return nil
		}
	}
	notFound, rejected := service.Error{Kind: service.ErrNotFound, Status: 404}, service.Error{Kind: service.ErrRejected, Status: 400}
	failed := service.Error{Kind: service.ErrUnavailable, Status: 500}
	notTheLast := func(_ *fake, p *pages.Page) {
		if no := false; p.Table.Rows == 20 {
			p.Last = &no
		}
	}
	noTotals, keyless := on(0, end, total(-1)), on(0, end, func(_ *fake, p *pages.Page) { clear(p.Table.Column("id").Valid) })
	random := rand.New(rand.NewPCG(1, 2))
	shuffled := func(s *fake, number, _ int, p *pages.Page) error {
		rows := slices.Clone(s.rows)
		random.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		fill(p, rows[min(20*number, len(rows)):min(20*number+20, len(rows))])
		return nil
	}
	withoutTimes := *tasks
	withoutTimes.TimeFields = nil
	oneKeyForTwo := on(0, 0, func(_ *fake, p *pages.Page) {
		ids, items := p.Table.Column("id").Integers, p.Table.Column("processedItems")
		ids[4], items.Valid[4], items.Numbers[4] = ids[3], true, 7
	})
	fromOne := func(s *fake, number, _ int, p *pages.Page) error {
		begin := min(max(0, number-1)*20, len(s.rows))
		fill(p, s.rows[begin:min(begin+20, len(s.rows))])
		return nil
	}
	toTheEndOfThePage := func(s *fake, number, _ int, p *pages.Page) error {
		last := true
		p.Size, p.Total, p.Last = 20, min(len(s.rows), 20*(number+1)), &last
		return nil
	}
	// reports says that there are so many rows, which end with a full page.
	reports := func(rows int) odd {
		return func(_ *fake, number, _ int, p *pages.Page) error {
			last := number+1 >= rows/20
			p.Size, p.Total, p.Pages, p.Last = 20, rows, rows/20, &last
			return nil
		}
	}
	// repeats lists the row of the page in front of the next one once more in the place of that one.
	repeats := func(row int) func(*fake, *pages.Page) {
		return func(s *fake, p *pages.Page) {
			i := slices.IndexFunc(s.rows, func(r *task) bool { return r.id == p.Table.Column("id").Integers[0] })
			rows := slices.Clone(s.rows[i : i+20])
			rows[row+1] = s.rows[i+row]
			fill(p, rows)
		}
	}
	isRepeated := func(r *paging.Result) bool { return r.Repeated > 0 }
	without := func(n int, fromTo ...int) func(*fake) []int64 {
		return func(s *fake) []int64 {
			ids := s.ids(n)
			for i := len(fromTo); i > 0; i -= 2 {
				ids = slices.Delete(ids, fromTo[i-2], fromTo[i-1])
			}
			return ids
		}
	}
	ids := func(n int) func(*fake) []int64 { return without(n) }
	for _, test := range []struct {
		name       string
		rows       int
		set        *schema.DataSet // nil: tasks
		odd        []odd
		want       func(*fake) []int64
		lack       paging.Lack
		flag       func(*paging.Result) bool
		fails      bool
		most       int
		rowsAtMost int // 0: many
	}{
		{name: "more rows than the setting", rows: 200, rowsAtMost: 50, want: ids(50), lack: paging.Cut, most: 3},
		{name: "no totals", rows: 65, odd: []odd{noTotals}, want: ids(65), most: 12},
		{name: "no totals, full last page", rows: 60, odd: []odd{noTotals}, want: ids(60), most: 10},
		{name: "no totals, the last page for every page behind it", rows: 65, odd: []odd{noTotals, on(4, end, shows(60, 65))}, want: ids(65), lack: paging.ShortPage, most: 24},
		{name: "a total on page 0 only", rows: 65, odd: []odd{on(1, end, total(-1))}, want: ids(65), most: 4},
		{name: "total of page 0 too low", rows: 65, odd: []odd{on(0, end, total(3))}, want: ids(65), most: 12},
		{name: "total too low, but it is not the last page", rows: 65, odd: []odd{on(0, end, total(30)), on(0, end, notTheLast)}, want: ids(65), most: 12},
		{name: "total too low, but the last page has more rows", rows: 65, odd: []odd{on(0, end, total(45))}, want: ids(65), most: 12},
		{name: "total too high", rows: 65, odd: []odd{on(0, end, total(90))}, want: ids(65), lack: paging.ShortPage, most: 5},
		{name: "total much too high", rows: 60, odd: []odd{on(0, end, total(1<<40))}, want: ids(60), lack: paging.ShortPage, most: 30},
		{name: "no keys", rows: 65, odd: []odd{keyless}, want: ids(65), flag: func(r *paging.Result) bool { return r.Keyless }, most: 4},
		{name: "a page is empty", rows: 200, odd: []odd{on(3, 3, shows(0, 0))}, want: ids(60), lack: paging.ShortPage, most: 11},
		{name: "a page is short", rows: 200, odd: []odd{on(1, 1, lacks(2, 5))}, want: without(200, 22, 25), lack: paging.ShortPage, most: 11},
		{name: "a page is short, a total on page 0 only", rows: 200, odd: []odd{on(1, 1, lacks(2, 5)), on(1, end, total(-1))}, want: without(200, 22, 25), lack: paging.ShortPage, most: 11},
		{name: "a page is short, no totals", rows: 195, odd: []odd{on(1, 1, lacks(2, 5)), noTotals}, want: without(195, 22, 25), lack: paging.ShortPage, most: 24},
		{name: "page 0 is short", rows: 200, odd: []odd{on(0, 0, lacks(19, 20))}, want: without(200, 19, 20), lack: paging.ShortPage, most: 12},
		{name: "the first rows on the last page, and a page is empty", rows: 205, odd: []odd{on(10, 10, shows(0, 20)), on(7, 7, shows(0, 0))}, want: ids(140), lack: paging.ShortPage, most: 30},
		{name: "a page twice", rows: 200, odd: []odd{on(5, 5, shows(80, 100))}, want: without(200, 100, 120), lack: paging.FewerRows, most: 40},
		{name: "the same, and a join lists a row twice", rows: 200, odd: []odd{on(0, 0, repeats(3)), on(5, 5, shows(80, 100))}, want: without(200, 4, 5, 100, 120), lack: paging.FewerRows, most: 40},
		{name: "pages counted from 1", rows: 65, odd: []odd{fromOne}, want: ids(65), most: 9},
		{name: "pages counted from 1, two pages", rows: 35, odd: []odd{fromOne}, want: ids(35), most: 5},
		{name: "pages counted from 1, no totals", rows: 65, odd: []odd{fromOne, noTotals}, want: ids(65), most: 20},
		{name: "a total that ends with each page", rows: 65, odd: []odd{toTheEndOfThePage}, want: ids(65), most: 12},
		{name: "a total that is always that of one page", rows: 95, odd: []odd{reports(20)}, want: ids(95), most: 20},
		{name: "the same, and all pages are full", rows: 100, odd: []odd{reports(20)}, want: ids(100), most: 20},
		{name: "the same, of one page", rows: 20, odd: []odd{reports(20)}, want: ids(20), most: 2},
		{name: "the same, and the page behind fails", rows: 20, odd: []odd{reports(20), refuses(1, end, failed)}, want: ids(20), most: 2},
		{name: "the same, and the page behind is refused", rows: 20, odd: []odd{reports(20), refuses(1, end, notFound)}, want: ids(20), most: 2},
		{name: "a total that is always that of two pages", rows: 95, odd: []odd{reports(40)}, want: ids(95), most: 20},
		{name: "a total that is always that of four pages", rows: 95, odd: []odd{reports(80)}, want: ids(95), most: 20},
		{name: "a total that is that of three pages, up to the page behind", rows: 95, odd: []odd{reports(60), on(3, end, total(95))}, want: ids(95), most: 20},
		{name: "a full last page, and none behind", rows: 80, odd: []odd{reports(80)}, want: ids(80), most: 5},
		{name: "the same, without a total there", rows: 80, odd: []odd{reports(80), on(4, end, total(0))}, want: ids(80), most: 5},
		{name: "the same, refused", rows: 80, odd: []odd{reports(80), refuses(4, end, notFound)}, want: ids(80), most: 5},
		{name: "the same, fails", rows: 80, odd: []odd{reports(80), refuses(4, end, failed)}, want: ids(80), most: 5},
		{name: "the same, says so in JSON", rows: 80, odd: []odd{reports(80), refuses(4, end, service.Error{Kind: service.ErrUnreadable, Status: 200, NoRows: true})}, want: ids(80), most: 5},
		{name: "the same, cannot be read", rows: 80, odd: []odd{reports(80), refuses(4, end, service.Error{Kind: service.ErrUnreadable, Status: 200})}, fails: true, most: 5},
		{name: "the same, is unavailable", rows: 80, odd: []odd{reports(80), refuses(4, end, service.Error{Kind: service.ErrUnavailable, Status: 503})}, fails: true, most: 5},
		{name: "the same, times out", rows: 80, odd: []odd{reports(80), refuses(4, end, service.Error{Kind: service.ErrTimeout})}, fails: true, most: 5},
		{name: "the same, asks to wait", rows: 80, odd: []odd{reports(80), refuses(4, end, service.Error{Kind: service.ErrRateLimited, Status: 429})}, fails: true, most: 5},
		{name: "the same, is forbidden", rows: 80, odd: []odd{reports(80), refuses(4, end, service.Error{Kind: service.ErrForbidden, Status: 403})}, fails: true, most: 5},
		{name: "the same, at the login", rows: 80, odd: []odd{reports(80), refuses(4, end, service.Error{Kind: service.ErrLogin, Status: 404})}, fails: true, most: 5},
		{name: "the last page behind it", rows: 80, odd: []odd{reports(80), on(4, end, shows(60, 80))}, want: ids(80), most: 5},
		{name: "the last row behind it", rows: 80, odd: []odd{reports(80), on(4, end, shows(79, 80))}, want: ids(80), most: 5},
		{name: "the first page behind it", rows: 80, odd: []odd{reports(80), on(4, end, shows(0, 20))}, want: ids(80), most: 5},
		{name: "the first page behind two", rows: 40, odd: []odd{reports(40), on(2, end, shows(0, 20))}, want: ids(40), most: 3},
		{name: "the last page behind many", rows: 400, odd: []odd{reports(400), on(20, end, shows(380, 400))}, want: ids(400), most: 21},
		{name: "a total that is always that of three pages, in another order for each page", rows: 61, odd: []odd{shuffled, reports(60)}, lack: paging.Unstable, most: 150},
		{name: "the same, with a total of one page", rows: 21, odd: []odd{shuffled, reports(20)}, lack: paging.Unstable, most: 150},
		{name: "all rows for every page", rows: 20, odd: []odd{on(0, end, shows(0, 20)), on(0, end, func(_ *fake, p *pages.Page) {
			last := true
			p.Size, p.Pages, p.Last = 20, 1, &last
		})}, want: ids(20), most: 2},
		{name: "all rows for every page, which are to have fewer", rows: 65, odd: []odd{on(0, end, shows(0, 65)), on(0, end, func(_ *fake, p *pages.Page) { p.Size, p.Pages = 20, 4 })}, want: ids(65), most: 3},
		{name: "a join lists rows twice", rows: 60, odd: []odd{on(0, 0, repeats(3)), on(2, 2, repeats(7))}, want: without(60, 4, 5, 48, 49), flag: isRepeated, most: 4},
		{name: "the same, and over the end of a page", rows: 60, odd: []odd{on(0, 0, repeats(3)), on(1, 1, repeats(-1))}, want: without(60, 4, 5, 20, 21), flag: isRepeated, most: 20},
		{name: "a join that differs in a field, and over the end of a page", rows: 60, odd: []odd{on(0, 0, repeats(3)), on(1, 1, repeats(-1)), func(_ *fake, number, _ int, p *pages.Page) error {
			for page, at := range map[int]int{0: 4, 1: 0} {
				if c := p.Table.Column("processedItems"); number == page {
					c.Valid[at], c.Numbers[at] = true, 7
				}
			}
			return nil
		}}, want: without(60, 4, 5, 20, 21), flag: isRepeated, most: 20},
		{name: "a page of rows with one key", rows: 95, odd: []odd{on(3, 3, func(_ *fake, p *pages.Page) {
			for i := range p.Table.Rows {
				p.Table.Column("id").Integers[i] = 1000
			}
		})}, flag: func(r *paging.Result) bool { return r.Keyless && r.Table.Rows == 95 }, most: 5},
		{name: "a join lists a row of a data set without times twice", rows: 60, set: &withoutTimes, odd: []odd{on(0, 0, repeats(3))}, want: without(60, 4, 5), flag: isRepeated, most: 4},
		{name: "two rows of a data set without times have one key, on one of several pages", rows: 65, set: &withoutTimes, odd: []odd{oneKeyForTwo}, flag: func(r *paging.Result) bool { return r.Keyless && r.Table.Rows == 65 }, most: 5},
		{name: "the same, on the only page", rows: 10, set: &withoutTimes, odd: []odd{oneKeyForTwo}, flag: func(r *paging.Result) bool { return !r.Keyless && r.Repeated == 0 && r.Table.Rows == 10 }, most: 1},
		{name: "two rows of a data set without times have one key, the second one at the end", rows: 61, set: &withoutTimes, odd: []odd{on(3, 3, func(s *fake, p *pages.Page) {
			p.Table.Column("id").Integers[0] = s.rows[0].id
			p.Table.Column("processedItems").Numbers[0] = 7
		})}, lack: paging.FewerRows, most: 40},
		{name: "two rows have one key in an array that the service returns for every page, with other cells each time", rows: 10, set: &withoutTimes, odd: []odd{on(0, end, shows(0, 10)), func(s *fake, _, _ int, p *pages.Page) error {
			p.Table.Column("id").Integers[4], p.Bare, p.Total = s.rows[3].id, true, -1
			p.Table.Column("processedItems").Numbers[4]++
			s.rows[0].version++
			return nil
		}}, flag: func(r *paging.Result) bool { return !r.Keyless && r.Table.Rows == 10 }, most: 3},
		{name: "the last page behind a page on which two rows have one key", rows: 60, set: &withoutTimes, odd: []odd{reports(60), on(3, end, shows(40, 60)), oneKeyForTwo}, flag: func(r *paging.Result) bool { return r.Keyless && r.Table.Rows == 60 }, most: 5},
		{name: "rows of the last page but one, at the end", rows: 62, odd: []odd{on(3, 3, shows(58, 60))}, want: ids(60), flag: isRepeated, most: 40},
		{name: "rows of page 0, at the end", rows: 65, odd: []odd{on(3, 3, func(s *fake, p *pages.Page) { fill(p, slices.Concat(s.rows[60:62], s.rows[7:10])) })}, want: func(s *fake) []int64 {
			all := s.ids(62)
			return slices.Concat(all[:7], all[10:], all[7:10])
		}, flag: isRepeated, most: 40},
		{name: "a row over the end of a page alone", rows: 60, odd: []odd{on(1, 1, repeats(-1))}, want: without(60, 20, 21), lack: paging.FewerRows, most: 20},
		{name: "page 0 for every page", rows: 200, odd: []odd{on(0, end, shows(0, 20))}, want: ids(20), lack: paging.SamePage, most: 21},
		{name: "page 0 for every page, no totals", rows: 200, odd: []odd{on(0, end, shows(0, 20)), noTotals}, want: ids(20), lack: paging.SamePage, most: 6},
		{name: "page 0 for every page, no keys", rows: 200, odd: []odd{on(0, end, shows(0, 20)), keyless}, lack: paging.SamePage, most: 21},
		{name: "a row without a key for every page, no totals", rows: 1, odd: []odd{on(0, end, shows(0, 1)), keyless, noTotals}, lack: paging.SamePage, most: 20},
		{name: "pages behind the last one are refused", rows: 60, odd: []odd{noTotals, refuses(3, end, notFound)}, want: ids(60), most: 10},
		{name: "page 0 is refused", rows: 60, odd: []odd{refuses(0, 0, notFound)}, fails: true, most: 1},
		{name: "a page is refused", rows: 200, odd: []odd{refuses(4, 4, rejected)}, fails: true, most: 25},
		{name: "an array without an envelope, for every page", rows: 20, odd: []odd{on(0, end, shows(0, 20)), noTotals, on(0, end, func(_ *fake, p *pages.Page) { p.Bare = true })}, want: ids(20), most: 3},
		{name: "arrays without an envelope, page by page", rows: 65, odd: []odd{noTotals, on(0, end, func(_ *fake, p *pages.Page) { p.Bare = true })}, want: ids(65), most: 12},
		{name: "empty", want: ids(0), most: 1},
		{name: "empty although it reports rows", odd: []odd{on(0, end, total(65))}, want: ids(0), lack: paging.ShortPage, most: 5},
	} {
		bubble(t, test.name, func(t *testing.T) {
			s := newFake(test.rows, 20)
			s.odd = func(s *fake, number, size int, p *pages.Page) error {
				for _, change := range test.odd {
					if err := change(s, number, size, p); err != nil {
						return err
					}
				}
				return nil
			}
			l := of(t, s.Page, func(c *Config) { c.DataSet, c.MaxRows = cmp.Or(test.set, tasks), cmp.Or(test.rowsAtMost, c.MaxRows) })
			for range 2 {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				r, err := l.Read(ctx, time.Now(), nil)
				if test.fails {
					require.Error(t, err)
					return
				}
				require.NoError(t, err)
				if test.want != nil {
					assert.Equal(t, test.want(s), idsOf(r))
				}
				assert.Equal(t, test.lack, r.Lack)
				if test.flag != nil {
					assert.True(t, test.flag(r), "%+v", r)
				}
				assert.LessOrEqual(t, s.took(), test.most)
			}
		})
	}
}

// A new login belongs to another organization, whose tasks may have the same numbers: none of them meet in one answer.
func TestOtherOrganization(t *testing.T) {
	for at := range 12 {
		synctest.Test(t, func(t *testing.T) {
			s := newFake(200, 20)
			l := of(t, s.Page)
			read(t, l, ttl())
			s.took()
			s.odd = func(s *fake, _, _ int, _ *pages.Page) error {
				if s.requests > at {
					s.owner = "other"
					for _, r := range s.rows {
						r.version = 7
					}
				}
				return nil
			}
			r := read(t, l, time.Now())
			versions := map[float64]bool{}
			for _, v := range r.Table.Column("processedItems").Numbers {
				versions[v] = true
			}
			assert.Len(t, versions, 1, "after %d requests", at)
		})
	}
}

// Nothing is taken over from an answer that lacks rows, or that belongs to another organization.
func TestNothingIsJoinedToALack(t *testing.T) {
	for name, change := range map[string]func(s *fake, p *pages.Page){
		"an empty page 0":                       func(s *fake, p *pages.Page) { total := p.Total; fill(p, nil); p.Total = total },
		"an empty list of another organization": func(s *fake, p *pages.Page) { fill(p, nil); p.Total, s.owner = 0, "other" },
	} {
		bubble(t, name, func(t *testing.T) {
			s := newFake(300, 20)
			l := of(t, s.Page)
			s.odd = on(0, end, change)
			read(t, l, time.Now())
			s.odd, s.owner = nil, "acme"
			r := read(t, l, time.Now())
			assert.Equal(t, s.ids(300), idsOf(r))
		})
	}
}

// A service that sorts by a field with ties may return them in another order each time. All looks together have all rows.
func TestUnstableTies(t *testing.T) {
	for _, test := range []struct {
		rows, ties int
		isByTime   bool
		most       int // requests
	}{{200, 3, true, 120}, {200, 7, true, 120}, {200, 5, true, 25}, {100, 15, false, 70}, {130, 130, false, 180}, {300, 100, false, 320}} {
		for seed := range uint64(10) {
			synctest.Test(t, func(t *testing.T) {
				s, random := newFake(test.rows, 20), rand.New(rand.NewPCG(seed, 2))
				if !test.isByTime {
					random.Shuffle(test.rows, func(a, b int) { s.rows[a].created, s.rows[b].created = s.rows[b].created, s.rows[a].created })
				}
				s.odd = func(s *fake, number, _ int, p *pages.Page) error {
					rows := slices.Clone(s.rows)
					for equal := range slices.Chunk(rows, test.ties) {
						random.Shuffle(len(equal), func(a, b int) { equal[a], equal[b] = equal[b], equal[a] })
					}
					fill(p, rows[min(len(rows), number*20):min(len(rows), number*20+20)])
					return nil
				}
				l := of(t, s.Page)
				for range 3 {
					r := read(t, l, time.Now())
					assert.Equal(t, paging.Complete, r.Lack)
					assert.ElementsMatch(t, s.ids(test.rows), idsOf(r))
					assert.LessOrEqual(t, s.took(), test.most)
					s.come(1)
					s.rows = s.rows[:test.rows]
				}
			})
		}
	}
}

// Values that can't be read are read again, and their warning ends with them.
func TestUnreadableValuesAreReadAgain(t *testing.T) {
	spoiled := true
	l := of(t, ofRows(200, func(id int) string {
		if spoiled && id/20 == 3 {
			return `"processedItems":"many"`
		}
		return `"processedItems":5`
	}))
	for _, problems := range []int{1, 0, 0} {
		r := read(t, l, time.Now())
		assert.Contains(t, r.AsOf.String(), "m=+", "it ages although the wall clock is set back")
		assert.Len(t, r.Problems, problems)
		assert.Equal(t, problems == 0, r.Table.Column("processedItems").Valid[60])
		spoiled = false
	}
}

// Texts are memory, once each, also if their rows are read again.
func TestMemoryOfTexts(t *testing.T) {
	l := of(t, ofRows(400, func(id int) string {
		return fmt.Sprintf(`"activityLabel":"%d %s","repositoryLabel":%q`, id, strings.Repeat("x", 1000), strings.Repeat([]string{"y", "z"}[id%2], 1000))
	}))
	for range 3 {
		read(t, l, time.Now())
		assert.InDelta(t, 480_000, l.Bytes(), 48_000)
	}
}

// Full reads are bounded, with totals or without. A refresh does not wait for them.
func TestFullReadsAreBounded(t *testing.T) {
	for _, odd := range []odd{nil, on(0, end, func(_ *fake, p *pages.Page) { p.Total = -1 })} {
		synctest.Test(t, func(t *testing.T) {
			large := semaphore.NewWeighted(1)
			s := newFake(1000, 20)
			for i, r := range s.rows {
				r.ended = i%20 > 0 || i > 400
			}
			s.odd, s.latency = odd, 100*time.Millisecond
			l := of(t, s.Page, func(c *Config) { c.Large = large })
			require.True(t, large.TryAcquire(1), "another full read is running")
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := l.Read(ctx, ttl(), nil)
			require.ErrorIs(t, err, context.DeadlineExceeded, "it waits")
			large.Release(1)
			read(t, l, ttl())
			require.True(t, large.TryAcquire(1), "released after the read")
			if odd == nil {
				time.Sleep(time.Minute)
				began := time.Now()
				read(t, l, ttl())
				assert.Less(t, time.Since(began), 2*time.Second)
			}
		})
	}
}

// ofRows is a service of so many rows that ended long ago, in pages of 20. fields returns what each has besides, as JSON.
func ofRows(total int, fields func(id int) string) func(context.Context, PageRequest) (*pages.Page, error) {
	return func(_ context.Context, r PageRequest) (*pages.Page, error) {
		var rows []string
		for id := r.Number * 20; id < min(total, (r.Number+1)*20); id++ {
			rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","dateCreation":"2026-01-01T10:00:00Z",%s}`, id, fields(id)))
		}
		body := fmt.Sprintf(`{"content":[%s],"totalElements":%d,"totalPages":%d}`, strings.Join(rows, ","), total, total/20)
		return pages.Decode(strings.NewReader(body), tasks, r.Texts, 100)
	}
}

// A question is never answered with rows that are older than it allows, however long reading them takes.
func TestAgeOfAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(4000, 20)
		for _, r := range s.rows {
			r.created = r.created.Add(-time.Hour) // Nothing is open.
		}
		s.latency = 10 * time.Second
		l := of(t, s.Page)
		go func() { _, _ = l.Read(t.Context(), time.Now(), nil) }() // takes more than four minutes
		time.Sleep(4 * time.Minute)
		for _, allowed := range []time.Duration{0, time.Minute} {
			since := time.Now().Add(-allowed)
			r := read(t, l, since)
			assert.False(t, r.AsOf.Before(since), "%v", allowed)
			assert.Equal(t, s.ids(4000), idsOf(r))
		}
		assert.Equal(t, 201+3, s.took(), "its page 0 is older than the first question, which looks again; the second one shares that")
	})
}

// Those who wait for a read that fails do not wait for another one, and it is not repeated at once.
func TestFailureIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(1000, 20)
		s.latency = 30 * time.Second
		down := &service.Error{Kind: service.ErrTimeout, Message: "no response"}
		s.odd = func(*fake, int, int, *pages.Page) error { return down }
		l := of(t, s.Page)
		began := time.Now()
		var wg sync.WaitGroup
		for i := range 12 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 100 * time.Millisecond)
				_, err := l.Read(t.Context(), ttl(), nil)
				assert.ErrorIs(t, err, service.ErrTimeout)
			})
		}
		wg.Wait()
		assert.Less(t, time.Since(began), 31*time.Second)
		_, err := l.Read(t.Context(), ttl(), nil)
		require.ErrorIs(t, err, service.ErrTimeout)
		assert.Equal(t, 1, s.took())
		time.Sleep(2 * time.Second)
		s.latency, s.odd = 0, nil
		r := read(t, l, ttl())
		assert.Equal(t, s.ids(1000), idsOf(r))
		assert.WithinDuration(t, time.Now(), r.AsOf, time.Second, "nothing of the time of the failure")
	})
}

// A panic in a goroutine of a read is the error of that read.
func TestPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(1000, 20)
		s.odd = on(7, 7, func(_ *fake, p *pages.Page) { p.Table = nil })
		_, err := of(t, s.Page).Read(t.Context(), ttl(), nil)
		require.ErrorContains(t, err, "internal error")
	})
}

// asks reads as somebody with a patience of so long.
func asks(t *testing.T, l *List, patience time.Duration) (*paging.Result, error) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), patience, ErrSlow)
	defer cancel()
	return l.Read(ctx, time.Now(), nil)
}

// A read that was stopped does not ask for ever for a page that is gone, nor panic for ever.
func TestReadThatCannotGoOn(t *testing.T) {
	for name, breaks := range map[string]func(s *fake, l *List){
		"list that is shorter": func(s *fake, _ *List) { s.rows = s.rows[:55] },
		"panic":                func(_ *fake, l *List) { l.paused.reading.Set = nil },
	} {
		bubble(t, name, func(t *testing.T) {
			s := newFake(2000, 10)
			s.latency = 10 * time.Second
			s.odd = func(s *fake, number, size int, _ *pages.Page) error {
				if number > 0 && number*s.size >= len(s.rows) {
					return &service.Error{Kind: service.ErrUnavailable, Status: 500}
				}
				return nil
			}
			l := of(t, s.Page)
			_, err := asks(t, l, 25*time.Second)
			require.ErrorIs(t, err, ErrSlow)
			time.Sleep(time.Hour)
			_, err = asks(t, l, time.Second)
			require.ErrorContains(t, err, " of 200 was read", "as far as the one before, before there is a page")
			time.Sleep(time.Hour)
			synctest.Wait()
			breaks(s, l)
			_, err = asks(t, l, time.Hour)
			require.Error(t, err)
			time.Sleep(time.Minute)
			r, err := asks(t, l, time.Hour)
			require.NoError(t, err)
			assert.Equal(t, s.ids(2000), idsOf(r))
		})
	}
}
