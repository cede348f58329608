package frame_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/grafana/dataplane/sdata/numeric"
	"github.com/grafana/dataplane/sdata/timeseries"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"
)

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
	if frame.Meta.Type == data.FrameTypeNumericWide {
		requireNumbers(t, frame)
	} else {
		requireLongFields(t, frame, measure)
	}
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

func requireLongFields(t testing.TB, frame *data.Frame, measure string) {
	t.Helper()
	for i, field := range frame.Fields {
		if i == len(frame.Fields)-1 {
			require.Equal(t, measure, field.Name)
			require.Equal(t, data.FieldTypeNullableFloat64, field.Type())
			break
		}
		require.Equal(t, data.FieldTypeString, field.Type(), "a label is a string that is never null")
	}
	if len(frame.Fields) > 0 {
		require.Positive(t, frame.Rows(), "nothing to show is a frame without fields")
	}
}

// requireNumbers checks that each field of numeric-wide is one number.
func requireNumbers(t testing.TB, frame *data.Frame) {
	t.Helper()
	for _, field := range frame.Fields {
		require.Equal(t, data.FieldTypeNullableFloat64, field.Type())
		require.Equal(t, 1, field.Len())
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
	requireWideFields(t, frame)
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

func requireWideFields(t testing.TB, frame *data.Frame) {
	t.Helper()
	for i, field := range frame.Fields {
		if i == 0 {
			require.Equal(t, "time", field.Name)
			require.Equal(t, data.FieldTypeTime, field.Type())
			continue
		}
		require.Equal(t, data.FieldTypeNullableFloat64, field.Type())
	}
}
