package frame_test

import (
	"context"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/schema"
)

// spec describes the frame of any format.
type spec struct {
	DataSet     *schema.DataSet
	Rows        *columns.Table
	Differences *frame.Differences
	Workspace   map[string]string
	Contains    string
	Filters     []*filter.Filter
	Now         time.Time
	From, To    time.Time // zero: not cut
	Since       time.Time // the start of a range that is not cut
	Known       time.Time // zero: all of the time is known
	Location    *time.Location
	TimeField   string
	Compare     *period.Comparison
	Covers      string
	Sort        *schema.Sort
	Limit       int
	Columns     []string
	Idle        bool
	Measure     string
	Figures     []schema.Figure // absent: those of Measure
	GroupBy     []string
	State       string
	Long, Total bool
	Interval    time.Duration
	Per         period.Unit
	Deadlines   []*deadlines.Deadline
	Teams       deadlines.Teams
	Calendar    *deadlines.Calendar

	Language    schema.Language
	Automations map[string]string
	Scale       rates.Scale
	Currency    string
	Links       map[string]string
}

func (s *spec) selection() frame.Selection {
	r := period.Range{Now: s.Now, Zone: s.Location, From: s.From, To: s.To, Cut: !s.From.IsZero(), Known: s.Known, Covers: s.Covers, Earlier: s.Compare}
	if !r.Cut {
		r.From, r.To = s.Since, s.Now
	}
	if r.Zone == nil {
		r.Zone = time.UTC
	}
	return frame.Selection{
		Explained: true, Workspace: s.Workspace, Deadlines: s.Deadlines, Teams: s.Teams, Calendar: s.Calendar,
		DataSet: s.DataSet, Rows: s.Rows, AsOf: s.Now, Differences: s.Differences, Contains: s.Contains, Filters: s.Filters, Range: r, TimeField: s.TimeField, Sort: s.Sort, Limit: s.Limit,
		Display: frame.Display{Language: s.Language, Automations: s.Automations, Scale: s.Scale, Currency: s.Currency, Links: s.Links},
	}
}

func (s *spec) grouping() frame.Grouping {
	return frame.Grouping{Selection: s.selection(), GroupBy: s.GroupBy, Figures: s.figures()}
}

// figures returns those of a query of one measure, as package query does.
func (s *spec) figures() []schema.Figure {
	switch {
	case s.Figures != nil || s.Measure == "":
		return s.Figures
	case s.Compare == nil || !s.DataSet.Compares(s.DataSet.Measure(s.Measure)):
		return []schema.Figure{{Name: s.Measure, Measure: s.Measure}}
	}
	return []schema.Figure{
		{Name: s.Measure, Measure: s.Measure},
		{Name: schema.Before, Measure: s.Measure, Aspect: schema.Before},
		{Name: schema.Change, Measure: s.Measure, Aspect: schema.Change},
	}
}

// builder builds the frame of a format.
type builder = func(context.Context, *spec) (*data.Frame, error)

func makeTable(ctx context.Context, s *spec) (*data.Frame, error) {
	table := frame.Table{Selection: s.selection(), Columns: s.Columns}
	return table.Frame(ctx)
}

func makeNumeric(ctx context.Context, s *spec) (*data.Frame, error) {
	numeric := frame.Numeric{Grouping: s.grouping(), Long: s.Long, Total: s.Total, TwoPoints: s.Compare != nil && s.Figures == nil}
	return numeric.Frame(ctx)
}

func makeTimeSeries(ctx context.Context, s *spec) (*data.Frame, error) {
	line := frame.TimeSeries{Grouping: s.grouping(), Interval: s.Interval, Per: s.Per}
	return line.Frame(ctx)
}

func makeTimeline(ctx context.Context, s *spec) (data.Frames, error) {
	timeline := frame.Timeline{Grouping: s.grouping(), State: s.State, Idle: s.Idle}
	return timeline.Frames(ctx)
}

// numericOf and lineOf build the frames of differences.
func numericOf(d *frame.Differences) builder { return ofDifferences(d, makeNumeric) }

func lineOf(d *frame.Differences) builder { return ofDifferences(d, makeTimeSeries) }

func ofDifferences(d *frame.Differences, make builder) builder {
	return func(ctx context.Context, s *spec) (*data.Frame, error) {
		s.Differences = d
		return make(ctx, s)
	}
}

// formats are the builders by format of the saved query.
var formats = map[string]builder{"table": makeTable, "numeric": makeNumeric, "timeseries": makeTimeSeries}

// request returns a request that is valid in any format: the first measure, over the six hours up to now.
func request(set string, rows *columns.Table) *spec {
	d := schema.All().Get(set)
	r := &spec{DataSet: d, Rows: rows, Measure: d.Measures()[0].Name, Scale: rates.Auto, Now: now, Interval: time.Hour}
	if d.HasTimes() {
		r.From, r.To, r.TimeField = now.Add(-6*time.Hour), now, "dateCreation"
	}
	return r
}

// long builds numeric-long.
func long(ctx context.Context, r *spec) (*data.Frame, error) {
	r.Long = true
	return makeNumeric(ctx, r)
}

// timeline builds the first lane of a timeline.
func timeline(ctx context.Context, r *spec) (*data.Frame, error) {
	r.State = "activityLabel"
	frames, err := makeTimeline(ctx, r)
	if err != nil {
		return nil, err
	}
	return frames[0], nil
}

func mustMake(t testing.TB, make builder, r *spec) *data.Frame {
	t.Helper()
	f, err := make(t.Context(), r)
	require.NoError(t, err)
	return f
}

func where(t testing.TB, key, operator string, values ...string) *filter.Filter {
	t.Helper()
	f, err := filter.New(key, operator, values)
	require.NoError(t, err)
	return f
}
