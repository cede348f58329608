package list

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// readAfter reads a list that begins with what is known of another one.
func readAfter(t *testing.T, other, l *List) *paging.Result {
	t.Helper()
	r, err := l.Read(t.Context(), time.Now(), func(context.Context) *paging.Prediction { return other.Known() })
	require.NoError(t, err)
	return r
}

// In an order that is not that of a time, one row anywhere makes up for another one. Such a list is read whole, whatever is
// known of it or of one over other days.
func TestListInAnotherOrder(t *testing.T) {
	for name, order := range map[string]func(r *rand.Rand, rows []*task){
		"shuffled": func(r *rand.Rand, rows []*task) {
			r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		},
		"a row is not": func(_ *rand.Rand, rows []*task) { rows[300], rows[590] = rows[590], rows[300] },
	} {
		for seed := range uint64(20) {
			synctest.Test(t, func(t *testing.T) {
				r := rand.New(rand.NewPCG(seed, 1))
				month := newFake(600, 20)
				order(r, month.rows)
				l := of(t, month.Page)
				read(t, l, time.Now())
				changed := newFake(0, 20)
				changed.rows = slices.DeleteFunc(slices.Clone(month.rows), func(r *task) bool { return r.id <= 3 })
				for id := range int64(3) {
					changed.rows = slices.Insert(changed.rows, r.IntN(len(changed.rows)), &task{id: 1000 + id, ended: true, created: time.Now()})
				}
				assert.Equal(t, changed.ids(1000), idsOf(readAfter(t, l, of(t, changed.Page))), name)
				month.rows = changed.rows
				assert.Equal(t, changed.ids(1000), idsOf(read(t, l, time.Now())), name)
			})
		}
	}
}

// A row out of order shows that others may be, too, where nobody looks.
func TestListThatIsNotInOrderEither(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		month := newFake(600, 20)
		l := of(t, month.Page)
		read(t, l, time.Now())
		other := newFake(0, 20)
		other.rows = slices.Clone(month.rows)
		for id, place := range []int{300, 595} {
			other.rows[place] = &task{id: int64(1000 + id), ended: true, created: time.Now().Add(-time.Hour)}
		}
		assert.Equal(t, other.ids(600), idsOf(readAfter(t, l, of(t, other.Page))))
	})
}

// A list that grows, and one that begins with it, of a service that counts up to 600 and says on the last page of these that there are
// more, or has more behind it, or of one whose total ends with each page.
func TestTotalThatIsCapped(t *testing.T) {
	capped := func(rows, _ int) int { return min(rows, 600) }
	withEachPage := func(rows, number int) int { return min(rows, 20*(number+1)) }
	for _, test := range []struct {
		rows, come int
		total      func(rows, number int) int
		size       int // as the service says
		says       bool
		most       int // requests
	}{{590, 50, capped, -1, true, 100}, {590, 50, capped, -1, false, 100}, {15, 10, withEachPage, 20, false, 10}} {
		synctest.Test(t, func(t *testing.T) {
			s, more := newFake(test.rows, 20), newFake(900, 20)
			s.odd = func(s *fake, number, _ int, p *pages.Page) error {
				last := (number+1)*s.size >= len(s.rows)
				if p.Size, p.Total = test.size, test.total(len(s.rows), number); test.says {
					p.Last = &last
				}
				return nil
			}
			more.odd = s.odd
			l := of(t, s.Page)
			read(t, l, time.Now())
			for range 3 {
				s.took()
				s.come(test.come)
				r := read(t, l, time.Now())
				assert.Equal(t, s.ids(1000), idsOf(r))
				assert.Equal(t, paging.Complete, r.Lack)
				assert.LessOrEqual(t, s.took(), test.most)
			}
			assert.Len(t, idsOf(readAfter(t, l, of(t, more.Page))), 900)
		})
	}
}

// A list that begins with another one reads no page twice, and takes over the size of its texts.
func TestCostOfAnotherList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(2000, 20)
		l := of(t, s.Page)
		read(t, l, time.Now())
		s.took()
		other := of(t, s.Page)
		readAfter(t, l, other)
		assert.Equal(t, 3, s.took())
		assert.InDelta(t, l.Bytes(), other.Bytes(), float64(l.Bytes())/10)
	})
}

// A field that only other rows of a longer list have is none of a list that begins with that one at each refresh. One that is null in
// every row is a field, and no reason to read all of them again.
func TestFieldsOfALongerList(t *testing.T) {
	late := func(id int) string {
		if id == 150 {
			return `"late":"x","priority":null`
		}
		return `"priority":null`
	}
	month, week := of(t, ofRows(200, late)), of(t, ofRows(100, late))
	require.NotNil(t, read(t, month, time.Now()).Table.Column("late"))
	for range 2 {
		r := readAfter(t, month, week)
		assert.Equal(t, 3, r.Cost.Pages)
		assert.Equal(t, 100, r.Table.Rows)
		assert.Nil(t, r.Table.Column("late"))
		assert.NotNil(t, r.Table.Column("priority"))
	}
}
