package paging

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// changesAt changes the list ahead of some requests.
type changesAt struct {
	*world
	changes map[int]func(*world)
}

func (c *changesAt) Page(ctx context.Context, number, size int, b pages.Bounds) (*pages.Page, error) {
	c.mu.Lock()
	if change := c.changes[c.reads]; change != nil {
		change(c.world)
	}
	c.mu.Unlock()
	return c.world.Page(ctx, number, size, b)
}

// Between two reads, a row replaces another one on a page with a task that runs, which is always seen. While that is
// mended, a task comes in front, so that the attempt is given up. The next one must look at the page again, although its
// rows were received.
func TestEvidenceOfAnEarlierAttempt(t *testing.T) {
	lost := map[int]int{}
	for at := range 12 {
		for seed := range uint64(inShort(30)) {
			w := newWorld(seed, 0, worlds[0].events)
			page := 1 + int(seed)%8
			for i, r := range w.list {
				r.ended = i != page*10+5
			}
			known := func() *Known {
				l, err := w.reader(t, nil).Read(t.Context(), Goal{})
				require.NoError(t, err)
				return l.Known
			}()
			came := w.row()
			came.ended, came.created = true, w.list[page*10+7].created
			w.list = slices.Insert(slices.Delete(w.list, page*10+2, page*10+3), page*10+7, came)
			w.reads = 0
			r := w.reader(t, known)
			r.Source = &changesAt{w, map[int]func(*world){at: oneComes}}
			l, err := r.Read(t.Context(), Goal{})
			require.NoError(t, err)
			if l.Incomplete == Complete && !slices.Contains(l.Table.Column("id").Integers, came.id) {
				lost[at]++
			}
		}
	}
	assert.Empty(t, lost, "of the reads, by the request ahead of which a task came")
}

// Since the last read, a task was removed. While the last page is on its way, one comes in front and one leaves its place,
// so that the total is the same, and the last page has the rows that it would have if nothing had been removed.
func TestHiddenRemoval(t *testing.T) {
	for name, changes := range map[string]map[int]func(*world){
		"one leaves the list":          {1: rolls},
		"the last one comes in front":  {1: lastJumps},
		"then a page of new rows does": {1: rolls, 2: pageOfNewRows},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(20) {
				w, known := refreshed(t, seed)
				w.dropAt(15 + int(seed))
				r := w.reader(t, known)
				r.Source, r.Sampled = &changesAt{w, changes}, true
				l, err := r.Read(t.Context(), Goal{})
				require.NoError(t, err)
				assert.Equal(t, Complete, l.Incomplete)
				assert.Equal(t, w.ids(), l.Table.Column("id").Integers)
			}
		})
	}
}

// While a removal is searched for page by page, a task comes in front and another one leaves the list, so that the search
// finds another place. What shows later that the list moved, a row twice or another total, says nothing about that place.
func TestMoveWhileASearchLooks(t *testing.T) {
	ghosts := map[[2]int]int{}
	for seed := range uint64(inShort(120)) {
		for first := range 12 {
			second := first + 1 + int(seed)%5
			w := ended(seed)
			goal := Goal{}
			if seed%2 == 0 {
				goal = Goal{Field: "dateCreation", From: w.list[105].created} // Ends within a page.
			}
			l, err := w.reader(t, nil).Read(t.Context(), goal)
			require.NoError(t, err)
			gone := w.list[12+int(seed)/2]
			w.dropAt(12 + int(seed)/2)
			w.reads = 0
			r := w.reader(t, l.Known)
			r.Source, r.Sampled, r.Concurrent = &changesAt{w, map[int]func(*world){first: rolls, second: slides}}, true, 1
			l, err = r.Read(t.Context(), Goal{})
			require.NoError(t, err)
			if l.Incomplete == Complete && slices.Contains(l.Table.Column("id").Integers, gone.id) {
				ghosts[[2]int{first, second}]++
			}
		}
	}
	assert.Empty(t, ghosts, "of the reads, by the requests ahead of which the list moved")
}

// Since a prediction that is fresh, a task was removed. While it is searched for, one comes in front and one leaves the list.
func TestFreshAndMoveWhileASearchLooks(t *testing.T) {
	lost := map[int]int{}
	for seed := range uint64(inShort(40)) {
		for at := range 12 {
			w, known := refreshed(t, seed)
			w.dropAt(12 + int(seed))
			there := w.ids()
			r := w.reader(t, known)
			r.Source, r.Fresh, r.Sampled, r.Concurrent = &changesAt{w, map[int]func(*world){at: rolls}}, true, true, 1
			l, err := r.Read(t.Context(), Goal{})
			require.NoError(t, err)
			ids := l.Table.Column("id").Integers
			if slices.ContainsFunc(there[:len(there)-1], func(id int64) bool { return !slices.Contains(ids, id) }) {
				lost[at]++
			}
		}
	}
	assert.Empty(t, lost, "of the reads, by the request ahead of which the list moved")
}

// A task that runs jumps from page 1 to the front, so that the last ones of page 0 are on page 1 now. As many tasks are
// removed further back, so that what follows is in its place although these are missing.
func TestJumpAndRemoval(t *testing.T) {
	for _, from := range []int{10, 11, 15} {
		for seed := range uint64(20) {
			w := ended(seed)
			jumps := w.list[from]
			jumps.ended = false
			l, err := w.reader(t, nil).Read(t.Context(), Goal{})
			require.NoError(t, err)
			w.list = slices.Insert(slices.Delete(w.list, from, from+1), 0, jumps)
			for range from - 9 {
				w.dropAt(40 + int(seed)*3)
			}
			r := w.reader(t, l.Known)
			r.Sampled = true
			l, err = r.Read(t.Context(), Goal{})
			require.NoError(t, err)
			assert.Equal(t, Complete, l.Incomplete)
			assert.Equal(t, w.ids(), l.Table.Column("id").Integers, "from %d, seed %d", from, seed)
		}
	}
}

// A removal changes the number of pages, so that the first attempt reads all of them, and another one makes a hole behind the
// goal. The second attempt proves only the rows of the goal, but a later read relies on those behind it, too.
func TestMoveBehindTheGoal(t *testing.T) {
	wrong := map[int]int{}
	for seed := range uint64(inShort(40)) {
		for at := 6; at < 16; at++ {
			w := ended(seed)
			w.list = w.list[:141]
			drops := func(place int) func(*world) { return func(w *world) { w.dropAt(place) } }
			r := w.reader(t, nil)
			r.Source, r.Concurrent = &changesAt{w, map[int]func(*world){3: drops(130), at: drops(60)}}, 1
			l, err := r.Read(t.Context(), Goal{Field: "dateCreation", From: w.list[45].created})
			require.NoError(t, err)
			r = w.reader(t, l.Known)
			r.Sampled = true
			l, err = r.Read(t.Context(), Goal{})
			require.NoError(t, err)
			if !slices.Equal(w.ids(), l.Table.Column("id").Integers) {
				wrong[at]++
			}
		}
	}
	assert.Empty(t, wrong, "of the reads, by the request ahead of which a task was removed")
}

func (w *world) ids() []int64 {
	var ids []int64
	for _, r := range w.list {
		ids = append(ids, r.id)
	}
	return ids
}

func pageOfNewRows(w *world) {
	for range w.size {
		oneComes(w)
	}
}

// refreshed returns a world in which all tasks have ended, and what is known of it.
func refreshed(t *testing.T, seed uint64) (*world, *Known) {
	t.Helper()
	w := ended(seed)
	l, err := w.reader(t, nil).Read(t.Context(), Goal{})
	require.NoError(t, err)
	w.reads = 0
	return w, l.Known
}

// ended returns a world in which all tasks have ended.
func ended(seed uint64) *world {
	w := newWorld(seed, 0, worlds[0].events)
	for _, r := range w.list {
		r.ended = true
	}
	return w
}

// A task that comes when all has been seen hides nothing.
func TestArrivalBeforeTheConfirmation(t *testing.T) {
	w, known := refreshed(t, 1)
	r := w.reader(t, known)
	r.Source, r.Sampled = &changesAt{w, map[int]func(*world){2: comes}}, true
	l, err := r.Read(t.Context(), Goal{})
	require.NoError(t, err)
	assert.Equal(t, Complete, l.Incomplete)
	assert.Equal(t, 3, l.Pages)
}

// When all has been seen, a new login is for another organization, which may have tasks with the same numbers.
func TestOtherOrganizationAtTheConfirmation(t *testing.T) {
	w, known := refreshed(t, 1)
	r := w.reader(t, known)
	r.Source, r.Sampled = switches{w, 2}, true
	l, err := r.Read(t.Context(), Goal{})
	require.NoError(t, err)
	assert.Equal(t, Moved, l.Incomplete)
}

// switches belongs to another organization, too, after so many requests.
type switches struct {
	*world
	after int
}

func (s switches) TakeOrganizations() []string {
	if s.reads > s.after {
		return []string{"acme", "other"}
	}
	return []string{"acme"}
}

// As many tasks come at once as a page has, so that page 1 has the rows of page 0.
func TestPageOfNewRows(t *testing.T) {
	w := newWorld(1, 0, worlds[0].events)
	r := w.reader(t, nil)
	r.Source = &changesAt{w, map[int]func(*world){1: pageOfNewRows}}
	l, err := r.Read(t.Context(), Goal{})
	require.NoError(t, err)
	assert.Equal(t, Complete, l.Incomplete)
	assert.Equal(t, w.ids(), l.Table.Column("id").Integers)
}

// A page with a task that runs is always seen. The service lists one of its rows twice there, and another one not at all.
func TestRowTwiceOnASeenPage(t *testing.T) {
	ghosts := 0
	for seed := range uint64(20) {
		w := newWorld(seed, 0, worlds[0].events)
		for i, r := range w.list {
			r.ended = i != 15
		}
		l, err := w.reader(t, nil).Read(t.Context(), Goal{})
		require.NoError(t, err)
		require.NotNil(t, l.Known)
		gone := w.list[12]
		w.list = slices.Clone(w.list)
		w.list[12] = w.list[11]
		l, err = w.reader(t, l.Known).Read(t.Context(), Goal{})
		require.NoError(t, err)
		if l.Incomplete == Complete && slices.Contains(l.Table.Column("id").Integers, gone.id) {
			ghosts++
		}
	}
	assert.Zero(t, ghosts, "of 20 reads")
}

// The service lists the rows of page 0 again on page 1, where a value has another type: it is shown as null, and reported.
func TestProblemOfALaterVersion(t *testing.T) {
	w := ended(1)
	r := w.reader(t, nil)
	r.Source = repeatsPageZero{w}
	l, err := r.Read(t.Context(), Goal{})
	require.NoError(t, err)
	assert.Equal(t, 10, l.Table.Rows)
	assert.Len(t, l.Problems, 1)
}

type repeatsPageZero struct{ *world }

func (s repeatsPageZero) Page(ctx context.Context, number, size int, b pages.Bounds) (*pages.Page, error) {
	p, err := s.world.Page(ctx, 0, size, b)
	if number == 1 {
		p.Problems = pages.Problems{{}}
	}
	return p, err
}
