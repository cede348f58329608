package list

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

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
