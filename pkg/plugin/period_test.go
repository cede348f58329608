package plugin

import (
	"fmt"
	"slices"
	"strings"
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

// The name of a number without labels says what it covers, and so do the frame's name and a notice.
func TestPeriodsInNames(t *testing.T) {
	i := start(t, newService().Data(automationsPath, savings(each(3), each(5))), "names", "pt-BR")
	now := time.Now()
	for query, names := range map[string][]string{
		savingsNumber: {"Economia (últimas 24 h)", "automations (últimas 24 h)"},
		savingsLine:   {"Economia", "automations"},
		strings.Replace(savingsNumber, "}", `,"groupBy":["label"]}`, 1): {"a1", "automations (últimas 24 h)"},
	} {
		dq := dataQuery("A", query)
		dq.TimeRange = backend.TimeRange{From: now.Add(-time.Hour), To: now}
		f := askAll(t, t.Context(), i, dq)["A"].Frames[0]
		field, _ := f.FieldByName("savings")
		require.NotNil(t, field)
		assert.Equal(t, names[0], field.Config.DisplayNameFromDS)
		assert.Equal(t, names[1], f.Name)
		assert.Empty(t, notices(f))
	}
	field, _ := askFrame(t, i, savingsNumber).FieldByName("savings")
	assert.Equal(t, "Economia", field.Config.DisplayNameFromDS, "seven days are seven days")
}

// If the tasks start later than requested, the panel says so, unless it cannot be known.
func TestTasksThatStartLater(t *testing.T) {
	created := func(ago time.Duration) string {
		return fmt.Sprintf(`{"id":%d,"state":"FINISHED","dateCreation":%q}`, ago, time.Now().Add(-ago).UTC().Format(time.RFC3339))
	}
	for name, test := range map[string]struct {
		oldest time.Duration
		query  string
		says   bool
	}{
		"all of the week":   {6*day + 20*time.Hour, `{"format":"timeseries","measure":"tasks"}`, false},
		"half of the week":  {3 * day, `{"format":"timeseries","measure":"tasks"}`, true},
		"before":            {6*day + 20*time.Hour, `{"format":"numeric","measure":"tasks","compare":"previous"}`, false},
		"of 90 days":        {6 * day, `{"format":"numeric","measure":"tasks","days":90}`, true},
		"rows show it":      {6 * day, `{"days":90}`, false},
		"some of it":        {86 * day, `{"format":"numeric","measure":"tasks","days":90}`, false},
		"the queue":         {3 * day, `{"format":"numeric","measure":"oldestQueued","days":30}`, false},
		"the first few":     {3 * day, `{"days":90,"limit":1}`, false},
		"sums have no time": {3 * day, `{"queryType":"automations"}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService().Data(tasksPath, servicetest.OK(page(created(time.Hour), created(test.oldest))))
			f := askFrame(t, start(t, s), test.query)
			assert.Equal(t, test.says, strings.Contains(notices(f), "The service is known to have data only since "))
		})
	}
	s := newService().Data(tasksPath, servicetest.OK(page(created(time.Hour), created(6*day))))
	compared := askFrame(t, start(t, s), `{"format":"numeric","measure":"tasks","compare":"previous"}`)
	assert.Contains(t, notices(compared), "The period to compare with starts at ")
	assert.Equal(t, []string{"null", "2"}, column(t, compared, "tasks"))
	s = newService().Data(tasksPath, servicetest.OK(page(created(time.Hour), created(2*time.Hour), created(50*day))))
	assert.NotContains(t, notices(askFrame(t, start(t, s, "maxRows", 2), `{"days":90}`)), "known to have data only", "there is another one")
}

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
