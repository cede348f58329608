package schema

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The lists repeat the service's specification and the contract, so that a mistake in datasets.json fails a test.
var specified = map[string]struct {
	path        string
	fields      []string
	derived     []string
	serviceSort []string
	defaultSort *Sort
	parameters  Parameters
	measures    []string
}{
	"tasks": {
		path: "/api/v1/insights/tasks",
		fields: []string{"id", "state", "finishStatus", "activityLabel", "repositoryLabel", "machineId", "dateLastModified",
			"dateCreation", "dateStartRunning", "processedItems", "failedItems", "totalItems"},
		parameters: Parameters{Page: "page", Size: "size", Days: "days"},
		derived:    []string{"outcome", "queueTime", "duration", "turnaround", "weekday", "hour", "usualDuration", "slowness", "organizationLabel", "dataSource", "team"},
		measures: []string{"tasks", "failedTasks", "successRate", "processedItems", "failedItems", "totalItems", "itemSuccessRate",
			"duration", "queueTime", "durationP95", "durationMax", "queueTimeP95", "queueTimeMax", "turnaround", "turnaroundP95", "runTime",
			"oldestQueued", "oldestRunning", "sinceLastTask", "sinceLastSuccess", "failuresInARow", "gapMax", "deadlinesMet", "queued", "queuedWork", "queueClearedAt", "lastAnswer",
			"busyRunners", "recoveryTime", "failureStreaks", "concurrency", "occupancy"},
	},
	"automations": {
		path: "/api/v1/insights/automation",
		fields: []string{"label", "name", "machineId", "description", "organizationLabel", "repositoryLabel", "date", "taskCount",
			"sumItems", "sumItemsError", "sumItemsProcessed", "uptimeRate", "downtimeRate", "successRate", "roi", "fte", "savings"},
		derived:     []string{"dataSource", "team"},
		serviceSort: []string{"label", "date", "repositoryLabel", "taskCount", "sumItems", "sumItemsError"},
		defaultSort: &Sort{Field: "label", Order: "asc"},
		parameters:  Parameters{Page: "page", Size: "size", Days: "filterBy", Sort: "sort", Search: "automation"},
		measures: []string{"taskCount", "sumItems", "sumItemsError", "sumItemsProcessed", "uptimeRate", "downtimeRate", "successRate",
			"roi", "fte", "savings"},
	},
	"runners": {
		path:        "/api/v1/insights/runner",
		fields:      []string{"_id", "tasks", "items", "itemsErrorCount", "utilizationRate"},
		derived:     []string{"organizationLabel", "dataSource"},
		serviceSort: []string{"_id", "tasks", "items", "itemsErrorCount", "utilizationRate"},
		defaultSort: &Sort{Field: "tasks", Order: "desc"},
		parameters:  Parameters{Days: "filterBy", Sort: "sort", Search: "runner"},
		measures:    []string{"tasks", "items", "itemsErrorCount", "utilizationRate"},
	},
}

func TestDataSetsAreAsSpecified(t *testing.T) {
	require.Equal(t, []string{"tasks", "automations", "runners"}, Names(All()))
	for _, d := range All() {
		t.Run(d.Name, func(t *testing.T) {
			want := specified[d.Name]
			require.Equal(t, want.path, d.Path)
			require.Equal(t, want.parameters, d.Parameters)
			all := d.FieldNames(func(Field) bool { return true })
			require.Equal(t, append(want.fields, want.derived...), all, "in the specification's order, then what is made of them")
			require.Len(t, d.Fields, len(want.fields), "the service does not send what is derived")
			require.ElementsMatch(t, want.serviceSort, d.FieldNames(func(f Field) bool { return f.ServiceSort }))
			require.Equal(t, want.measures, Names(d.Measures()))
			require.Equal(t, d.Name == "tasks", d.HasTimes())
		})
	}
}

// A description has what both sides need of each part, and refers only to its own fields.
func TestParts(t *testing.T) {
	for _, d := range All() {
		require.Same(t, d, All().Get(d.Name))
		require.NotNil(t, d.Field(d.Key), d.Name)
		require.Equal(t, String, d.Field(d.SearchField).Type)
		for _, name := range d.TimeFields {
			require.Equal(t, Time, d.Field(name).Type, name)
		}
		for _, f := range d.Fields {
			require.NotEmpty(t, f.Label, f.Name)
			require.NotEmpty(t, f.Description, f.Name)
			require.True(t, !f.Groupable && !f.AcceptsNumber && len(f.Colors) == 0 || f.Type == String, f.Name)
			require.True(t, f.Unit == "" && f.Decimals == nil && f.Aggregate == "" || f.Type == Number, f.Name)
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
	require.Nil(t, All().Get("robots"))
	require.Equal(t, "dateCreation", All().Get("tasks").TimeFields[0], "the default of timeField")
	// According to the contract, counts and amounts add up over time. Rates, means, roi and fte do not.
	require.Equal(t, []string{"taskCount", "sumItems", "sumItemsError", "sumItemsProcessed", "savings"}, Names(All().Get("automations").Drawn()))
	require.Equal(t, []string{"tasks", "items", "itemsErrorCount"}, Names(All().Get("runners").Drawn()))
}

// A property that neither side knows is a typo.
func TestDescriptionHasNoUnknownProperty(t *testing.T) {
	raw, err := os.ReadFile("datasets.json")
	require.NoError(t, err)
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	var file struct {
		DataSets DataSets `json:"dataSets"`
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

func TestSettings(t *testing.T) {
	assert.NotEmpty(t, SettingNames())
	for _, name := range SettingNames() {
		t.Run(name, func(t *testing.T) {
			s := GetSetting(name)
			assert.Regexp(t, regexp.MustCompile(`^[a-z]+([A-Z]+[a-z]*)*$`), name)
			assert.Contains(t, []string{"root", "jsonData", "secureJsonData"}, s.In)
			assert.NotEmpty(t, s.Label)
			assert.NotEmpty(t, s.Description)
			assert.False(t, s.Required && s.Default != nil, "what is required has no default")
			assert.Equal(t, s.In == "secureJsonData", s.Example == nil, "secrets alone have no example")
			assert.True(t, s.Default == nil || s.Default != s.Example, "an example shows something else")
			for _, value := range []any{s.Default, s.Example} {
				s.check(t, value)
			}
		})
	}
}

func (s Setting) check(t *testing.T, value any) {
	t.Helper()
	switch s.Type {
	case Integer, Number:
		assert.IsType(t, 0.0, value)
		assert.GreaterOrEqual(t, value, float64(s.Min))
		assert.LessOrEqual(t, value, float64(s.Max))
		assert.NotEmpty(t, s.Unit)
	case "boolean":
		assert.IsType(t, true, value)
	case "array":
		assert.True(t, value == nil || assert.IsType(t, []any{}, value))
	case "object":
		assert.True(t, value == nil || assert.IsType(t, map[string]any{}, value))
	case String:
		if value != nil && s.Values != nil {
			assert.Contains(t, s.Values, value)
		}
	default:
		assert.Fail(t, "unknown type", s.Type)
	}
}

func TestNewFillsInValues(t *testing.T) {
	f := NewFinding("rows", Values{"set": "Tasks", "rows": 12345, "days": 30})
	assert.Equal(t, Finding{Key: "rows", Severity: "ok", Text: "Tasks: 12,345 in the last 30 days.", Values: Values{"set": "Tasks", "rows": 12345, "days": 30}}, f)
	f = NewFinding("path-other", Values{"set": "Runners", "path": "/a", "found": "/b {{path}}"})
	assert.Equal(t, "Runners cannot be read at /a, but at /b {{path}}. Change the path in the settings.", f.Text, "a value is not a template")
	assert.Equal(t, "runnersPath", f.Setting)
}

// Names are offered in the languages that have the words around them. Without a reason's sentence, there would be none.
func TestLanguages(t *testing.T) {
	for _, value := range GetSetting("names").Values {
		language := Language(value)
		if language == API {
			continue
		}
		assert.Contains(t, words, language)
		assert.Len(t, language.Words().Severities, 3, language)
		for _, reason := range Attention.Reasons {
			for which, texts := range reason.Why {
				assert.NotEmpty(t, texts[language], "%s (%s) in %s", reason.Name, which, language)
				assert.Equal(t, strings.Count(texts[English], "%"), strings.Count(texts[language], "%"), texts[language])
			}
		}
	}
}
