package frame_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
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
				if want == nil {
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

// A group without a current value is a fact, and so is a new one.
func TestGroupsThatOnePeriodLacks(t *testing.T) {
	at := func(ago time.Duration, label string) task {
		return task{dateCreation: ptr(now.Add(-ago)), activityLabel: ptr(label)}
	}
	rows := tasksTable([]task{at(time.Hour, "new"), at(2*time.Hour, "both"), at(3*time.Hour, "both"), at(28*time.Hour, "both"), at(29*time.Hour, "gone"), at(31*time.Hour, "earlier")})
	r := request("tasks", rows)
	r.GroupBy = []string{"activityLabel"}
	compareWith(r, 24*time.Hour)

	f := mustMake(t, makeNumeric, r)
	got := map[string][]any{}
	for _, field := range f.Fields[1:] {
		got[field.Labels["activityLabel"]] = valuesOf(field)
		assert.Nil(t, field.Config.Custom)
	}
	assert.Equal(t, map[string][]any{"both": {1.0, 2.0}, "new": {0.0, 1.0}, "gone": {1.0, 0.0}}, got)
	assert.Equal(t, []any{now.Add(-30 * time.Hour), now.Add(-6 * time.Hour)}, valuesOf(f.Fields[0]))

	r.Long = true
	assert.Equal(t, map[string][]any{
		"activityLabel": {"both", "new", "gone"}, "tasks": {2.0, 1.0, 0.0}, "before": {1.0, 0.0, 1.0}, "change": {1.0, nil, -1.0},
	}, valuesByName(mustMake(t, makeNumeric, r)), "a change from nothing has no percentage")

	r.Long, r.Measure = false, "successRate"
	assert.Empty(t, mustMake(t, makeNumeric, r).Fields, "no current rate: the previous one would be taken for it")
}

// valuesByName returns the values of all fields.
func valuesByName(f *data.Frame) map[string][]any {
	found := map[string][]any{}
	for _, field := range f.Fields {
		found[field.Name] = valuesOf(field)
	}
	return found
}

// Nothing is claimed of a period that starts before the first known task, which may be one of another automation.
func TestPeriodBeforeTheFirstTask(t *testing.T) {
	at := func(ago time.Duration) task {
		return task{dateCreation: ptr(now.Add(-ago)), activityLabel: ptr("a"), state: ptr("FINISHED")}
	}
	for name, test := range map[string]struct {
		rows   []task
		number any   // before
		line   []any // before, by hour; nil: no line
		says   string
	}{
		"from before the period": {[]task{at(time.Hour), at(4 * time.Hour), at(5 * time.Hour), at(7 * time.Hour)}, 2.0, []any{0.0, 1.0, 1.0, 0.0}, ""},
		"a quiet period":         {[]task{at(time.Hour), at(9 * time.Hour)}, 0.0, []any{0.0, 0.0, 0.0, 0.0}, ""},
		"a moment into it":       {[]task{at(time.Hour), at(6*time.Hour - time.Minute)}, 1.0, []any{1.0, 0.0, 0.0, 0.0}, ""},
		"less than 5 % into it":  {[]task{at(time.Hour), at(6*time.Hour - 8*time.Minute)}, 1.0, []any{1.0, 0.0, 0.0, 0.0}, ""},
		"more than 5 % into it":  {[]task{at(time.Hour), at(6*time.Hour - 10*time.Minute)}, nil, []any{nil, 0.0, 0.0, 0.0}, "only since"},
		"in the middle of it":    {[]task{at(time.Hour), at(4 * time.Hour)}, nil, []any{nil, nil, nil, 0.0}, "starts at 2026-11-20T08:37:11Z, but the service is known to have data only since 2026-11-20T10:37:11Z"},
		"in its last hour":       {[]task{at(time.Hour), at(3*time.Hour + 10*time.Minute)}, nil, nil, "only since"},
		"after it":               {[]task{at(time.Hour)}, nil, nil, "there is nothing to compare with"},
		"never":                  {nil, nil, nil, "the service lists no tasks, or does not tell since when it has data: there is nothing to compare with"},
	} {
		t.Run(name, func(t *testing.T) {
			rows := tasksTable(test.rows)
			for _, make := range []builder{makeNumeric, makeTimeSeries} {
				r := request("tasks", rows)
				r.From = now.Add(-3 * time.Hour)
				r.Known = columns.Earlier(now, rows.Earliest("dateCreation"))
				f := mustMake(t, make, compareWith(r, 3*time.Hour))
				if test.says == "" {
					assert.Empty(t, f.Meta.Notices)
				} else {
					require.Len(t, f.Meta.Notices, 1)
					assert.Contains(t, f.Meta.Notices[0].Text, test.says)
				}
				switch {
				case f.Fields[0].Len() == 2:
					assert.Equal(t, test.number, valuesOf(f.Fields[1])[0])
				case test.line == nil:
					assert.Len(t, f.Fields, 2, "no line: the total of its nulls would be 0")
				default:
					assert.Equal(t, test.line, valuesOf(f.Fields[2]))
				}
				rows := mustMake(t, long, r)
				assert.Equal(t, []any{test.number}, valuesByName(rows)["before"])
				r.Long = false
			}
		})
	}
}

// What was before the first known task is null, not 0: in a line, in a number, and for each group.
func TestRangeBeforeTheFirstTask(t *testing.T) {
	rows := tasksTable([]task{{dateCreation: ptr(now.Add(-100 * time.Minute)), activityLabel: ptr("a")}, {dateCreation: ptr(now), activityLabel: ptr("a")}})
	for name, test := range map[string]struct {
		known  time.Duration // ago
		line   []any         // by hour, from the one of four hours ago; nil: no line
		number []any         // of the time from four to two hours ago; nil: no number
	}{
		"all":               {5 * time.Hour, []any{0.0, 0.0, 1.0, 0.0, 1.0}, []any{0.0}},
		"since two hours":   {2*time.Hour + 40*time.Minute, []any{nil, 0.0, 1.0, 0.0, 1.0}, []any{0.0}},
		"since one of them": {100 * time.Minute, []any{nil, nil, 1.0, 0.0, 1.0}, nil},
		"nobody knows":      {0, []any{nil, nil, nil, nil, 1.0}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			for _, groupBy := range [][]string{nil, {"activityLabel"}} {
				r := overTime(rows, now.Add(-4*time.Hour), now, time.Hour)
				r.Known, r.GroupBy = now.Add(-test.known), groupBy
				line := mustMake(t, makeTimeSeries, r)
				assert.Equal(t, test.line, valuesOf(line.Fields[1]))
				r.To = now.Add(-2 * time.Hour)
				if number := mustMake(t, makeNumeric, r); test.number == nil || groupBy != nil {
					assert.Empty(t, number.Fields)
				} else {
					assert.Equal(t, test.number, valuesOf(number.Fields[0]))
				}
				if test.number == nil && groupBy == nil {
					assert.Empty(t, mustMake(t, makeTimeSeries, r).Fields, "no line: the total of its nulls would be 0")
				}
			}
		})
	}
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
