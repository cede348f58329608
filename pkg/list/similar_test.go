package list

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// beginningWith makes a list begin with what is known of another one.
func beginningWith(other *List) func(*Config) {
	return func(c *Config) {
		c.Similar = func() (longer, shorter []*List) { return []*List{other}, nil }
	}
}

// In an order that is not that of time, rows of other days are anywhere, where one makes up for another. Such a list is read
// whole.
func TestSimilarListInAnotherOrder(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		month := newFake(600, 20)
		r.Shuffle(len(month.rows), func(i, j int) { month.rows[i], month.rows[j] = month.rows[j], month.rows[i] })
		l := of(t, month)
		read(t, l, time.Now())
		less := newFake(0, 20)
		less.rows = slices.DeleteFunc(slices.Clone(month.rows), func(r *task) bool { return r.id <= 3 })
		for id := range int64(3) {
			less.rows = slices.Insert(less.rows, r.IntN(len(less.rows)), &task{id: 1000 + id, ended: true, created: time.Now()})
		}
		result := read(t, of(t, less, beginningWith(l)), time.Now())
		assert.Equal(t, paging.Complete, result.Lack)
		assert.Equal(t, less.ids(1000), idsOf(result))
	}
}

// Such a list is no help at each refresh of a list of fewer days either, which goes on with what is known of itself.
func TestLongerListInAnotherOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	month := newFake(600, 20)
	r.Shuffle(len(month.rows), func(i, j int) { month.rows[i], month.rows[j] = month.rows[j], month.rows[i] })
	week := newFake(0, 20)
	week.rows = slices.DeleteFunc(slices.Clone(month.rows), func(r *task) bool { return r.id <= 300 })
	longer, l := of(t, month), of(t, week)
	read(t, longer, time.Now())
	read(t, l, time.Now())
	week.took()
	result, err := l.Read(t.Context(), time.Now(), longer.Known)
	assert.NoError(t, err)
	assert.Equal(t, week.ids(300), idsOf(result))
	assert.Less(t, week.took(), 12, "of 15: the last tasks may still change")
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
	assert.Equal(t, other.ids(600), idsOf(read(t, of(t, other, beginningWith(l)), time.Now())))
}

// A service that counts up to 600 says on the last page of these that there are more.
func TestTotalThatIsCapped(t *testing.T) {
	capped := func(s *fake, number, _ int, p *pages.Page) error {
		last := (number+1)*s.size >= len(s.rows)
		p.Total, p.Last = min(p.Total, 600), &last
		return nil
	}
	s := newFake(590, 20)
	s.odd = capped
	l := of(t, s)
	read(t, l, time.Now())
	s.come(50)
	grown := read(t, l, time.Now())
	assert.Len(t, idsOf(grown), 640)
	assert.True(t, grown.Understated)
	more := newFake(900, 20)
	more.odd = capped
	assert.Len(t, idsOf(read(t, of(t, more, beginningWith(l)), time.Now())), 900)
}

// Lists each of which begins with the one before read the pages that were read longest ago, too.
func TestAgeOfSimilarLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(2000, 20)
		s.latency = time.Millisecond
		again := func(c *Config) { c.Again = time.Hour }
		l := of(t, s, again)
		read(t, l, time.Now())
		var r *paging.Result
		for range 40 {
			time.Sleep(5 * time.Minute)
			l = of(t, s, again, beginningWith(l))
			r = read(t, l, time.Now())
		}
		assert.Less(t, time.Since(r.OldestAt), 90*time.Minute)
	})
}

// A list that begins with another one reads no page twice, and takes over the size of its texts.
func TestCostOfASimilarList(t *testing.T) {
	s := newFake(2000, 20)
	l := of(t, s)
	read(t, l, time.Now())
	s.took()
	other := of(t, s, beginningWith(l))
	read(t, other, time.Now())
	assert.Equal(t, 3, s.took())
	assert.InDelta(t, l.Bytes(), other.Bytes(), float64(l.Bytes())/10)
}

// A field that only other rows of a longer list have is none of a list that begins with that one at each refresh.
func TestFieldsOfALongerList(t *testing.T) {
	ofRows := func(total int) sourceFunc {
		return func(_ context.Context, r PageRequest) (*paging.Response, error) {
			var rows []string
			for id := r.Number * 20; id < (r.Number+1)*20; id++ {
				more := ""
				if id == 150 {
					more = `,"late":"x"`
				}
				rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","dateCreation":"2026-01-01T00:00:00Z"%s}`, id, more))
			}
			p, err := pages.Decode(strings.NewReader(fmt.Sprintf(`{"content":[%s],"totalElements":%d,"totalPages":%d}`, strings.Join(rows, ","), total, total/20)), tasks, r.Texts, 100)
			return &paging.Response{Page: p, Organization: "acme"}, err
		}
	}
	month, week := of(t, ofRows(200)), of(t, ofRows(100))
	require.NotNil(t, read(t, month, time.Now()).Table.Column("late"))
	read(t, week, time.Now())
	r, err := week.Read(t.Context(), time.Now(), month.Known)
	require.NoError(t, err)
	assert.Equal(t, 3, r.Cost.Pages)
	assert.Equal(t, 100, r.Table.Rows)
	assert.Nil(t, r.Table.Column("late"))
}
