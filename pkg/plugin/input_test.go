package plugin

import (
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A field, a column and a measure may be unknown to the plugin: whether it exists is known only from the rows.
func TestUnknownNamesAreCheckedAgainstTheRows(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(page(`{"id":1,"brandNew":"x"}`)))
	i := start(t, s)
	assert.Equal(t, []string{"x"}, column(t, askFrame(t, i, `{"days":1,"columns":["brandNew"],"sort":{"field":"brandNew"},"filters":[{"key":"brandNew","operator":"=","value":"x"}]}`), "brandNew"))
	empty := start(t, newService().Data(tasksPath, servicetest.OK(page())))
	for query, what := range map[string]string{
		`{"days":1,"columns":["colour"]}`:                                      "column",
		`{"days":1,"sort":{"field":"colour"}}`:                                 "sort",
		`{"days":1,"filters":[{"key":"colour","operator":"=","value":"red"}]}`: "field",
		`{"days":1,"format":"numeric","measure":"tasks","groupBy":["colour"]}`: "field",
		`{"format":"timeseries","measure":"tasks","groupBy":["colour"]}`:       "field",
	} {
		assert.Zero(t, askFrame(t, empty, query).Rows(), "a rule has no data without rows, and no error")
		response := ask(t, i, query)
		assert.Equal(t, backend.StatusBadRequest, response.Status, query)
		require.ErrorContains(t, response.Error, "colour")
		require.ErrorContains(t, response.Error, what)
		require.ErrorContains(t, response.Error, "activityLabel", "what is allowed")
		require.ErrorContains(t, response.Error, "brandNew", "what is allowed")
	}
}

// Numbers that the specification does not know are measures if each row is a group.
func TestUnknownNumbersAreMeasures(t *testing.T) {
	s := newService().Data(automationsPath, servicetest.OK(page(`{"label":"a","p95":4.5,"empty":null},{"label":"b","p95":null,"unit":"ms"},{"p95":1},{"label":null,"p95":2}`)))
	i := start(t, s)
	ask := func(measure string) backend.DataResponse {
		return ask(t, i, `{"queryType":"automations","format":"numeric","groupBy":["label"],"days":1,"shape":"long","measure":"`+measure+`"}`)
	}
	assert.Equal(t, []string{"4.5", "null", "null"}, column(t, ask("p95").Frames[0], "p95"), "rows without a label are not added")
	assert.Equal(t, []string{"null", "null", "null"}, column(t, ask("empty").Frames[0], "empty"))
	for _, wrong := range []string{"colour", "unit"} {
		answer := ask(wrong)
		assert.Equal(t, backend.StatusBadRequest, answer.Status)
		require.ErrorContains(t, answer.Error, `unknown measure "`+wrong+`" of data set automations: use one of taskCount`)
		assert.NotContains(t, answer.Error.Error(), "repositoryLabel", "is not a number")
	}
}
