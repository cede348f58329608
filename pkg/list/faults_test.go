package list

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// An error at page 0 of the second look leaves what the first one has received.
func TestErrorOfPage0(t *testing.T) {
	s := newFake(2000, 20)
	fails, moved := false, false
	s.odd = func(s *fake, number, _ int, p *pages.Page) error {
		if number == 50 && !moved {
			s.rows = slices.Insert(s.rows, 0, &task{id: s.rows[0].id + 1, created: time.Now(), ended: true})
			fails, moved = true, true
		}
		if number == 0 && fails {
			fails = false
			return &service.Error{Kind: service.ErrUnavailable}
		}
		return nil
	}
	l := of(t, s)
	_, err := l.Read(t.Context(), time.Now(), nil)
	require.Error(t, err)
	t.Log(s.took(), "requests until the error")
	l.failure = nil
	read(t, l, time.Now())
	// How many pages were received before the rows moved differs with each run: 34 to 72 requests were seen. All are 101.
	assert.Less(t, s.took(), 90, "what was received is the prediction of the next read")
}

// An unknown field goes with the rows that had it.
func TestFieldsEndWithTheirRows(t *testing.T) {
	open, odd := "RUNNING", `,"late":"x"`
	source := sourceFunc(func(_ context.Context, r PageRequest) (*paging.Response, error) {
		var rows []string
		for id := range 20 {
			state, more := "FINISHED", ""
			if r.Number == 0 && id == 3 {
				state, more = open, odd
			}
			rows = append(rows, fmt.Sprintf(`{"id":%d,"state":%q,"finishStatus":"SUCCESS","dateCreation":%q%s}`, r.Number*20+id, state, time.Now().Add(-time.Hour).UTC().Format(time.RFC3339), more))
		}
		p, err := pages.Decode(strings.NewReader(fmt.Sprintf(`{"content":[%s],"totalElements":200,"totalPages":10}`, strings.Join(rows, ","))), tasks, r.Texts, 100)
		return &paging.Response{Page: p, Organization: "acme"}, err
	})
	l := of(t, source)
	r := read(t, l, time.Now())
	require.NotNil(t, r.Table.Column("late"))
	odd = ""
	fresh := read(t, of(t, source), time.Now())
	require.Nil(t, fresh.Table.Column("late"))
	for range 3 {
		r = read(t, l, time.Now())
	}
	assert.Nil(t, r.Table.Column("late"), "no row has it")
}

// Texts of rows that are read again are no more memory.
func TestTextsAreCountedOnce(t *testing.T) {
	at := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	source := sourceFunc(func(_ context.Context, r PageRequest) (*paging.Response, error) {
		var rows []string
		for id := range 20 {
			n := r.Number*20 + id
			rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","dateCreation":%q,"message":"%d %s"}`, n, at, n, strings.Repeat("x", 1000)))
		}
		p, err := pages.Decode(strings.NewReader(fmt.Sprintf(`{"content":[%s],"totalElements":2000,"totalPages":100}`, strings.Join(rows, ","))), tasks, r.Texts, 100)
		return &paging.Response{Page: p, Organization: "acme"}, err
	})
	l := of(t, source)
	read(t, l, time.Now())
	before := l.Bytes()
	for range 200 {
		read(t, l, time.Now())
	}
	assert.InDelta(t, before, l.Bytes(), float64(before)/10, "nothing has changed")
}

// Full reads are bounded, with totals or without.
func TestFullReadsAreBounded(t *testing.T) {
	for name, test := range map[string]struct {
		odd odd
	}{
		"control":   {nil},
		"no totals": {on(0, end, func(_ *fake, p *pages.Page) { p.Total = -1 })},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				large := semaphore.NewWeighted(1)
				s := newFake(2000, 20)
				s.odd, s.latency = test.odd, time.Millisecond
				l := of(t, s, func(c *Config) { c.Large = large })
				require.True(t, large.TryAcquire(1), "another full read is running")
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := l.Read(ctx, ttl(), nil)
				require.ErrorIs(t, err, context.DeadlineExceeded, "it waits")
			})
		})
	}
}

// Answers age although the wall clock is set back: their time has a monotonic reading.
func TestClockThatIsSetBack(t *testing.T) {
	r := read(t, of(t, newFake(100, 20)), time.Now())
	assert.Contains(t, r.AsOf.String(), "m=+", "monotonic")
}

// A field that never fits its type is no reason to read all pages again.
func TestFieldThatNeverFits(t *testing.T) {
	var n atomic.Int64
	source := sourceFunc(func(_ context.Context, r PageRequest) (*paging.Response, error) {
		n.Add(1)
		var rows []string
		for id := range 20 {
			rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","dateCreation":"2026-01-01T10:00:00Z","processedItems":"5"}`, r.Number*20+id))
		}
		p, err := pages.Decode(strings.NewReader(fmt.Sprintf(`{"content":[%s],"totalElements":2000,"totalPages":100}`, strings.Join(rows, ","))), tasks, r.Texts, 100)
		return &paging.Response{Page: p, Organization: "acme"}, err
	})
	l := of(t, source)
	read(t, l, time.Now())
	n.Store(0)
	read(t, l, time.Now())
	assert.LessOrEqual(t, n.Load(), int64(4), "nothing has changed")
}

// An answer from memory costs the same, however long the list is.
func BenchmarkCachedAnswer(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 500_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := newFake(n, 500)
			for _, r := range s.rows {
				r.created = r.created.Add(-72 * time.Hour)
			}
			l := of(b, s, func(c *Config) { c.MaxRows = 1_000_000 })
			if _, err := l.Read(b.Context(), time.Now(), nil); err != nil {
				b.Fatal(err)
			}
			since := time.Now().Add(-time.Hour)
			b.Run("answer", func(b *testing.B) {
				for b.Loop() {
					_, _ = l.Read(b.Context(), since, nil)
				}
			})
			b.Run("bytes", func(b *testing.B) {
				for b.Loop() {
					l.Bytes()
				}
			})
			b.Run("refresh", func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					_, _ = l.Read(b.Context(), time.Now(), nil)
				}
			})
		})
	}
}

// Rows that changed come in front of others and of new ones, while another one is removed, and nothing moves during a read.
func TestRowsThatOvertakeOthers(t *testing.T) {
	s := newFake(40, 4)
	for i, r := range s.rows {
		r.created = r.created.Add(-time.Hour)
		r.ended = i != 1 && i != 6
	}
	l := of(t, s)
	read(t, l, time.Now())
	toFront := func(i int) { r := s.rows[i]; s.rows = slices.Insert(slices.Delete(s.rows, i, i+1), 0, r) }
	toFront(1) // 39
	toFront(6) // 34
	s.come(2)
	for i, r := range s.rows[:2] {
		r.id = int64(42 - i)
	}
	s.rows = slices.DeleteFunc(s.rows, func(r *task) bool { return r.id == 36 })
	r := read(t, l, time.Now())
	assert.Equal(t, paging.Complete, r.Lack)
	assert.Equal(t, s.ids(100), idsOf(r))
}
