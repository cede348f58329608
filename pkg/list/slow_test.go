package list

import (
	"context"
	"regexp"
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// inTime returns a context of somebody who waits so long.
func inTime(t *testing.T, wait time.Duration) context.Context {
	return Until(t.Context(), time.Now().Add(wait))
}

var soFar = regexp.MustCompile(`^page (\d+) of \d+, ask again: `)

// Each query of a list that takes long ends in time, and says how far it has come. Those that wait for it end with it, and the next one
// goes on from there, also while tasks come.
func TestSlowList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(9_020, 20)
		s.latency = 2500 * time.Millisecond
		l := of(t, s)
		ask := func() (*paging.Result, error) {
			return l.Read(inTime(t, 15*time.Second), time.Now().Add(-time.Minute), nil)
		}
		for n, last := 1, 0; ; n++ {
			began, waited := time.Now(), make(chan error, 1)
			go func() {
				_, err := ask()
				waited <- err
			}()
			r, err := ask()
			assert.Less(t, time.Since(began), 21*time.Second)
			assert.Equal(t, err, <-waited)
			synctest.Wait()
			assert.Zero(t, s.flying)
			if err == nil {
				assert.Equal(t, s.ids(10_000), idsOf(r))
				assert.Less(t, s.took(), 2*451)
				return
			}
			require.ErrorIs(t, err, ErrSlow)
			require.Regexp(t, soFar, err.Error())
			page, _ := strconv.Atoi(soFar.FindStringSubmatch(err.Error())[1])
			require.Greater(t, page, last)
			last = page
			s.come(1)
			time.Sleep(40 * time.Second)
			require.Less(t, n, 20)
		}
	})
}

// However long a page takes, each query goes further than the one before, and who has time does not end with the others. So it is
// when the pages of a list are read again that nobody has looked at for a while.
func TestSlowPages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newFake(400, 20)
		s.latency = 20 * time.Second
		l := of(t, s, func(c *Config) { c.Concurrent, c.Interval = 2, time.Hour })
		untilRead := func() {
			for n, failed := 0, true; failed; n++ {
				_, err := l.Read(inTime(t, time.Second), time.Now().Add(-time.Minute), nil)
				failed = err != nil
				require.Less(t, n, 20)
				require.Equal(t, n == 0 || failed, failed, "one query does not read it")
			}
			assert.Less(t, s.took(), 3*20*2)
		}
		untilRead()
		time.Sleep(2 * time.Hour)
		untilRead()
		time.Sleep(2 * time.Hour)
		hurried := make(chan error, 1)
		go func() {
			_, err := l.Read(inTime(t, time.Second), time.Now(), nil)
			hurried <- err
		}()
		synctest.Wait()
		_, err := l.Read(inTime(t, time.Hour), time.Now(), nil)
		require.NoError(t, err)
		require.ErrorIs(t, <-hurried, ErrSlow)
	})
}
