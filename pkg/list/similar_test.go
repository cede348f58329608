package list

import (
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

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
