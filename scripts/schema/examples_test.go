package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/query"
)

func schemaOf(t *testing.T, queryType string) *spec.Schema {
	t.Helper()
	set := datasets.Get(queryType)
	require.NotNil(t, set, queryType)
	return querySchema(set)
}

func TestQueryExamplesAreQueries(t *testing.T) {
	shown := map[string]bool{}
	for _, example := range queryExamples().Examples {
		t.Run(example.Name, func(t *testing.T) {
			saved, err := json.Marshal(example.SaveModel)
			require.NoError(t, err)
			now := time.Now()
			q, err := query.Parse(backend.DataQuery{JSON: saved, TimeRange: backend.TimeRange{From: now.Add(-24 * time.Hour), To: now}}, now, frame.English)
			require.NoError(t, err)
			fields := slices.Concat(q.Columns, q.GroupBy)
			for _, filter := range q.Filters {
				fields = append(fields, filter.Key)
			}
			for _, name := range fields {
				assert.NotNil(t, q.Set.Field(name), "a field that only this service would have: %s", name)
			}
			requireValid(t, schemaOf(t, example.QueryType), example.SaveModel)
		})
		for name := range example.SaveModel.Object {
			shown[name] = true
		}
	}
	for name := range queryProperties(datasets.Get("tasks")) {
		assert.Contains(t, shown, name, "a property without an example")
	}
}

// The schema rejects what the backend rejects.
func TestSchemaRefuses(t *testing.T) {
	for name, saved := range map[string]string{
		"another data set":   `{"queryType":"robots"}`,
		"another format":     `{"format":"pie"}`,
		"no measure":         `{"format":"numeric"}`,
		"another measure":    `{"format":"numeric","measure":"luck"}`,
		"days of nothing":    `{"days":0}`,
		"a part of a row":    `{"limit":1.5}`,
		"another operator":   `{"filters":[{"key":"state","operator":"~","value":"x"}]}`,
		"a filter on what":   `{"filters":[{"operator":"=","value":"x"}]}`,
		"a column twice":     `{"columns":["id","id"]}`,
		"another order":      `{"sort":{"field":"id","order":"up"}}`,
		"another time":       `{"timeField":"dateOfBirth"}`,
		"another comparison": `{"format":"numeric","measure":"tasks","compare":"decade"}`,
		"another unit":       `{"format":"timeseries","measure":"tasks","per":"decade"}`,
	} {
		t.Run(name, func(t *testing.T) {
			now := time.Now()
			_, err := query.Parse(backend.DataQuery{JSON: []byte(saved), TimeRange: backend.TimeRange{From: now.Add(-time.Hour), To: now}}, now, frame.English)
			require.Error(t, err)
			require.Error(t, problems(t, schemaOf(t, "tasks"), json.RawMessage(saved)))
		})
	}
}

// The schema accepts every query that comes with the plugin.
func TestSchemaKnowsTheQueriesOfTheDashboards(t *testing.T) {
	files, err := filepath.Glob("../../src/dashboards/*.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			read, err := os.ReadFile(file)
			require.NoError(t, err)
			var dashboard any
			require.NoError(t, json.Unmarshal(read, &dashboard))
			queries := savedIn(dashboard)
			require.NotEmpty(t, queries)
			for _, query := range queries {
				for _, grafanas := range []string{"refId", "datasource", "hide"} {
					delete(query, grafanas)
				}
				requireValid(t, schemaOf(t, query["queryType"].(string)), query)
			}
		})
	}
}

// savedIn returns the queries of panels anywhere in a dashboard. Those of variables have another form.
func savedIn(value any) (queries []map[string]any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			queries = append(queries, savedIn(item)...)
		}
	case map[string]any:
		isQuery, isVariable := v["refId"] != nil && v["queryType"] != nil, v["field"] != nil
		if isQuery && !isVariable {
			return []map[string]any{v}
		}
		for _, item := range v {
			queries = append(queries, savedIn(item)...)
		}
	}
	return queries
}
