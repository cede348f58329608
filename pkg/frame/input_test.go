package frame_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// Errors of queries name the value and what to use instead.
func TestBadInput(t *testing.T) {
	tests := []struct {
		name, set string
		make      builder
		change    func(*spec)
		says      []string
	}{
		{"unknown label", "tasks", makeNumeric, func(r *spec) { r.GroupBy = []string{"state", "colour"} }, []string{`"colour"`, "groupBy", "activityLabel"}},
		{"unknown label of a line", "tasks", makeTimeSeries, func(r *spec) { r.GroupBy = []string{"colour"} }, []string{`"colour"`, "groupBy", "activityLabel"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := request(test.set, tableOf(test.set, make([]record, 1)))
			test.change(r)
			f, err := test.make(t.Context(), r)
			require.Nil(t, f)
			require.ErrorIs(t, err, inputerror.Err)
			for _, text := range test.says {
				require.ErrorContains(t, err, text)
			}
		})
	}
}
