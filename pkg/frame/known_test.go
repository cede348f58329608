package frame

import (
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

var noon = time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)

// createdAt returns tasks created so many minutes before noon, in this order.
func createdAt(minutes ...int) *columns.Table {
	rows := &columns.Table{Rows: len(minutes)}
	for _, f := range datasets.Get("tasks").Fields {
		c := columns.New(f.Name, f.Type, 0)
		c.Resize(len(minutes))
		rows.Columns = append(rows.Columns, c)
	}
	times := rows.Column("dateCreation")
	for i, m := range minutes {
		times.Valid[i], times.Times[i] = true, noon.Add(-time.Duration(m)*time.Minute).UnixNano()
	}
	return rows
}

// countsOf returns a line of tasks per hour from four hours before noon on, while they are read.
func countsOf(t *testing.T, r *Request) []any {
	t.Helper()
	r.DataSet, r.Measure, r.Interval, r.Partial = datasets.Get("tasks"), "tasks", time.Hour, true
	r.From, r.To, r.Now = noon.Add(-4*time.Hour), noon.Add(-time.Minute), noon
	f, err := TimeSeries(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, f.Fields, 2)
	return cellsOf(f.Fields[1])
}

func cellsOf(f *data.Field) []any {
	var cells []any
	for i := range f.Len() {
		value, known := f.ConcreteAt(i)
		if !known {
			value = nil
		}
		cells = append(cells, value)
	}
	return cells
}

// Values not read yet are null, never 0. The hour of the last row is unknown, too: others of it may follow.
func TestLineOfPartialRows(t *testing.T) {
	for _, test := range []struct {
		name string
		rows *columns.Table
		want []any
	}{
		{"the newest hour is known", createdAt(10, 20, 70), []any{nil, nil, nil, 2.0}},
		{"an hour without tasks is 0 once older ones are there", createdAt(10, 20, 130), []any{nil, nil, 0.0, 2.0}},
		{"another task may be of the very begin of an hour", createdAt(10, 60), []any{nil, nil, nil, nil}},
		{"nothing but the newest hour", createdAt(10, 20), []any{nil, nil, nil, nil}},
		{"beyond the range", createdAt(10, 70, 300), []any{0.0, 0.0, 1.0, 1.0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, countsOf(t, &Request{Rows: test.rows, TimeField: "dateCreation"}))
		})
	}
}

// A compared period is not 0 before it is read, either.
func TestComparedLineOfPartialRows(t *testing.T) {
	back := func(at time.Time) time.Time { return at.Add(-2 * time.Hour) }
	r := &Request{Rows: createdAt(10, 70, 80, 190, 310), TimeField: "dateCreation", DataSet: datasets.Get("tasks"), Measure: "tasks", Interval: time.Hour, Now: noon}
	r.From, r.To, r.Partial = noon.Add(-2*time.Hour), noon.Add(-time.Minute), true
	r.Compare = &Comparison{Name: "previous", Words: "before", Shift: back, From: back(r.From), To: back(r.To)}
	f, err := TimeSeries(t.Context(), r)
	require.NoError(t, err)
	require.Len(t, f.Fields, 3)
	assert.Equal(t, []any{2.0, 1.0}, cellsOf(f.Fields[1]))
	assert.Equal(t, []any{1.0, 0.0}, cellsOf(f.Fields[2]))

	r.Rows = createdAt(10, 70, 80, 190)
	f, err = TimeSeries(t.Context(), r)
	require.NoError(t, err)
	assert.Equal(t, []any{nil, 0.0}, cellsOf(f.Fields[2]))
}

func TestInconclusiveRows(t *testing.T) {
	null := createdAt(10, 70)
	null.Column("dateCreation").Valid[1] = false
	for name, r := range map[string]*Request{
		"oldest first":          {Rows: createdAt(130, 70, 10), TimeField: "dateCreation", Measure: "tasks"},
		"out of order":          {Rows: createdAt(10, 130, 70), TimeField: "dateCreation", Measure: "tasks"},
		"all of one time":       {Rows: createdAt(10, 10), TimeField: "dateCreation", Measure: "tasks"},
		"one row":               {Rows: createdAt(10), TimeField: "dateCreation", Measure: "tasks"},
		"no row":                {Rows: createdAt(), TimeField: "dateCreation", Measure: "tasks"},
		"a row without a time":  {Rows: null, TimeField: "dateCreation", Measure: "tasks"},
		"by another time":       {Rows: createdAt(10, 70), TimeField: "dateStartRunning", Measure: "tasks"},
		"by when the tasks ran": {Rows: createdAt(10, 70), TimeField: "dateCreation", Measure: "concurrency"},
	} {
		t.Run(name, func(t *testing.T) {
			r.DataSet, r.Interval, r.Partial = datasets.Get("tasks"), time.Hour, true
			r.From, r.To, r.Now = noon.Add(-4*time.Hour), noon, noon
			_, err := TimeSeries(t.Context(), r)
			require.ErrorIs(t, err, ErrNotYet)
			r.Partial = false
			_, err = TimeSeries(t.Context(), r)
			require.NoError(t, err, "once all rows are there")
		})
	}
}

// A filter that matches none of the rows so far may match later ones.
func TestFilterOfPartialRows(t *testing.T) {
	failed, err := NewFilter("state", "=", []string{"FAILED"})
	require.NoError(t, err)
	for _, partial := range []bool{true, false} {
		r := &Request{DataSet: datasets.Get("tasks"), Rows: createdAt(1, 61), Filters: []*Filter{failed}, Partial: partial, Now: noon}
		f, err := Table(t.Context(), r)
		require.NoError(t, err)
		assert.Equal(t, partial, len(f.Meta.Notices) == 0)
	}
}
