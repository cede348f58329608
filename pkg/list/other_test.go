package list

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// readAfter reads a list that begins with what is known of another one.
func readAfter(t *testing.T, other, l *List) *paging.Result {
	t.Helper()
	r, err := l.Read(t.Context(), time.Now(), func(bool) *paging.Prediction { return other.Known() })
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
			r := rand.New(rand.NewPCG(seed, 1))
			month := newFake(600, 20)
			order(r, month.rows)
			l := of(t, month)
			read(t, l, time.Now())
			changed := newFake(0, 20)
			changed.rows = slices.DeleteFunc(slices.Clone(month.rows), func(r *task) bool { return r.id <= 3 })
			for id := range int64(3) {
				changed.rows = slices.Insert(changed.rows, r.IntN(len(changed.rows)), &task{id: 1000 + id, ended: true, created: time.Now()})
			}
			assert.Equal(t, changed.ids(1000), idsOf(readAfter(t, l, of(t, changed))), name)
			month.rows = changed.rows
			assert.Equal(t, changed.ids(1000), idsOf(read(t, l, time.Now())), name)
		}
	}
}

// A row out of order shows that others may be, too, where nobody looks.
func TestListThatIsNotInOrderEither(t *testing.T) {
	month := newFake(600, 20)
	l := of(t, month)
	read(t, l, time.Now())
	other := newFake(0, 20)
	other.rows = slices.Clone(month.rows)
	for id, place := range []int{300, 595} {
		other.rows[place] = &task{id: int64(1000 + id), ended: true, created: time.Now().Add(-time.Hour)}
	}
	assert.Equal(t, other.ids(600), idsOf(readAfter(t, l, of(t, other))))
}

// A service that counts up to 600 says on the last page of these that there are more, or has more behind it.
func TestTotalThatIsCapped(t *testing.T) {
	for _, says := range []bool{true, false} {
		capped := func(s *fake, number, _ int, p *pages.Page) error {
			last := (number+1)*s.size >= len(s.rows)
			if p.Total = min(p.Total, 600); says {
				p.Last = &last
			}
			return nil
		}
		s := newFake(590, 20)
		s.odd = capped
		l := of(t, s)
		read(t, l, time.Now())
		s.come(50)
		grown := read(t, l, time.Now())
		assert.Len(t, idsOf(grown), 640)
		assert.Equal(t, paging.Complete, grown.Lack)
		more := newFake(900, 20)
		more.odd = capped
		assert.Len(t, idsOf(readAfter(t, l, of(t, more))), 900)
	}
}

// Where the total ends exactly with a full page, a read of all pages shows by the next one whether it is right, whatever else a service returns there.
func TestTotalThatEndsWithAFullPage(t *testing.T) {
	shows := func(from, to int) odd {
		return func(s *fake, number, _ int, p *pages.Page) error {
			if number*s.size >= len(s.rows) {
				total := p.Total
				fill(p, s.rows[from:to])
				p.Total = total
			}
			return nil
		}
	}
	for _, test := range []struct {
		name  string
		rows  int
		total int // that the service reports at most
		odd   odd
		most  int // requests of a read
	}{
		{name: "one page, always", rows: 95, total: 20, most: 20},
		{name: "two pages, always", rows: 95, total: 40, most: 20},
		{name: "almost all pages, always", rows: 95, total: 80, most: 20},
		{name: "right", rows: 80, total: 80, most: 5},
		{name: "nothing is there", rows: 80, total: 80, odd: func(s *fake, number, _ int, p *pages.Page) error {
			if number >= 4 {
				p.Total = 0
			}
			return nil
		}, most: 5},
		{name: "it is refused", rows: 80, total: 80, odd: func(_ *fake, number, _ int, _ *pages.Page) error {
			if number >= 4 {
				return &service.Error{Kind: service.ErrNotFound}
			}
			return nil
		}, most: 5},
		{name: "the service fails there", rows: 80, total: 80, odd: func(_ *fake, number, _ int, _ *pages.Page) error {
			if number >= 4 {
				return &service.Error{Kind: service.ErrUnavailable}
			}
			return nil
		}, most: 5},
		{name: "the last page", rows: 80, total: 80, odd: shows(60, 80), most: 5},
		{name: "the last row", rows: 80, total: 80, odd: shows(79, 80), most: 5},
		{name: "the first page", rows: 80, total: 80, odd: shows(0, 20), most: 5},
		{name: "the first page of two", rows: 40, total: 40, odd: shows(0, 20), most: 3},
		{name: "the last page, of a list that is known", rows: 400, total: 400, odd: shows(380, 400), most: 21},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newFake(test.rows, 20)
			s.odd = func(s *fake, number, size int, p *pages.Page) error {
				p.Total, p.Size = min(p.Total, test.total), 20
				pages := (p.Total + 19) / 20
				last := number+1 >= pages
				p.Pages, p.Last = pages, &last
				if test.odd == nil {
					return nil
				}
				return test.odd(s, number, size, p)
			}
			l := of(t, s)
			for range 3 {
				r := read(t, l, time.Now())
				assert.Equal(t, s.ids(1000), idsOf(r))
				assert.Equal(t, paging.Complete, r.Lack)
				assert.LessOrEqual(t, s.took(), test.most)
			}
		})
	}
}

// A list that begins with another one reads no page twice, and takes over the size of its texts.
func TestCostOfAnotherList(t *testing.T) {
	s := newFake(2000, 20)
	l := of(t, s)
	read(t, l, time.Now())
	s.took()
	other := of(t, s)
	readAfter(t, l, other)
	assert.Equal(t, 3, s.took())
	assert.InDelta(t, l.Bytes(), other.Bytes(), float64(l.Bytes())/10)
}

// A field that only other rows of a longer list have is none of a list that begins with that one at each refresh.
func TestFieldsOfALongerList(t *testing.T) {
	late := func(id int) string {
		if id == 150 {
			return `"late":"x"`
		}
		return `"machineId":null`
	}
	month, week := of(t, ofRows(200, late)), of(t, ofRows(100, late))
	require.NotNil(t, read(t, month, time.Now()).Table.Column("late"))
	read(t, week, time.Now())
	r := readAfter(t, month, week)
	assert.Equal(t, 3, r.Cost.Pages)
	assert.Equal(t, 100, r.Table.Rows)
	assert.Nil(t, r.Table.Column("late"))
}
