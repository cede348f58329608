package frame_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	mostPoints     = 11_000
	mostCells      = 1_000_000
	mostTableCells = 5_000_000
)

// More than 11,000 points, or a thousand lines of ten thousand points, exceed what a browser draws. The step widens, and
// no task is lost.
func TestIntervalIsWidened(t *testing.T) {
	tests := []struct {
		series         int
		span, interval time.Duration
		width          time.Duration // 0: as requested
	}{
		{1, 10_998 * time.Second, time.Second, 0},
		{1, 11_001 * time.Second, time.Second, 2 * time.Second},
		{1, time.Hour, time.Millisecond, 400 * time.Millisecond},
		{1, 56 * 365 * day, day, 2 * day},
		{100, 9_999 * time.Minute, time.Minute, 2 * time.Minute},
		{1000, 998 * time.Hour, time.Hour, 0},
		{1000, 999 * time.Hour, time.Hour, 2 * time.Hour},
		{1000, 3 * 365 * day, day, 2 * day},
	}
	for _, test := range tests {
		t.Run(fmt.Sprintf("%d series over %s by %s", test.series, test.span, test.interval), func(t *testing.T) {
			r := overTime(labelledTasks(test.series, 2000, test.span), now.Add(-test.span), now, test.interval)
			r.GroupBy = []string{"activityLabel"}
			f := mustMake(t, makeTimeSeries, r)
			require.Equal(t, 1+test.series, len(f.Fields))
			require.LessOrEqual(t, test.series*f.Rows(), mostCells)
			all := 0.0
			for _, series := range f.Fields[1:] {
				for _, n := range valuesOf(series) {
					all += n.(float64)
				}
			}
			require.Equal(t, 2000.0, all)
			width := time.Duration(f.Fields[0].Config.Interval) * time.Millisecond
			if test.width == 0 {
				require.Equal(t, test.interval, width)
				require.Empty(t, f.Meta.Notices)
				compared := mustMake(t, makeTimeSeries, compareWith(r, test.span)).Fields[0].Config.Interval
				require.Equal(t, test.series > 1, compared > f.Fields[0].Config.Interval, "the lines of the compared period count, too")
				return
			}
			require.Equal(t, test.width, width)
			requireNotice(t, f, test.interval.String(), test.width.String())
			require.Equal(t, data.NoticeSeverityWarning, f.Meta.Notices[0].Severity)
			requireNotice(t, f, fmt.Sprintf("more than %d points in each series", min(mostPoints, mostCells/test.series)), "groupBy", "limit")
			if test.span/test.interval > mostPoints {
				return
			}
			r.Limit = 1
			require.Equal(t, float64(test.interval.Milliseconds()), mustMake(t, makeTimeSeries, r).Fields[0].Config.Interval, "fewer series are the way out")
		})
	}
}

// A table with many columns is truncated to its first rows.
func TestTableCellsAreBounded(t *testing.T) {
	const rows = 6000
	id := columns.New("id", schema.Integer, rows)
	for i := range int64(rows) {
		id.Valid, id.Integers = append(id.Valid, true), append(id.Integers, i)
	}
	table := &columns.Table{Columns: []*columns.Column{id}, Rows: rows}
	for i := range 999 {
		table.Columns = append(table.Columns, &columns.Column{Name: fmt.Sprint("field ", i), Type: schema.Integer, Valid: id.Valid, Integers: id.Integers})
	}
	r := &spec{DataSet: schema.All().Get("tasks"), Rows: table, Sort: &schema.Sort{Field: "id", Order: "desc"}}
	f := mustMake(t, makeTable, r)
	require.Len(t, f.Fields, 1000)
	require.Equal(t, mostTableCells/1000, f.Rows())
	require.Equal(t, ptr(int64(5999)), f.Fields[0].At(0), "cut after sorting")
	requireNotice(t, f, "5000 of 6000 rows", "1000 columns", "5000000 cells", "Select columns", "limit", "filter")
	require.Equal(t, data.NoticeSeverityWarning, f.Meta.Notices[0].Severity)

	r.Limit = 5000
	require.Empty(t, mustMake(t, makeTable, r).Meta.Notices, "everything requested is there")
	r.Limit, r.Columns = 0, table.Names()[:800]
	require.Equal(t, rows, mustMake(t, makeTable, r).Rows())
}

const day = 24 * time.Hour

// created returns tasks of which only the creation dates matter.
func created(dates ...time.Time) *columns.Table {
	rows := make([]task, len(dates))
	for i, at := range dates {
		rows[i].dateCreation = ptr(at)
	}
	return tasksTable(rows)
}

// overTime requests the number of tasks created in each bucket of a range.
func overTime(rows *columns.Table, from, to time.Time, interval time.Duration) *spec {
	r := request("tasks", rows)
	r.From, r.To, r.Interval = from, to, interval
	return r
}

func begins(t testing.TB, f *data.Frame) []time.Time {
	t.Helper()
	field := sent(t, f).Fields[0]
	out := make([]time.Time, field.Len())
	for i := range out {
		out[i] = field.At(i).(time.Time).UTC()
	}
	return out
}

// only returns the single series of a frame without groups.
func only(t testing.TB, f *data.Frame, measure string) line {
	t.Helper()
	lines := readTimeSeries(t, f, measure)
	require.Len(t, lines, 1)
	return lines[key(nil)]
}

func total(points line) float64 {
	n := 0.0
	for _, v := range points {
		if v != nil { // Otherwise, it is to come.
			n += *v
		}
	}
	return n
}

var errLeft = errors.New("the panel was closed")

// watched is a context that ends when it is checked for the n-th time.
type watched struct {
	context.Context
	end    context.CancelCauseFunc
	checks int
}

func (w *watched) Err() error {
	if w.checks--; w.checks == 0 {
		w.end(errLeft)
	}
	return w.Context.Err()
}

// labelledTasks returns tasks with a number of labels, over a range that ends now.
func labelledTasks(labels, tasks int, span time.Duration) *columns.Table {
	rows := make([]task, tasks)
	for i := range rows {
		rows[i] = task{activityLabel: ptr(fmt.Sprintf("automation %04d", i%labels)), dateCreation: ptr(now.Add(-span / time.Duration(tasks) * time.Duration(i)))}
	}
	return tasksTable(rows)
}

// A query stops between the passes over its rows, between series or lanes, and while patterns are matched.
func TestCancelMidway(t *testing.T) {
	for name, make := range map[string]builder{"table": makeTable, "numeric": makeNumeric, "lines": makeTimeSeries, "timeline": timeline, "attention": makeAttention} {
		r := request("tasks", labelledTasks(30, 900, time.Hour))
		r.GroupBy = []string{"activityLabel"}
		for _, checks := range []int{1, 2, 901, 902} {
			ctx, end := context.WithCancelCause(t.Context())
			f, err := make(&watched{ctx, end, checks}, r)
			end(nil)
			require.Nil(t, f, "%s, canceled at check %d", name, checks)
			require.ErrorIs(t, err, errLeft, "%s, canceled at check %d", name, checks)
		}
	}
}

// Queries that share a read build frames from the same columns concurrently, and leave them as they are. The race detector checks, too.
func TestFramesOfSharedColumns(t *testing.T) {
	read := func() *columns.Table { return tasksTable(randomTasks(rand.New(rand.NewSource(1)), 400)) }
	table := read()
	started := where(t, "state", "=~", "START|RUNNING")
	var all sync.WaitGroup
	for range 4 {
		for _, make := range append(slices.Collect(maps.Values(formats)), timeline) {
			all.Go(func() {
				r := request("tasks", table)
				r.GroupBy, r.Sort, r.Filters = []string{"activityLabel"}, &schema.Sort{Field: "activityLabel", Order: "desc"}, append(r.Filters, started)
				f, err := make(t.Context(), r)
				if assert.NoError(t, err) {
					_, err = f.MarshalArrow()
					assert.NoError(t, err)
				}
			})
		}
	}
	all.Wait()
	assert.Equal(t, read(), table)
}
