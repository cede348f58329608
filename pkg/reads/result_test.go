package reads

import (
	"fmt"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A service that does not heed the number of days lists tasks that ended long before them. Of totals, nobody can tell, but that
// all windows are the same is said.
func TestServiceThatIgnoresDays(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		row := func(id int, state string, ago time.Duration) string {
			return fmt.Sprintf(`{"id":%d,"state":%q,"dateCreation":%q}`, id, state, time.Now().Add(-ago).UTC().Format(time.RFC3339))
		}
		const day = 24 * time.Hour
		rows := map[int][]string{
			7: {row(5, "FINISHED", time.Hour), row(4, "FINISHED", 6*day), row(3, "FINISHED", 7*day+time.Hour), row(2, "FINISHED", 9*day), row(1, "START", 20*day)},
			8: {row(5, "FINISHED", time.Hour), row(3, "FINISHED", 8*day+time.Hour), row(1, "START", 20*day)},
			9: {row(2, "FINISHED", 20*day)},
		}
		f := servicetest.New().Data(automationsPath, servicetest.OK(`{"content":[{"label":"a","taskCount":300}],"totalElements":1}`))
		r := start(t, f)
		for days, want := range map[int][]int64{7: {5, 4}, 8: {5, 3, 1}, 9: nil} {
			f.Data(tasksPath, servicetest.OK(servicetest.Envelope(rows[days], 0, 20)))
			result, err := r.Read(t.Context(), lastDays(tasks, days))
			require.NoError(t, err)
			assert.Equal(t, want, ids(result))
			assert.Len(t, result.Warnings, map[int]int{7: 1, 9: 1}[days])
			assert.Empty(t, result.Missing())
		}
		windows, err := r.Windows(t.Context(), pages.Question{DataSet: automations}, []int{3, 2, 1})
		require.NoError(t, err)
		assert.Contains(t, windows[0].Warnings[0].Text, "the same totals for 3 and for 1 days")
	})
}

// A clock that differs, and dates of another time zone without their offset, are said: a range up to now lacks rows then.
func TestClockOfTheService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, test := range []struct {
			clock, dated time.Duration
			want         string
		}{
			{0, 0, ""}, {30 * time.Second, time.Minute, ""}, {0, 26 * 365 * 24 * time.Hour, ""}, {10 * time.Minute, 10 * time.Minute, "differs from that of Grafana by 10m0s"},
			{-10 * time.Minute, -10 * time.Minute, "by -10m0s"}, {0, 2 * time.Hour, "dateCreation: 1 values are after now"}, {0, 5 * time.Minute, ""},
		} {
			f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", time.Now().Add(test.clock).UTC().Format(http.TimeFormat))
				servicetest.OK(fmt.Sprintf(`{"content":[{"id":1,"dateCreation":%q}],"totalElements":1}`, time.Now().Add(test.dated).UTC().Format(time.RFC3339)))(w, r)
			})
			result, err := start(t, f).Read(t.Context(), lastDays(tasks, 7))
			require.NoError(t, err)
			if test.clock.Abs() > time.Minute {
				assert.InDelta(t, test.clock, result.Ahead, float64(time.Second))
			}
			assert.Empty(t, result.Missing())
			said := fmt.Sprint(result.Warnings, result.Later)
			assert.Contains(t, said, test.want)
			assert.Equal(t, test.want == "", said == "[] []", said)
		}
	})
}
