package frame_test

import (
	"encoding/json"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// automationsCalled returns automations with these labels and names, alternating.
func automationsCalled(labelsAndNames ...string) *columns.Table {
	var records []record
	for i := 0; i < len(labelsAndNames); i += 2 {
		texts := map[string]string{"label": labelsAndNames[i], "name": labelsAndNames[i+1], "repositoryLabel": "main"}
		if texts["name"] == "" {
			delete(texts, "name")
		}
		records = append(records, record{texts: texts, numbers: map[string]float64{"savings": 1}})
	}
	return tableOf("automations", records)
}

// valueNames returns the display names in the metadata of a frame.
func valueNames(t *testing.T, f *data.Frame) map[string]string {
	t.Helper()
	raw, err := json.Marshal(f.Meta.Custom)
	require.NoError(t, err)
	var custom struct {
		ValueNames struct {
			Field string            `json:"field"`
			Names map[string]string `json:"names"`
		} `json:"valueNames"`
	}
	require.NoError(t, json.Unmarshal(raw, &custom))
	if len(custom.ValueNames.Names) > 0 {
		require.Equal(t, "label", custom.ValueNames.Field)
	}
	return custom.ValueNames.Names
}

func TestValueNames(t *testing.T) {
	refunds := map[string]string{"refunds": "Customer refunds"}
	tests := map[string]struct {
		rows    *columns.Table
		groupBy []string
		want    map[string]string
	}{
		"by label":                        {automationsCalled("refunds", "Customer refunds"), []string{"label"}, refunds},
		"by label and another field":      {automationsCalled("refunds", "Customer refunds"), []string{"repositoryLabel", "label"}, refunds},
		"a row without a name":            {automationsCalled("refunds", "Customer refunds", "orders", ""), []string{"label"}, refunds},
		"a name that two have":            {automationsCalled("a", "Same", "b", "Same", "refunds", "Customer refunds"), []string{"label"}, refunds},
		"a name of spaces":                {automationsCalled("a", "  ", "refunds", "Customer refunds"), []string{"label"}, refunds},
		"names that differ in spaces":     {automationsCalled("a", "Same", "b", "Same ", "refunds", " Customer refunds"), []string{"label"}, refunds},
		"a name that is another's key":    {automationsCalled("a", "b", "b", "", "refunds", "Customer refunds"), []string{"label"}, refunds},
		"two rows of a key":               {automationsCalled("refunds", "Customer refunds", "refunds", "Other"), []string{"label"}, refunds},
		"names in the groups already":     {automationsCalled("refunds", "Customer refunds"), []string{"label", "name"}, nil},
		"grouped by something else":       {automationsCalled("refunds", "Customer refunds"), []string{"repositoryLabel"}, nil},
		"no groups":                       {automationsCalled("refunds", "Customer refunds"), nil, nil},
		"no rows":                         {automationsCalled(), []string{"label"}, nil},
		"tasks, whose rows have no names": {goldenTasks(), []string{"activityLabel"}, nil},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			r := request("automations", test.rows)
			r.Measure, r.GroupBy = "savings", test.groupBy
			if test.rows.Column("activityLabel") != nil {
				r = request("tasks", test.rows)
				r.Measure, r.GroupBy = "tasks", test.groupBy
			}
			for _, long := range []bool{false, true} {
				r.Long = long
				f := mustMake(t, frame.Numeric, r)
				require.Equal(t, test.want, valueNames(t, f))
			}
		})
	}
}

// Groups that the limit cuts have no names.
func TestValueNamesOfShownGroups(t *testing.T) {
	r := request("automations", automationsCalled("a", "First", "b", "Second"))
	r.Measure, r.GroupBy, r.Limit = "savings", []string{"label"}, 1
	require.Equal(t, map[string]string{"a": "First"}, valueNames(t, mustMake(t, frame.Numeric, r)))
}

// Values stay the API's, because rules, links, and overrides refer to them.
func TestValueNamesLeaveValues(t *testing.T) {
	r := request("automations", automationsCalled("refunds", "Customer refunds"))
	r.Measure, r.GroupBy = "savings", []string{"label"}
	wide := mustMake(t, frame.Numeric, r)
	require.Equal(t, data.Labels{"label": "refunds"}, wide.Fields[0].Labels)
	require.Equal(t, "refunds", wide.Fields[0].Config.DisplayNameFromDS)
	require.Equal(t, "refunds", mustMake(t, long, r).Fields[0].At(0))
}
