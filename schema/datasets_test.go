package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
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
		derived:    []string{"outcome", "queueTime", "duration", "turnaround", "weekday", "hour", "usualDuration", "slowness", "organizationLabel", "dataSource"},
		measures: []string{"tasks", "failedTasks", "successRate", "processedItems", "failedItems", "totalItems", "itemSuccessRate",
			"duration", "queueTime", "durationP95", "durationMax", "queueTimeP95", "queueTimeMax", "turnaround", "turnaroundP95", "runTime",
			"oldestQueued", "oldestRunning", "sinceLastTask", "sinceLastSuccess", "failuresInARow", "gapMax", "deadlinesMet", "queued", "queuedWork", "queueClearedAt",
			"busyRunners", "recoveryTime", "failureStreaks", "concurrency", "occupancy"},
	},
	"automations": {
		path: "/api/v1/insights/automation",
		fields: []string{"label", "name", "machineId", "description", "organizationLabel", "repositoryLabel", "date", "taskCount",
			"sumItems", "sumItemsError", "sumItemsProcessed", "uptimeRate", "downtimeRate", "successRate", "roi", "fte", "savings"},
		derived:     []string{"dataSource"},
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

// According to the contract, counts and amounts add up over time. Rates, means, roi and fte do not.
func TestDrawn(t *testing.T) {
	for name, want := range map[string][]string{
		"tasks":       specified["tasks"].measures,
		"automations": {"taskCount", "sumItems", "sumItemsError", "sumItemsProcessed", "savings"},
		"runners":     {"tasks", "items", "itemsErrorCount"},
	} {
		require.Equal(t, want, schema.Names(schema.All().Get(name).Drawn()), name)
	}
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

func TestFields(t *testing.T) {
	for _, d := range schema.All() {
		for _, f := range d.Fields {
			t.Run(d.Name+" "+f.Name, func(t *testing.T) {
				require.Contains(t, []schema.Type{schema.String, schema.Integer, schema.Number, schema.Boolean, schema.Time, schema.JSON}, f.Type)
				require.NotEmpty(t, f.Description)
				require.NotEmpty(t, f.Label)
				require.Contains(t, []string{"", "sum", "mean"}, f.Aggregate)
				if f.Groupable || f.AcceptsNumber || len(f.Colors) > 0 {
					require.Equal(t, schema.String, f.Type)
				}
				if f.Unit != "" || f.Decimals != nil || f.Rate || f.Aggregate != "" {
					require.Equal(t, schema.Number, f.Type)
				}
				require.Equal(t, f.Name == "savings", f.Money)
				if f.Money {
					require.Equal(t, schema.Number, f.Type)
					require.Equal(t, "locale", f.Unit, "thousands are told apart without a currency, too")
				}
				if f.Additive {
					require.Equal(t, "sum", f.Aggregate)
				}
				if f.Rate {
					require.Empty(t, f.Unit, "the unit of a rate depends on its scale")
					require.Equal(t, "mean", f.Aggregate)
				}
				if f.Decimals != nil {
					require.LessOrEqual(t, *f.Decimals, uint16(10))
				}
				for value, colour := range f.Colors {
					require.NotEmpty(t, value)
					require.NotEmpty(t, colour)
				}
				require.Equal(t, f.Name, d.Field(f.Name).Name)
			})
		}
		require.Nil(t, d.Field("colour"))
	}
}

// A data set refers only to its own fields.
func TestDataSetsNameTheirOwnFields(t *testing.T) {
	for _, d := range schema.All() {
		require.Same(t, d, schema.All().Get(d.Name))
		require.NotEmpty(t, d.Label)
		require.NotEmpty(t, d.Description)
		require.NotNil(t, d.Field(d.Key), d.Name)
		require.Equal(t, schema.String, d.Field(d.SearchField).Type)
		for _, name := range d.TimeFields {
			require.Equal(t, schema.Time, d.Field(name).Type, name)
		}
		if d.NameField != "" {
			require.Equal(t, schema.String, d.Field(d.NameField).Type)
		}
	}
	require.Nil(t, schema.All().Get("robots"))
	require.Equal(t, "dateCreation", schema.All().Get("tasks").TimeFields[0], "the default of timeField")
}

// Every measure that the editors offer can be computed, even without rows.
func TestMeasures(t *testing.T) {
	for _, d := range schema.All() {
		for _, m := range d.Measures() {
			t.Run(d.Name+" "+m.Name, func(t *testing.T) {
				require.NotEmpty(t, m.Label)
				require.NotEmpty(t, m.Description)
				require.Contains(t, []string{"zero", "null"}, m.Empty)
				require.Equal(t, m, *d.Measure(m.Name))
				for _, rows := range []int{0, 1} {
					selection := frame.Selection{DataSet: d, Rows: nulls(d, rows)}
					numeric := frame.Numeric{Grouping: frame.Grouping{Selection: selection, Figures: []schema.Figure{{Name: m.Name, Measure: m.Name}}}}
					_, err := numeric.Frame(t.Context())
					require.NoError(t, err)
				}
			})
		}
		require.Nil(t, d.Measure("colour"))
	}
}

// nulls are rows in which every field is null.
func nulls(d *schema.DataSet, rows int) *columns.Table {
	table := &columns.Table{Rows: rows}
	for _, f := range d.Fields {
		c := columns.New(f.Name, f.Type, rows)
		c.Resize(rows)
		table.Columns = append(table.Columns, c)
	}
	return table
}

func TestList(t *testing.T) {
	require.Equal(t, "a, b", schema.List([]string{"a", "b"}))
	require.Empty(t, schema.List(nil))
}
