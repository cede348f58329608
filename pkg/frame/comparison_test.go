package frame_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// compareWith compares the range of a request with an earlier one.
func compareWith(r *spec, earlier time.Duration) *spec {
	shift := func(t time.Time) time.Time { return t.Add(-earlier) }
	r.Compare = &period.Comparison{Name: "previous", From: shift(r.From), To: shift(r.To), Shift: shift}
	return r
}

// alone returns the request on the earlier period only.
func alone(r *spec) *spec {
	e := *r
	e.From, e.To, e.Compare = r.Compare.From, r.Compare.To, nil
	return &e
}

// before returns the labels of the line of the earlier period.
func before(labels data.Labels) data.Labels {
	out := labels.Copy()
	out["compare"] = "previous"
	return out
}

// For every measure and grouping, the compared values equal those of a query of the earlier period, and the current
// values do not change.
func TestComparedValuesMatchTheEarlierRange(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	rows := tasksTable(randomTasks(rng, 3000))
	for _, m := range schema.All().Get("tasks").Measures() {
		if m.Time == "now" {
			continue
		}
		for _, groupBy := range [][]string{nil, {"activityLabel"}, {"activityLabel", "machineId"}} {
			r := request("tasks", rows)
			r.Measure, r.GroupBy, r.From, r.To = m.Name, groupBy, now.Add(-20*time.Hour), now
			r.Deadlines = linesOf(t, `{"automation":"*","by":"12:00"}`)
			plain, plainNumbers := mustMake(t, makeTimeSeries, r), mustMake(t, makeNumeric, r)
			compareWith(r, 30*time.Hour)
			earlier, earlierNumbers := mustMake(t, makeTimeSeries, alone(r)), mustMake(t, makeNumeric, alone(r))

			both := readTimeSeries(t, mustMake(t, makeTimeSeries, r), m.Name)
			for k, want := range readTimeSeries(t, plain, m.Name) {
				require.Equal(t, want, both[k], "%s by %s", m.Name, groupBy)
			}
			for _, field := range earlier.Fields[1:] {
				want := line{}
				for i := range field.Len() {
					want[earlier.Fields[0].At(i).(time.Time).Add(30*time.Hour)] = field.At(i).(*float64)
				}
				require.Equal(t, want, both[key(before(field.Labels))], "%s by %s", m.Name, groupBy)
			}
			points := readTimeSeries(t, mustMake(t, makeNumeric, r), m.Name)
			had := readNumeric(t, earlierNumbers, m.Name)
			for k, want := range readNumeric(t, plainNumbers, m.Name) {
				if want == nil { // The previous rate would be taken for the current one.
					require.NotContains(t, points, k)
					continue
				}
				require.Equal(t, want, points[k][r.From.UTC()], "%s by %s", m.Name, groupBy)
				if was, ok := had[k]; ok {
					require.Equal(t, was, points[k][r.Compare.From.UTC()], "%s by %s", m.Name, groupBy)
				}
			}
		}
	}
}

func valuesByName(f *data.Frame) map[string][]any {
	found := map[string][]any{}
	for _, field := range f.Fields {
		found[field.Name] = valuesOf(field)
	}
	return found
}

// A point that starts where the compared period has ended is null there.
func TestPointAfterTheComparedPeriod(t *testing.T) {
	from := now.Truncate(time.Hour).Add(-3 * time.Hour)
	r := compareWith(overTime(created(from.Add(-90*time.Minute), from.Add(time.Minute)), from, from.Add(2*time.Hour), time.Hour), 2*time.Hour)
	r.Compare.To = from.Add(-time.Millisecond)
	assert.Equal(t, []any{1.0, 0.0, nil}, valuesOf(mustMake(t, makeTimeSeries, r).Fields[2]))
}

// lastMonth moves to the same day of the previous month, or its last one.
func lastMonth(t time.Time) time.Time {
	first := time.Date(t.Year(), t.Month()-1, 1, t.Hour(), t.Minute(), t.Second(), t.Nanosecond(), time.UTC)
	last := first.AddDate(0, 1, -first.Day()).Day()
	return first.AddDate(0, 0, min(t.Day(), last)-1)
}

// Months differ in length: March 29 to 31 have no day in February, and January 29 to 31 none in the following February.
// Nothing is counted twice or in the wrong place.
func TestMonthsOfDifferentLength(t *testing.T) {
	for name, test := range map[string]struct {
		month       time.Month
		days        int
		empty, lost int // points without a value, days of the previous month without a point
	}{"March": {time.March, 31, 3, 0}, "February": {time.February, 28, 0, 3}, "August": {time.August, 31, 0, 0}} {
		for _, width := range []time.Duration{time.Hour, 6 * time.Hour, day} {
			t.Run(name+" by "+width.String(), func(t *testing.T) {
				from := time.Date(2026, test.month, 1, 0, 0, 0, 0, time.UTC)
				to := from.AddDate(0, 1, 0).Add(-time.Millisecond)
				var dates []time.Time
				for at := from.AddDate(0, -1, 0); at.Before(from); at = at.Add(time.Hour) {
					dates = append(dates, at.Add(time.Minute))
				}
				r := overTime(created(dates...), from, to, width)
				r.Compare = &period.Comparison{Name: "month", From: from.AddDate(0, -1, 0), To: from.Add(-time.Millisecond), Shift: lastMonth}
				field := mustMake(t, makeTimeSeries, r).Fields[2]
				perPoint, perDay := int(width/time.Hour), int(day/width)
				empty, sum := 0, 0
				for i := range field.Len() {
					value, ok := field.ConcreteAt(i)
					if !ok {
						empty++
						continue
					}
					require.InDelta(t, perPoint, value, 0, "point %d", i)
					sum += int(value.(float64))
				}
				assert.Equal(t, test.empty*perDay, empty)
				assert.Equal(t, len(dates)-24*test.lost, sum)
				assert.Equal(t, test.days*perDay, field.Len())
			})
		}
	}
}
