package list

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/schema"
)

var (
	worldSeeds = flag.Int("worldseeds", 300, "small worlds of each kind")
	worldFrom  = flag.Int("worldfrom", 0, "the first of them")
)

var tasks = schema.All().Get("tasks")

// task is a task of a world. Its versions are kept apart from what is served: the number of items is the version.
type task struct {
	id         int64
	ended      bool
	version    int64
	created    time.Time
	changed    time.Time // zero: null
	born, died int       // ticks
	since      []int     // the tick of each version
}

// world has tasks, newest first, which may change before each request.
type world struct {
	*rand.Rand
	mu      sync.Mutex
	list    []*task
	all     map[int64]*task
	busy    int // changes in 1,000 requests
	events  []func(*world)
	size    int // of pages
	tick    int
	next    int64
	now     time.Time
	spacing time.Duration // from one task to the next
	seed    uint64
	left    int  // requests until the caller leaves
	ties    bool // the list is in an order in which a third each is equal, and ordered anew for each page
	leave   context.CancelFunc
}

func newWorld(seed, n, size int, now time.Time, spacing time.Duration, events []func(*world)) *world {
	w := &world{Rand: rand.New(rand.NewPCG(uint64(seed), 11)), seed: uint64(seed), all: map[int64]*task{}, events: events, size: size, now: now, spacing: spacing}
	for i := range n {
		r := w.row()
		r.ended = n-i > min(60, n/3) || w.IntN(4) > 0
		w.list = append(w.list, r)
	}
	slices.Reverse(w.list)
	return w
}

func (w *world) row() *task {
	w.next++
	w.now = w.now.Add(w.spacing)
	r := &task{id: w.next, created: w.now, born: w.tick, died: -1, since: []int{w.tick}}
	w.all[r.id] = r
	return r
}

func (w *world) change(r *task) {
	r.version++
	r.since = append(r.since, w.tick)
}

func (w *world) dropAt(i int) {
	if i >= 0 && i < len(w.list) {
		w.list[i].died = w.tick
		w.list = slices.Delete(w.list, i, i+1)
	}
}

func (w *world) inTheMiddle() int { return w.size + w.IntN(len(w.list)-2*w.size) }

func (w *world) open() *task {
	open := slices.DeleteFunc(slices.Clone(w.list), func(r *task) bool { return r.ended || time.Since(r.created) > 48*time.Hour })
	if len(open) == 0 {
		return nil
	}
	return open[w.IntN(len(open))]
}

// toFront moves a row to the front, and changes it there.
func (w *world) toFront(i int) *task {
	r := w.list[i]
	w.list = slices.Insert(slices.Delete(w.list, i, i+1), 0, r)
	w.now = w.now.Add(w.spacing)
	r.changed = w.now
	w.change(r)
	return r
}

// The changes of worlds.
func oneComes(w *world) { w.list = slices.Insert(w.list, 0, w.row()) }
func comes(w *world) {
	for range 1 + w.IntN(2) {
		oneComes(w)
	}
}
func manyCome(w *world) {
	for range w.size + w.IntN(w.size) {
		oneComes(w)
	}
}
func appends(w *world)  { w.list = append(w.list, w.row()) }
func slides(w *world)   { w.dropAt(len(w.list) - 1) }
func drops(w *world)    { w.dropAt(w.IntN(len(w.list))) }
func deletes(w *world)  { w.dropAt(w.inTheMiddle()) }
func rolls(w *world)    { oneComes(w); slides(w) }
func replaces(w *world) { oneComes(w); deletes(w) }
func passes(w *world) {
	if w.now.Before(time.Now().Add(20 * time.Hour)) {
		w.now = w.now.Add(stormSpacing)
	}
}
func ends(w *world) {
	if r := w.open(); r != nil {
		r.ended = true
		w.change(r)
	}
}
func runs(w *world) {
	if r := w.open(); r != nil {
		w.change(r)
	}
}
func inserts(w *world) {
	i := w.inTheMiddle()
	r := w.row()
	r.ended, r.created = true, w.list[i].created
	w.list = slices.Insert(w.list, i, r)
}
func jumps(w *world) {
	if i := slices.IndexFunc(w.list, func(r *task) bool { return !r.ended }); i >= 0 {
		w.toFront(i).ended = w.IntN(2) == 0
	}
}
func touches(w *world) { w.toFront(w.IntN(len(w.list))) }
func lastJumps(w *world) {
	last := len(w.list) - 1
	w.list = slices.Insert(w.list[:last], 0, w.list[last])
}
func neverEnds(w *world) {
	r := w.list[w.inTheMiddle()]
	r.ended, r.created = false, r.created.Add(-5*24*time.Hour)
}

func (w *world) step() {
	w.tick++
	if w.IntN(1000) < w.busy {
		w.events[w.IntN(len(w.events))](w)
	}
}

// part is a list of a world: the tasks of some time up to now, or all of them.
type part struct {
	*world
	begins func(now time.Time) time.Time // nil: the list has all tasks
}

func (p part) has(r *task, now time.Time) bool {
	return p.begins == nil || r.created.After(p.begins(now))
}

func (p part) listed() []*task {
	if p.begins == nil && !p.ties {
		return p.list
	}
	list := slices.DeleteFunc(slices.Clone(p.list), func(r *task) bool { return !p.has(r, p.now) })
	if p.ties {
		p.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		slices.SortStableFunc(list, func(a, b *task) int { return cmp.Compare(a.id%3, b.id%3) })
	}
	return list
}

// arrives waits until a request reaches the service, at a moment that no other one has. In a bubble of synctest, requests side
// by side arrive in an order that looks random, and is the same in each run. Whoever has left before has sent nothing.
func arrives(ctx context.Context, seed uint64, number int) {
	if ctx.Err() == nil {
		moment := rand.NewPCG(seed+uint64(time.Now().UnixNano()), uint64(number))
		time.Sleep(time.Duration(1 + moment.Uint64()%uint64(400*time.Microsecond)))
	}
}

// Page serves a page after a change.
func (p part) Page(ctx context.Context, r PageRequest) (*pages.Page, error) {
	arrives(ctx, p.seed, r.Number)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step()
	if p.left--; p.left == 0 {
		p.leave()
	}
	list := p.listed()
	begin := min(r.Number*p.size, len(list))
	page := pages.Empty(tasks)
	page.Total, page.Pages = len(list), (len(list)+p.size-1)/p.size
	fill(page, list[begin:min(begin+p.size, len(list))])
	page.Usage.Organization, page.Usage.Requests = "acme", 1
	return page, nil
}

// fill makes tasks the rows of a page.
func fill(p *pages.Page, rows []*task) {
	p.Table = pages.Empty(tasks).Table
	p.Table.Rows = len(rows)
	for _, c := range p.Table.Columns {
		c.Resize(len(rows))
	}
	for i, r := range rows {
		setRow(p.Table, i, r)
	}
}

func setRow(t *columns.Table, i int, r *task) {
	set := func(name string) *columns.Column {
		c := t.Column(name)
		c.Valid[i] = true
		return c
	}
	state := "RUNNING"
	if r.ended {
		state = "FINISHED"
		set("finishStatus").Strings[i] = "SUCCESS"
	}
	set("id").Integers[i] = r.id
	set("state").Strings[i] = state
	set("dateCreation").Times[i] = r.created.UnixNano()
	if !r.changed.IsZero() {
		set("dateLastModified").Times[i] = r.changed.UnixNano()
	}
	set("processedItems").Numbers[i] = float64(r.version)
}

// mark is a moment of a world.
type mark struct {
	tick int
	now  time.Time // of the world
	at   time.Time
}

func (w *world) mark() mark {
	w.mu.Lock()
	defer w.mu.Unlock()
	return mark{w.tick, w.now, time.Now()}
}

// wrong compares what was read since a moment with the truth: every row that was there all the time, no row that was gone
// before, each once, and in a version that it has had since. It returns what is wrong, or nothing.
func (p part) wrong(rows *columns.Table, m mark) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	got := map[int64]bool{}
	ids, versions := rows.Column("id").Integers, rows.Column("processedItems").Numbers
	for i, id := range ids {
		r, next := p.all[id], int(versions[i])+1
		switch {
		case got[id]:
			return fmt.Sprintf("%d is there twice", id)
		case r.died >= 0 && r.died <= m.tick || !p.has(r, m.now):
			return fmt.Sprintf("%d was gone: died %d, since %+v", id, r.died, m)
		case next < len(r.since) && r.since[next] <= m.tick:
			return fmt.Sprintf("%d is stale: version %d of %v, since %+v", id, next-1, r.since, m)
		}
		got[id] = true
	}
	for _, r := range p.listed() {
		if r.born <= m.tick && !got[r.id] {
			return fmt.Sprintf("%d is lost: born %d, since %+v", r.id, r.born, m)
		}
	}
	return ""
}

// lived is a world in which two lists are read, of all tasks and of the newer ones. Each begins with what is known of the other.
type lived struct {
	*world
	r     *rand.Rand
	parts [2]part
	lists [2]*List
}

func newLived(t *testing.T, seed, rows, size int, events []func(*world)) *lived {
	r := rand.New(rand.NewPCG(uint64(seed), 77))
	n := rows + r.IntN(rows)
	w := newWorld(seed, n, 1+r.IntN(size), time.Now().Add(-24*time.Hour), time.Minute, events)
	newer := func(now time.Time) time.Time { return now.Add(-time.Duration(n) * time.Minute * 2 / 3) }
	l := &lived{world: w, r: r, parts: [2]part{{world: w}, {world: w, begins: newer}}}
	for i := range l.lists {
		l.renew(t, i)
	}
	return l
}

// renew forgets what is known of a list.
func (l *lived) renew(t *testing.T, i int) {
	l.lists[i] = of(t, l.parts[i].Page, func(c *Config) { c.Concurrent = []int{1, 4}[l.r.IntN(2)] })
}

// live lets the world change between two reads, up to eleven times.
func (l *lived) live() {
	for range l.r.IntN(12) {
		if l.r.IntN(2) == 0 && len(l.list) > 3*l.size+4 {
			l.tick++
			l.events[l.IntN(len(l.events))](l.world)
		}
	}
	for len(l.list) < 3*l.size+8 {
		oneComes(l.world)
	}
	l.tick++
}

// read makes one read of a list, from which the caller may leave. It returns what is wrong with a complete answer.
func (l *lived) read(t *testing.T, which int) (answer *paging.Result, wrong string) {
	l.busy = []int{0, 0, 20, 60, 150}[l.r.IntN(5)]
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if l.left = -1; l.r.IntN(4) == 0 {
		l.left, l.leave = 1+l.r.IntN(2+len(l.list)/l.size), cancel
	}
	m := l.mark()
	l.tick++
	answer, err := l.lists[which].Read(ctx, m.at, func(context.Context) *paging.Prediction { return l.lists[1-which].Known() })
	l.left = -1
	if err != nil || answer.Lack != paging.Complete {
		return answer, ""
	}
	return answer, l.parts[which].wrong(answer.Table, m)
}

var worlds = []struct {
	name   string
	events []func(*world)
	// isAlone: only the list of all tasks is read. Where tasks jump without a change, a look can see too little of the order
	// to doubt what another list knows. Nor can it see that the oldest row leaves in front while one comes at the end.
	isAlone bool
}{
	{"new rows", []func(*world){comes}, false},
	{"slides", []func(*world){comes, slides, ends, runs}, false},
	{"deletions", []func(*world){comes, slides, ends, deletes}, false},
	{"open rows jump to the front", []func(*world){comes, jumps, slides, deletes}, false},
	{"the last row jumps to the front", []func(*world){comes, lastJumps, deletes, ends}, true},
	{"oldest first", []func(*world){appends, ends}, true},
	{"oldest first, a window that rolls", []func(*world){func(w *world) { w.dropAt(0); appends(w) }, ends}, false},
	{"in the middle", []func(*world){inserts, ends}, true},
	{"a window that rolls", []func(*world){rolls, deletes, ends}, false},
	{"deletions and new rows at once", []func(*world){rolls, replaces, ends}, false},
	{"a list by last change", []func(*world){comes, touches, slides, deletes}, false},
	{"tasks that never end", []func(*world){comes, ends, deletes, neverEnds}, true},
	{"ties", []func(*world){rolls, replaces, ends, ends, runs, runs, runs, runs, runs, runs}, true},
	{"all", []func(*world){comes, slides, ends, runs, deletes, rolls, replaces, lastJumps, jumps}, true},
}

// lives makes eight reads, and counts what came of them.
func (l *lived) lives(t *testing.T, isAlone bool, counts map[string]int) {
	for n := range 8 {
		l.live()
		which := 0
		if l.r.IntN(3) == 0 && !isAlone {
			which = 1
		}
		if l.r.IntN(6) == 0 {
			l.renew(t, which)
		}
		answer, wrong := l.read(t, which)
		switch {
		case answer == nil:
			counts["left"]++
		case answer.Lack != paging.Complete:
			counts["gave up"]++
		case wrong != "":
			counts["wrong"]++
			t.Logf("seed %d, read %d of list %d, pages of %d: %s, reused %d", l.seed, n, which, l.size, wrong, answer.Cost.Reused)
		default:
			counts["right"]++
		}
	}
}

// Lists that change a lot: reads, canceled or not, with many changes between and during them. This is the oracle of what
// cannot be proven: in which worlds an answer claims to be complete and is not.
func TestWorlds(t *testing.T) {
	for _, scale := range []struct{ rows, size, seeds int }{{20, 4, *worldSeeds}, {150, 10, *worldSeeds / 10}} {
		if testing.Short() {
			scale.seeds /= 5
		}
		for _, test := range worlds {
			t.Run(fmt.Sprintf("%s, %d rows", test.name, scale.rows), func(t *testing.T) {
				t.Parallel()
				counts := map[string]int{}
				for n := range scale.seeds + 1 {
					seed := *worldFrom + n
					if n == scale.seeds {
						seed = 10276 // Without the seams where page 0 was not read again, it has a row that is gone.
					}
					synctest.Test(t, func(t *testing.T) {
						l := newLived(t, seed, scale.rows, scale.size, test.events)
						if strings.HasPrefix(test.name, "oldest first") {
							slices.Reverse(l.list)
						}
						l.ties = test.name == "ties"
						l.lives(t, test.isAlone, counts)
					})
				}
				t.Log(counts)
				if scale.size > 4 {
					require.Zero(t, counts["wrong"])
				}
				// In lists of one row a page, which change with most requests, about one read in 100,000 is wrong.
				require.LessOrEqual(t, counts["wrong"], 1+counts["right"]/20_000)
				least := scale.seeds
				if test.name == "ties" {
					least /= 2 // Where a third of 150 rows is equal, one read in six comes to an end: 563 of 3,600.
				}
				require.Greater(t, counts["right"], least)
			})
		}
	}
}
