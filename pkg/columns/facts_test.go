package columns_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

type (
	parity struct{}
	shade  struct{ of string }
)

// thousand is a table of 1,000 numbers: about 9,000 bytes, so that facts may take about 1,100.
func thousand() *columns.Table {
	c := columns.New("n", datasets.Number, 1000)
	c.Resize(1000)
	return &columns.Table{Columns: []*columns.Column{c}, Rows: 1000}
}

func TestFactIsComputedOnce(t *testing.T) {
	table := thousand()
	var judged atomic.Int32
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			got, err := columns.Fact(t.Context(), table, parity{}, func() (string, int64, error) {
				judged.Add(1)
				return "even", 4, nil
			})
			assert.NoError(t, err)
			assert.Equal(t, "even", got)
		})
	}
	all.Wait()
	require.EqualValues(t, 1, judged.Load())
}

// Each key has its own fact, and each table its own facts.
func TestFactsAreDistinguishedByKey(t *testing.T) {
	one, other := thousand(), thousand()
	say := func(table *columns.Table, key any, value string) string {
		got, err := columns.Fact(t.Context(), table, key, func() (string, int64, error) { return value, 0, nil })
		require.NoError(t, err)
		return got
	}
	require.Equal(t, "a", say(one, shade{"a"}, "a"))
	require.Equal(t, "b", say(one, shade{"b"}, "b"))
	require.Equal(t, "c", say(other, shade{"a"}, "c"))
	require.Equal(t, "a", say(one, shade{"a"}, "d"))
}

// A fact that is too large compared with the rows is not cached: a cache of tables would not account for it.
func TestFactThatIsTooLargeIsNotKept(t *testing.T) {
	table := thousand()
	judged := 0
	ask := func(key any, bytes int64) {
		_, err := columns.Fact(t.Context(), table, key, func() (int, int64, error) { judged++; return 0, bytes, nil })
		require.NoError(t, err)
	}
	ask(shade{"large"}, 2000)
	ask(shade{"large"}, 2000)
	require.Equal(t, 2, judged)
	ask(shade{"small"}, 1000)
	ask(shade{"small"}, 1000)
	require.Equal(t, 3, judged, "what was not kept takes no room")
	ask(shade{"second"}, 1000)
	ask(shade{"second"}, 1000)
	require.Equal(t, 5, judged, "all facts share the limit")
	require.GreaterOrEqual(t, table.Bytes(), int64(9000+1000), "the table counts what they may take")
}

// A failed computation does not affect other callers, and waiting can be canceled.
func TestFactOfACanceledCaller(t *testing.T) {
	table := thousand()
	left := errors.New("left")
	_, err := columns.Fact(t.Context(), table, parity{}, func() (string, int64, error) { return "", 0, left })
	require.ErrorIs(t, err, left)

	ctx, cancel := context.WithCancelCause(t.Context())
	got, err := columns.Fact(t.Context(), table, parity{}, func() (string, int64, error) {
		cancel(left)
		_, err := columns.Fact(ctx, table, parity{}, func() (string, int64, error) { return "both", 0, nil })
		require.ErrorIs(t, err, left, "another caller computes it until this one is canceled")
		return "even", 4, nil
	})
	require.NoError(t, err)
	require.Equal(t, "even", got)
}
