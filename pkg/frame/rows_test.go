package frame_test

import (
	"fmt"
	"math/rand"
	"testing"
	"time"

	"github.com/grafana/dataplane/sdata/numeric"
	"github.com/grafana/dataplane/sdata/timeseries"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// task is a plain row: the reference reads it directly, the code under test reads the columns built from it. A nil
// pointer is null.
type task struct {
	id                                        *int64
	state, finishStatus                       *string
	activityLabel, repositoryLabel, machineID *string
	dateLastModified, dateCreation, dateStart *time.Time
	processedItems, failedItems, totalItems   *float64
	region                                    *string // a field that is not in the description
}

var taskCells = map[string]func(task) any{
	"id":               func(r task) any { return orNull(r.id) },
	"state":            func(r task) any { return orNull(r.state) },
	"finishStatus":     func(r task) any { return orNull(r.finishStatus) },
	"activityLabel":    func(r task) any { return orNull(r.activityLabel) },
	"repositoryLabel":  func(r task) any { return orNull(r.repositoryLabel) },
	"machineId":        func(r task) any { return orNull(r.machineID) },
	"dateLastModified": func(r task) any { return orNull(r.dateLastModified) },
	"dateCreation":     func(r task) any { return orNull(r.dateCreation) },
	"dateStartRunning": func(r task) any { return orNull(r.dateStart) },
	"processedItems":   func(r task) any { return orNull(r.processedItems) },
	"failedItems":      func(r task) any { return orNull(r.failedItems) },
	"totalItems":       func(r task) any { return orNull(r.totalItems) },
	"region":           func(r task) any { return orNull(r.region) },
}

func (r task) cell(field string) any {
	if cell := taskCells[field]; cell != nil {
		return cell(r)
	}
	return nil // a field that no test uses
}

// record is a row of automations or runners, whose numbers are all float64.
type record map[string]any

func (r record) cell(field string) any { return r[field] }

func orNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func ptr[T any](v T) *T { return &v }

// tableOf builds the table of a read of the rows: the fields of the data set, then unknown ones.
func tableOf[R interface{ cell(string) any }](set string, rows []R, unknown ...string) *columns.Table {
	table := &columns.Table{Rows: len(rows)}
	cells := func(field string) []any {
		out := make([]any, len(rows))
		for i, r := range rows {
			out[i] = r.cell(field)
		}
		return out
	}
	for _, f := range schema.All().Get(set).Fields {
		table.Columns = append(table.Columns, column(f.Name, f.Type, cells(f.Name)...))
	}
	for _, name := range unknown {
		table.Columns = append(table.Columns, column(name, schema.String, cells(name)...))
	}
	return table
}

func tasksTable(rows []task) *columns.Table { return tableOf("tasks", rows, "region") }

var column = columnstest.New

// sizes are the numbers of rows that are interesting with a page size of 20.
var sizes = []int{0, 1, 2, 19, 20, 21, 500}

// now is the current time of all tests, and the middle of the random dates.
var now = time.Date(2026, 11, 20, 14, 37, 11, 0, time.UTC)

// Labels that would be equal if joined naively, that are empty, or that need quoting.
var (
	someLabels       = []string{"", "a", "ab", "b", "bc", "abc", "a,b", `a"b`, "1:a", "invoices", "Relatório São Paulo", "日本"}
	someRepositories = []string{"", "a", "b", "bc", "c", "main"}
	someMachines     = []string{"", "7", "8", "robô-1"}
	someStates       = []string{"START", "RUNNING", "FINISHED", "CANCELED", "TIMEOUT", "PAUSED", ""}
	someStatuses     = []string{"SUCCESS", "SUCCESS", "SUCCESS", "FAILED", "PARTIALLY_COMPLETED", "REVIEWED", ""}
)

// randomTasks returns tasks with independent dates, so that some durations are negative, and with inconsistent state,
// finish status and items: the measures must hold for any input.
func randomTasks(rng *rand.Rand, n int) []task {
	rows := make([]task, n)
	for i := range rows {
		created := around(rng, now, 72*time.Hour)
		rows[i] = task{
			id:               ptr(rng.Int63n(1 << 40)),
			state:            sometimes(rng, 0.95, pick(rng, someStates)),
			finishStatus:     sometimes(rng, 0.7, pick(rng, someStatuses)),
			activityLabel:    sometimes(rng, 0.95, pick(rng, someLabels)),
			repositoryLabel:  sometimes(rng, 0.9, pick(rng, someRepositories)),
			machineID:        sometimes(rng, 0.8, pick(rng, someMachines)),
			dateCreation:     sometimes(rng, 0.95, created),
			dateStart:        sometimes(rng, 0.8, around(rng, created.Add(time.Hour), 3*time.Hour)),
			dateLastModified: sometimes(rng, 0.8, around(rng, created.Add(3*time.Hour), 5*time.Hour)),
			processedItems:   sometimes(rng, 0.7, float64(rng.Intn(50))),
			failedItems:      sometimes(rng, 0.7, float64(rng.Intn(5))),
			totalItems:       sometimes(rng, 0.7, float64(rng.Intn(3)*rng.Intn(60))),
			region:           sometimes(rng, 0.5, pick(rng, []string{"north", "south", ""})),
		}
	}
	return rows
}

func pick(rng *rand.Rand, from []string) string { return from[rng.Intn(len(from))] }

func sometimes[T any](rng *rand.Rand, chance float64, v T) *T {
	if rng.Float64() < chance {
		return &v
	}
	return nil
}

// around returns a time within spread of t, to the millisecond like the service. Some times are equal, and at an edge:
// of buckets of 37 minutes, or of a range that starts or ends whole hours from now.
func around(rng *rand.Rand, t time.Time, spread time.Duration) time.Time {
	ms := spread.Milliseconds()
	at := t.Add(time.Duration(rng.Int63n(2*ms)-ms) * time.Millisecond)
	switch rng.Intn(5) {
	case 0:
		return floorTo(at, 37*time.Minute)
	case 1:
		return now.Add(at.Sub(now).Round(time.Hour))
	default:
		return at
	}
}

// The tests read frames like Grafana's expressions: after the Arrow encoding in which they are sent, with the reader
// that Grafana uses.

// instances are the numbers of a frame by their labels.
type instances map[string]*float64

// key formats labels uniquely. fmt sorts maps.
func key(labels map[string]string) string { return fmt.Sprintf("%q", labels) }

// sent returns the frame as received by Grafana.
func sent(t testing.TB, frame *data.Frame) *data.Frame {
	t.Helper()
	raw, err := frame.MarshalArrow()
	require.NoError(t, err)
	out, err := data.UnmarshalArrowFrame(raw)
	require.NoError(t, err)
	return out
}

// readNumeric reads a numeric frame and checks the contract: labels are unique, and there is exactly one number, named
// after the measure.
func readNumeric(t testing.TB, frame *data.Frame, measure string) instances {
	t.Helper()
	reader, err := numeric.CollectionReaderFromFrames(data.Frames{sent(t, frame)})
	require.NoError(t, err)
	collection, err := reader.GetCollection(false)
	require.NoError(t, err)
	require.NoError(t, collection.Warning, "type version")
	labels := 0
	if frame.Meta.Type == data.FrameTypeNumericLong && len(frame.Fields) > 0 {
		labels = len(frame.Fields) - 1
		require.Positive(t, frame.Rows(), "nothing to show is a frame without fields")
	}
	requireTypes(t, frame, labels, data.FieldTypeString) // A label is never null.
	found := instances{}
	for _, ref := range collection.Refs {
		require.Equal(t, measure, ref.GetMetricName())
		value, empty, err := ref.NullableFloat64Value()
		require.NoError(t, err)
		require.False(t, empty)
		k := key(ref.GetLabels())
		require.NotContains(t, found, k, "two rows with the same labels")
		found[k] = value
	}
	require.Equal(t, len(frame.Fields) == 0, collection.NoData())
	return found
}

// requireTypes checks the type of the first fields, and that all others are numbers that can be null.
func requireTypes(t testing.TB, frame *data.Frame, first int, is data.FieldType) {
	t.Helper()
	for i, field := range frame.Fields {
		want := is
		if i >= first {
			want = data.FieldTypeNullableFloat64
		}
		require.Equal(t, want, field.Type(), field.Name)
	}
}

// line is one series: values by the start of their bucket.
type line map[time.Time]*float64

// readTimeSeries reads a timeseries frame and checks the contract: time is ascending, labels are unique, and there are
// no fields that Grafana would ignore.
func readTimeSeries(t testing.TB, frame *data.Frame, measure string) map[string]line {
	t.Helper()
	reader, err := timeseries.CollectionReaderFromFrames(data.Frames{sent(t, frame)})
	require.NoError(t, err)
	collection, err := reader.GetCollection(true)
	require.NoError(t, err)
	require.NoError(t, collection.Warning, "type version")
	require.Empty(t, collection.RemainderIndices)
	requireTypes(t, frame, 1, data.FieldTypeTime)
	found := map[string]line{}
	for _, ref := range collection.Refs {
		require.Equal(t, measure, ref.GetMetricName())
		points := line{}
		n, err := ref.Len()
		require.NoError(t, err)
		for i := range n {
			at, value, err := ref.NullableFloat64Point(i)
			require.NoError(t, err)
			_, twice := points[at.UTC()]
			require.False(t, twice, "two buckets begin at the same time")
			points[at.UTC()] = value
		}
		found[key(ref.GetLabels())] = points
	}
	require.Equal(t, len(frame.Fields) == 0, collection.NoData())
	return found
}
