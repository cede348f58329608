package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/schema"
)

// The lists repeat the service's specification and the contract, so that a mistake in datasets.json fails a test.
var specified = map[string]struct {
	path        string
	fields      []string
	derived     []string
	serviceSort []string
	defaultSort *schema.Sort
	parameters  schema.Parameters
	measures    []string
}{
	"tasks": {
		path: "/api/v1/insights/tasks",
		fields: []string{"id", "state", "finishStatus", "activityLabel", "repositoryLabel", "machineId", "dateLastModified",
			"dateCreation", "dateStartRunning", "processedItems", "failedItems", "totalItems"},
		parameters: schema.Parameters{Page: "page", Size: "size", Days: "days"},
		derived:    []string{"outcome", "queueTime", "duration", "turnaround", "weekday", "hour", "usualDuration", "slowness", "organizationLabel", "dataSource", "team"},
		measures: []string{"tasks", "failedTasks", "successRate", "processedItems", "failedItems", "totalItems", "itemSuccessRate",
			"duration", "queueTime", "durationP95", "durationMax", "queueTimeP95", "queueTimeMax", "turnaround", "turnaroundP95", "runTime",
			"oldestQueued", "oldestRunning", "sinceLastTask", "sinceLastSuccess", "failuresInARow", "gapMax", "deadlinesMet", "queued", "queuedWork", "queueClearedAt",
			"busyRunners", "recoveryTime", "failureStreaks", "concurrency", "occupancy"},
	},
	"automations": {
		path: "/api/v1/insights/automation",
		fields: []string{"label", "name", "machineId", "description", "organizationLabel", "repositoryLabel", "date", "taskCount",
			"sumItems", "sumItemsError", "sumItemsProcessed", "uptimeRate", "downtimeRate", "successRate", "roi", "fte", "savings"},
		derived:     []string{"dataSource", "team"},
		serviceSort: []string{"label", "date", "repositoryLabel", "taskCount", "sumItems", "sumItemsError"},
		defaultSort: &schema.Sort{Field: "label", Order: "asc"},
		parameters:  schema.Parameters{Page: "page", Size: "size", Days: "filterBy", Sort: "sort", Search: "automation"},
		measures: []string{"taskCount", "sumItems", "sumItemsError", "sumItemsProcessed", "uptimeRate", "downtimeRate", "successRate",
			"roi", "fte", "savings"},
	},
	"runners": {
		path:        "/api/v1/insights/runner",
		fields:      []string{"_id", "tasks", "items", "itemsErrorCount", "utilizationRate"},
		derived:     []string{"organizationLabel", "dataSource"},
		serviceSort: []string{"_id", "tasks", "items", "itemsErrorCount", "utilizationRate"},
		defaultSort: &schema.Sort{Field: "tasks", Order: "desc"},
		parameters:  schema.Parameters{Days: "filterBy", Sort: "sort", Search: "runner"},
		measures:    []string{"tasks", "items", "itemsErrorCount", "utilizationRate"},
	},
}

func TestDataSetsAreAsSpecified(t *testing.T) {
	require.Equal(t, []string{"tasks", "automations", "runners"}, schema.Names(schema.All()))
	for _, d := range schema.All() {
		t.Run(d.Name, func(t *testing.T) {
			want := specified[d.Name]
			require.Equal(t, want.path, d.Path)
			require.Equal(t, want.parameters, d.Parameters)
			all := d.FieldNames(func(schema.Field) bool { return true })
			require.Equal(t, append(want.fields, want.derived...), all, "in the specification's order, then what is made of them")
			require.Len(t, d.Fields, len(want.fields), "the service does not send what is derived")
			require.ElementsMatch(t, want.serviceSort, d.FieldNames(func(f schema.Field) bool { return f.ServiceSort }))
			require.Equal(t, want.measures, schema.Names(d.Measures()))
			require.Equal(t, d.Name == "tasks", d.HasTimes())
		})
	}
}

// A description has what both sides need of each part, and refers only to its own fields.
func TestParts(t *testing.T) {
	for _, d := range schema.All() {
		require.Same(t, d, schema.All().Get(d.Name))
		require.NotNil(t, d.Field(d.Key), d.Name)
		require.Equal(t, schema.String, d.Field(d.SearchField).Type)
		for _, name := range d.TimeFields {
			require.Equal(t, schema.Time, d.Field(name).Type, name)
		}
		for _, f := range d.Fields {
			require.NotEmpty(t, f.Label, f.Name)
			require.NotEmpty(t, f.Description, f.Name)
			require.True(t, !f.Groupable && !f.AcceptsNumber && len(f.Colors) == 0 || f.Type == schema.String, f.Name)
			require.True(t, f.Unit == "" && f.Decimals == nil && f.Aggregate == "" || f.Type == schema.Number, f.Name)
			require.True(t, !f.Additive || f.Aggregate == "sum", f.Name)
			require.True(t, !f.Rate || f.Aggregate == "mean" && f.Unit == "", "%s: the unit of a rate depends on its scale", f.Name)
			require.Equal(t, f.Name == "savings", f.Money)
		}
		for _, m := range d.Measures() {
			require.NotEmpty(t, m.Label, m.Name)
			require.NotEmpty(t, m.Description, m.Name)
			require.Contains(t, []string{"zero", "null"}, m.Empty, m.Name)
			require.Equal(t, m, *d.Measure(m.Name))
		}
		require.Nil(t, d.Field("colour"))
		require.Nil(t, d.Measure("colour"))
	}
	require.Nil(t, schema.All().Get("robots"))
	require.Equal(t, "dateCreation", schema.All().Get("tasks").TimeFields[0], "the default of timeField")
	// According to the contract, counts and amounts add up over time. Rates, means, roi and fte do not.
	require.Equal(t, []string{"taskCount", "sumItems", "sumItemsError", "sumItemsProcessed", "savings"}, schema.Names(schema.All().Get("automations").Drawn()))
	require.Equal(t, []string{"tasks", "items", "itemsErrorCount"}, schema.Names(schema.All().Get("runners").Drawn()))
}

// described is a data set with the properties that only the editors read.
type described struct {
	schema.DataSet
	DefaultSort *schema.Sort `json:"defaultSort"`
}

// A property that neither side knows is a typo.
func TestDescriptionHasNoUnknownProperty(t *testing.T) {
	raw, err := os.ReadFile("datasets.json")
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	var file struct {
		DataSets []described `json:"dataSets"`
	}
	require.NoError(t, decoder.Decode(&file))
	require.False(t, decoder.More())
	for _, d := range file.DataSets {
		require.Equal(t, specified[d.Name].defaultSort, d.DefaultSort, d.Name)
		if d.DefaultSort != nil {
			require.True(t, d.Field(d.DefaultSort.Field).ServiceSort)
		}
	}
}
