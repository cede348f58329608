package plugin

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

const (
	savingsLine   = `{"queryType":"automations","format":"timeseries","measure":"savings"}`
	savingsNumber = `{"queryType":"automations","format":"numeric","measure":"savings"}`

	day = 24 * time.Hour
)

// An hour that clocks skip has nothing to compare with, and the hour after it has its own: a task every quarter of an hour
// is four in each hour that there was.
func TestComparisonWithADayOf23Hours(t *testing.T) {
	for _, test := range []struct {
		zone    string
		after   string // the day after clocks went forward
		skipped int    // hour
	}{
		{"Europe/Berlin", "2026-03-30", 2},
		{"America/New_York", "2026-03-09", 2},
		{"America/Santiago", "2026-09-07", 0},
	} {
		t.Run(test.zone, func(t *testing.T) {
			zone, err := time.LoadLocation(test.zone)
			require.NoError(t, err)
			from, err := time.ParseInLocation(time.DateOnly, test.after, zone)
			require.NoError(t, err)
			to := from.AddDate(0, 0, 1).Add(-time.Millisecond)
			var rows []string
			for at := from.AddDate(0, 0, -3); at.Before(to); at = at.Add(15 * time.Minute) {
				rows = append(rows, fmt.Sprintf(`{"id":%d,"dateCreation":%q}`, len(rows), at.UTC().Format(time.RFC3339)))
			}
			slices.Reverse(rows)
			s := newService().Data(tasksPath, servicetest.OK(page(rows...)))
			asked := func(format string) *data.Frame {
				q := dataQuery("A", fmt.Sprintf(`{%s,"measure":"tasks","compare":"day","timezone":%q}`, format, test.zone))
				q.TimeRange = backend.TimeRange{From: from, To: to}
				return askAll(t, t.Context(), start(t, s), q)["A"].Frames[0]
			}
			want := slices.Repeat([]string{"4"}, 24)
			want[test.skipped] = "null"
			before := asked(`"format":"timeseries","per":"hour"`).Fields[2]
			require.Equal(t, "day", before.Labels["compare"])
			for hour := range want {
				value, text := before.At(hour).(*float64), "null"
				if value != nil {
					text = fmt.Sprint(*value)
				}
				assert.Equal(t, want[hour], text, "%d:00", hour)
			}
			assert.Equal(t, []string{"92", "96"}, column(t, asked(`"format":"numeric"`), "tasks"))
		})
	}
}
