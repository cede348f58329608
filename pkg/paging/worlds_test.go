package paging

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/budget"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// rounds is how many reads of each kind are checked in each world: go test ./pkg/paging -run Worlds -rounds 2000
var rounds = flag.Int("rounds", 154, "reads of each kind in each world of TestWorlds")

// inShort returns how many of n random cases are tested. With the race detector, which makes them take many times as
// long, npm test runs the short form: a few of each kind.
func inShort(n int) int {
	if testing.Short() {
		return max(1, n/8)
	}
	return n
}

// row is a task of a world. Its versions are kept apart from what is served: the number of items is the version.
type row struct {
	id         int64
	ended      bool
	version    int64
	created    time.Time
	born, died int   // ticks
	since      []int // the tick of each version
}

// world is a list of tasks, newest first, that may change before each request.
type world struct {
	*rand.Rand
	mu     sync.Mutex
	list   []*row
	all    map[int64]*row
	busy   int // changes in 1,000 requests
	events []func(*world)
	size   int
	tick   int
	reads  int
	next   int64
	now    time.Time
}

var tasks = datasets.Get("tasks")

func newWorld(seed uint64, busy int, events []func(*world)) *world {
	w := &world{Rand: rand.New(rand.NewPCG(seed, 11)), all: map[int64]*row{}, busy: busy, events: events, size: 10, now: time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)}
	n := 150 + w.IntN(150)
	for i := range n {
		r := w.row()
		r.ended = n-i > 60 || w.IntN(8) > 0
		w.list = append(w.list, r)
	}
	slices.Reverse(w.list)
	return w
}

func (w *world) row() *row {
	w.next++
	w.now = w.now.Add(time.Minute)
	r := &row{id: w.next, created: w.now, born: w.tick, died: -1, since: []int{w.tick}}
	w.all[r.id] = r
	return r
}

func (w *world) change(r *row) {
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

func (w *world) open() *row {
	open := slices.DeleteFunc(slices.Clone(w.list), func(r *row) bool { return r.ended })
	if len(open) == 0 {
		return nil
	}
	return open[w.IntN(len(open))]
}

// The changes of worlds.
func comes(w *world) {
	for range 1 + w.IntN(2) {
		oneComes(w)
	}
}
func slides(w *world)  { w.dropAt(len(w.list) - 1) }
func deletes(w *world) { w.dropAt(w.inTheMiddle()) }
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
	i := slices.IndexFunc(w.list, func(r *row) bool { return !r.ended })
	if i < 0 {
		return
	}
	r := w.list[i]
	w.list = slices.Insert(slices.Delete(w.list, i, i+1), 0, r)
	r.ended = w.IntN(2) == 0
	w.change(r)
}
func oneComes(w *world) { w.list = slices.Insert(w.list, 0, w.row()) }
func rolls(w *world) {
	oneComes(w)
	slides(w)
}
func replaces(w *world) {
	oneComes(w)
	deletes(w)
}
func lastJumps(w *world) {
	last := len(w.list) - 1
	w.list = slices.Insert(w.list[:last], 0, w.list[last])
}
func appends(w *world) { w.list = append(w.list, w.row()) }

func (w *world) step() {
	w.tick++
	if w.IntN(1000) < w.busy {
		w.events[w.IntN(len(w.events))](w)
	}
}

// Page serves a page after a change. Requests side by side arrive in any order.
func (w *world) Page(_ context.Context, number, size int, _ pages.Bounds) (*pages.Page, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.step()
	w.reads++
	begin := min(number*w.size, len(w.list))
	p := pages.Empty(tasks)
	p.Total, p.Pages = len(w.list), (len(w.list)+w.size-1)/w.size
	rows := w.list[begin:min(begin+w.size, len(w.list))]
	p.Table.Rows = len(rows)
	for _, c := range p.Table.Columns {
		c.Resize(len(rows))
	}
	for i, r := range rows {
		setRow(p.Table, i, r)
	}
	return p, nil
}

func (w *world) TakeOrganizations() []string { return []string{"acme"} }

func setRow(t *columns.Table, i int, r *row) {
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
	set("processedItems").Numbers[i] = float64(r.version)
}

func (w *world) reader(t *testing.T, known *Known) *Reader {
	t.Helper()
	memory, err := budget.New().Reserve(t.Context())
	require.NoError(t, err)
	return &Reader{
		Source: w, DataSet: tasks, Sizes: NewSizes(0), Memory: memory, Texts: pages.NewInterner(), Concurrent: 8, MaxRows: 100_000,
		Known: known, Began: time.Now(),
	}
}

// lost, ghosts, stale and twice count what is wrong with a listing of the rows that were there from one tick to another.
type faults struct{ right, lost, ghosts, stale, twice, gaveUp, reads int }

// judge compares a listing with the truth: every row that was there all the time among the rows needed, no row that was
// gone before the read, each once, and in a version that the row had during the read.
func (w *world) judge(f *faults, l *Listing, needed, from int, checksVersions bool) {
	f.reads += w.reads
	if l.Incomplete != Complete {
		f.gaveUp++
		return
	}
	got := map[int64]bool{}
	ids, versions := l.Table.Column("id"), l.Table.Column("processedItems")
	before := *f
	for i := range l.Table.Rows {
		r := w.all[ids.Integers[i]]
		switch {
		case got[r.id]:
			f.twice++
		case r.died >= 0 && r.died <= from:
			f.ghosts++
		case checksVersions && int(versions.Numbers[i])+1 < len(r.since) && r.since[int(versions.Numbers[i])+1] <= from:
			f.stale++ // The next version was there before the read began.
		}
		got[r.id] = true
		if *f != before {
			return
		}
	}
	for i, r := range w.list {
		if i >= needed {
			break
		}
		if r.born < from && !got[r.id] {
			f.lost++
			return
		}
	}
	f.right++
}

var worlds = []struct {
	name   string
	busy   int
	events []func(*world)
	// misses allows the one change that cannot be seen: refer to Reader.prove.
	misses bool
}{
	{"quiet", 0, []func(*world){comes}, false},
	{"new rows", 3, []func(*world){comes}, false},
	{"slides, 3", 3, []func(*world){comes, slides, ends, runs}, false},
	{"slides, 10", 10, []func(*world){comes, slides, ends, runs}, false},
	{"slides, 30", 30, []func(*world){comes, slides, ends, runs}, false},
	{"slides, 100", 100, []func(*world){comes, slides, ends, runs}, false},
	{"deletions, 3", 3, []func(*world){comes, slides, ends, deletes}, false},
	{"deletions, 10", 10, []func(*world){comes, slides, ends, deletes}, false},
	{"deletions, 30", 30, []func(*world){comes, slides, ends, deletes}, false},
	{"open rows jump to the front", 10, []func(*world){comes, jumps, slides, deletes}, false},
	{"the last row jumps to the front", 30, []func(*world){comes, lastJumps, deletes, ends}, false},
	{"oldest first", 10, []func(*world){appends, ends}, false},
	{"in the middle", 10, []func(*world){inserts, ends}, false},
	{"a window that rolls", 30, []func(*world){rolls, deletes, ends}, false},
	{"deletions and new rows at once", 30, []func(*world){rolls, replaces, ends}, false},
	{"in and out of the middle", 10, []func(*world){inserts, deletes}, true},
}

func TestWorlds(t *testing.T) {
	rounds := inShort(*rounds)
	for _, test := range worlds {
		for _, kind := range []string{"whole", "repeat", "newest", "deeper", "stages", "canceled"} {
			t.Run(test.name+", "+kind, func(t *testing.T) {
				t.Parallel()
				var f faults
				for seed := range uint64(rounds) {
					w := newWorld(seed, test.busy, test.events)
					w.read(t, &f, kind)
				}
				if !test.misses {
					require.Zero(t, f.lost+f.ghosts, "%+v", f)
				}
				require.Zero(t, f.stale+f.twice, "%+v", f)
				require.LessOrEqual(t, f.lost+f.ghosts, rounds/10)
				require.LessOrEqual(t, f.gaveUp, rounds/4, "%+v", f)
				t.Logf("%+v, %.1f pages a read", f, float64(f.reads)/float64(rounds))
			})
		}
	}
}

// read makes one read of a kind, after some time since the one before if it needs one.
func (w *world) read(t *testing.T, f *faults, kind string) {
	t.Helper()
	ctx := t.Context()
	last := w.IntN(len(w.list) - 10)
	newest := Goal{Field: "dateCreation", From: w.list[last].created}
	var known *Known
	if kind == "repeat" || kind == "deeper" {
		busy := w.busy
		w.busy = 0
		goal := Goal{}
		if kind == "deeper" {
			goal = newest
		}
		l, err := w.reader(t, nil).Read(ctx, goal)
		require.NoError(t, err)
		known = l.Known
		require.NotNil(t, known)
		w.busy = busy
	}
	// A row that has just been added is not expected in a read that starts now, so the world first changes for a while.
	for range 60 {
		w.step()
	}
	if kind == "canceled" {
		known = w.canceled(t)
	}
	w.reads = 0
	from := w.tick
	r := w.reader(t, known)
	goal, needed := Goal{}, len(w.list)+1000
	if kind == "newest" || kind == "stages" {
		goal, needed = newest, last-20
	}
	l, err := r.Read(ctx, goal)
	require.NoError(t, err)
	if kind == "stages" && l.Incomplete == Complete {
		if l, err = r.Read(ctx, Goal{}); err != nil {
			t.Fatal(err)
		}
		needed = len(w.list) + 1000
	}
	w.judge(f, l, needed, from, true)
}

// canceled returns what a read knew when it was canceled in the middle.
func (w *world) canceled(t *testing.T) *Known {
	t.Helper()
	r := w.reader(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.Source = &cancels{world: w, left: 1 + w.IntN(len(w.list)/w.size), cancel: cancel}
	if _, err := r.Read(ctx, Goal{}); err != nil {
		return r.Partial()
	}
	return nil
}

// cancels cancels a read after so many pages.
type cancels struct {
	*world
	left   int
	cancel context.CancelFunc
}

func (c *cancels) Page(ctx context.Context, number, size int, bounds pages.Bounds) (*pages.Page, error) {
	page, err := c.world.Page(ctx, number, size, bounds)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left == 0 {
		c.cancel()
	}
	return page, err
}
