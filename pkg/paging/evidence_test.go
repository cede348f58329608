package paging

import (
	"context"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// comesAt adds a task in front ahead of one request.
type comesAt struct {
	*world
	at int
}

func (c *comesAt) Page(ctx context.Context, number, size int, b pages.Bounds) (*pages.Page, error) {
	c.mu.Lock()
	if c.reads == c.at {
		c.list = slices.Insert(c.list, 0, c.row())
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
			r.Source = &comesAt{w, at}
			l, err := r.Read(t.Context(), Goal{})
			require.NoError(t, err)
			if l.Incomplete == Complete && !slices.Contains(l.Table.Column("id").Integers, came.id) {
				lost[at]++
			}
		}
	}
	assert.Empty(t, lost, "of the reads, by the request ahead of which a task came")
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
