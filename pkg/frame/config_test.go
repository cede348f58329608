package frame_test

import (
	"encoding/json"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/schema"
)

// shown is the configuration of a number. Rates have no unit while their scale is unknown, and numbers without decimals
// are formatted by Grafana.
type shown struct {
	unit     string
	decimals *uint16
}

var (
	whole = ptr(uint16(0))
	cents = ptr(uint16(2))
)

var shownFields = map[string]map[string]shown{
	"tasks": {
		"id": {}, "processedItems": {"locale", whole}, "failedItems": {"locale", whole}, "totalItems": {"locale", whole},
	},
	"automations": {
		"taskCount": {"locale", whole}, "sumItems": {"locale", nil}, "sumItemsError": {"locale", nil}, "sumItemsProcessed": {"locale", nil},
		"uptimeRate": {}, "downtimeRate": {}, "successRate": {}, "roi": {"", cents}, "fte": {"", cents}, "savings": {"locale", cents},
	},
	"runners": {
		"tasks": {"locale", whole}, "items": {"locale", whole}, "itemsErrorCount": {"locale", whole}, "utilizationRate": {},
	},
}

var shownMeasures = map[string]map[string]shown{
	"tasks": {
		"tasks": {"locale", whole}, "failedTasks": {"locale", whole}, "successRate": {"percentunit", nil},
		"processedItems": {"locale", whole}, "failedItems": {"locale", whole}, "totalItems": {"locale", whole},
		"itemSuccessRate": {"percentunit", nil}, "duration": {"s", nil}, "queueTime": {"s", nil}, "oldestQueued": {"s", nil},
	},
	"automations": shownFields["automations"],
	"runners":     shownFields["runners"],
}

func requireShown(t *testing.T, want shown, config *data.FieldConfig, what string) {
	t.Helper()
	require.NotNil(t, config, what)
	require.Equal(t, want.unit, config.Unit, what)
	require.Equal(t, want.decimals, config.Decimals, what)
	require.NotEmpty(t, config.Description, what)
}

func TestConfigOfTableFields(t *testing.T) {
	for set, numbers := range shownFields {
		t.Run(set, func(t *testing.T) {
			f := sent(t, mustMake(t, makeTable, request(set, tableOf[record](set, nil))))
			for _, field := range f.Fields {
				requireShown(t, numbers[field.Name], field.Config, field.Name)
				require.True(t, *field.Config.Filterable, field.Name)
			}
			for name := range numbers {
				field, _ := f.FieldByName(name)
				require.NotNil(t, field, name)
			}
		})
	}
}

func TestConfigOfMeasures(t *testing.T) {
	for set, measures := range shownMeasures {
		for measure, want := range measures {
			if measure == "id" {
				continue
			}
			t.Run(set+" "+measure, func(t *testing.T) {
				number := map[string]float64{measure: 1}
				rows := tableOf(set, []record{{numbers: number, texts: map[string]string{"finishStatus": "SUCCESS", "state": "START"}}})
				by := schema.All().Get(set).FieldNames(func(f schema.Field) bool { return f.Groupable })[:1]
				r := &spec{DataSet: schema.All().Get(set), Rows: rows, Measure: measure, GroupBy: by, Now: now}
				f := sent(t, mustMake(t, long, r))
				requireShown(t, want, f.Fields[1].Config, measure)
				require.NotEmpty(t, f.Fields[0].Config.Description, "the label's own description")
				if set == "tasks" {
					r := request(set, created(now))
					r.Measure = measure
					requireShown(t, want, sent(t, mustMake(t, makeTimeSeries, r)).Fields[1].Config, measure)
				}
			})
		}
	}
}

// A field that is not in the description can be filtered unless it is nested; it has no other configuration.
func TestConfigOfUnknownFields(t *testing.T) {
	table := tasksTable([]task{{region: ptr("south")}})
	table.Columns = append(table.Columns, column("tags", schema.JSON, json.RawMessage(`[]`)))
	f := mustMake(t, makeTable, &spec{DataSet: schema.All().Get("tasks"), Rows: table})
	region, _ := f.FieldByName("region")
	require.Equal(t, &data.FieldConfig{Filterable: ptr(true)}, region.Config)
	tags, _ := f.FieldByName("tags")
	require.Nil(t, tags.Config)
}

// Statuses have the colors of the vendor's own page, and keep their text.
func TestColors(t *testing.T) {
	f := sent(t, mustMake(t, makeTable, request("tasks", tasksTable(nil))))
	colours := map[string]map[string]string{
		"state":        {"START": "gray", "RUNNING": "blue"},
		"finishStatus": {"SUCCESS": "green", "PARTIALLY_COMPLETED": "orange", "FAILED": "red"},
	}
	for _, field := range f.Fields {
		if colours[field.Name] == nil {
			require.Empty(t, field.Config.Mappings, field.Name)
			continue
		}
		require.Len(t, field.Config.Mappings, 1)
		mapper, ok := field.Config.Mappings[0].(data.ValueMapper)
		require.True(t, ok)
		for value, colour := range colours[field.Name] {
			require.Equal(t, colour, mapper[value].Color, value)
		}
		places := map[int]bool{}
		for value, result := range mapper {
			require.Empty(t, result.Text, value)
			require.NotEmpty(t, result.Color, value)
			places[result.Index] = true
		}
		require.Len(t, places, len(mapper), "each mapping has its own place")
	}
}

// The legend shows only the values, and a single status in its color.
func TestLegendOfSeries(t *testing.T) {
	tests := []struct {
		groupBy []string
		name    string
		colour  map[string]any
	}{
		{nil, "Tasks", nil},
		{[]string{"finishStatus"}, "FAILED", map[string]any{"mode": "fixed", "fixedColor": "red"}},
		{[]string{"activityLabel"}, "invoices", nil},
		{[]string{"machineId"}, "(none)", nil},
		{[]string{"finishStatus", "activityLabel", "machineId"}, "FAILED, invoices, (none)", nil},
		{[]string{"region"}, "south", nil},
	}
	rows := tasksTable([]task{{finishStatus: ptr("FAILED"), activityLabel: ptr("invoices"), region: ptr("south"), dateCreation: ptr(now)}})
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := request("tasks", rows)
			r.GroupBy = test.groupBy
			config := sent(t, mustMake(t, makeTimeSeries, r)).Fields[1].Config
			require.Equal(t, test.name, config.DisplayNameFromDS)
			require.Equal(t, test.colour, config.Color)
		})
	}
}
