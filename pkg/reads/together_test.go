package reads

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A week, and the first rows of a month, are asked for in turn. A row that changed although it had ended is corrected within
// the interval, nothing turns back, and no look reads many pages.
func TestWeekBesideTheFirstRowsOfAMonth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMonth(newestFirst)
		f := servicetest.New().Data(tasksPath, m.answer)
		r := start(t, f)
		states := func(result *Result) []string { return result.Table.Column("finishStatus").Strings }
		hasChanged := false
		for minute := range 120 {
			if minute == 10 {
				m.rows[50] = strings.Replace(m.rows[50], "SUCCESS", "FAILED", 1)
			}
			before := f.Count(tasksPath)
			week, err := r.Read(t.Context(), lastDays(tasks, 7))
			require.NoError(t, err)
			first, _, err := r.ReadFirst(t.Context(), lastDays(tasks, 30), 100)
			require.NoError(t, err)
			requests := f.Count(tasksPath) - before
			if minute > 0 {
				require.LessOrEqual(t, requests, 30)
			}
			require.False(t, hasChanged && states(week)[50] == "SUCCESS", "it turns back")
			hasChanged = states(week)[50] == "FAILED"
			require.Equal(t, minute >= 10, states(first)[50] == "FAILED")
			time.Sleep(time.Minute)
		}
		assert.True(t, hasChanged)
	})
}

// While a month is asked for as often as a week, only the month is checked, and the week begins with it: three requests. A row
// that changed although it had ended is corrected within the interval in both, also when nobody asks for the month anymore.
func TestWeekBesideAMonth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMonth(newestFirst)
		f := servicetest.New().Data(tasksPath, m.answer)
		r := start(t, f)
		ofDays := func(days int) func() (int, string) {
			return func() (int, string) {
				before := f.Count(tasksPath)
				result, err := r.Read(t.Context(), lastDays(tasks, days))
				require.NoError(t, err)
				return f.Count(tasksPath) - before, result.Table.Column("finishStatus").Strings[1000]
			}
		}
		week, month := ofDays(7), ofDays(30)
		corrected := func() float64 { return testutil.ToFloat64(rowsCorrected.WithLabelValues("tasks")) }
		before := corrected()
		change := func(from, to string) { m.rows[1000] = strings.Replace(m.rows[1000], from, to, 1) }
		requests := map[bool]int{}
		for minute := range 150 {
			withMonth := minute < 75
			if minute == 5 {
				change("SUCCESS", "FAILED")
			}
			status := "FAILED"
			if withMonth {
				month()
			}
			took, weeks := week()
			if minute == 74 {
				assert.Equal(t, status, weeks, "corrected with the month")
				change("FAILED", "PARTIALLY_COMPLETED")
			}
			if minute == 149 {
				assert.Equal(t, "PARTIALLY_COMPLETED", weeks, "corrected without it")
			}
			if minute > 0 {
				requests[withMonth] += took
			}
			time.Sleep(time.Minute + time.Second)
		}
		assert.InDelta(t, before+2, corrected(), 0, "a metric says that a row has changed that was not expected to")
		assert.LessOrEqual(t, requests[true], 74*3)
		assert.Greater(t, requests[false], 75*3+50, "it checks itself again")
	})
}
