package plugin

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A list of workspaces has a row of one that does not answer, without numbers, and its error says which one it is.
func TestAWorkspaceThatDoesNotAnswerHasARow(t *testing.T) {
	broken := servicetest.Status(http.StatusInternalServerError, "")
	down := servicetest.New().Data(tasksPath, broken).Data(automationsPath, broken)
	const counted = `{"format":"attention","groupBy":["dataSource"]}`
	const tasks = `{"format":"numeric","measure":"tasks","groupBy":["dataSource","organizationLabel"],"shape":"long"}`
	i := start(t, down)
	const savings = `{"queryType":"automations","format":"numeric","measure":"savings","groupBy":["dataSource"],"shape":"long"}`
	for query, number := range map[string]string{counted: "needsAttention", tasks: "tasks", savings: "savings"} {
		response := ask(t, i, query)
		require.ErrorContains(t, response.Error, "Test: ")
		require.Equal(t, backend.StatusBadGateway, response.Status)
		require.Len(t, response.Frames, 1, query)
		row := response.Frames[0]
		require.Equal(t, "A", row.RefID)
		require.Len(t, row.Fields, 2, "the organization is not known without an answer")
		require.Equal(t, []string{"Test"}, column(t, row, "dataSource"))
		require.Equal(t, []string{"null"}, column(t, row, number))
	}

	invalid := ask(t, start(t, down, "timeout", "soon"), tasks)
	require.ErrorContains(t, invalid.Error, "Test: ")
	require.Equal(t, []string{"Test"}, column(t, invalid.Frames[0], "dataSource"))

	for _, other := range []string{
		`{"format":"numeric","measure":"tasks","groupBy":["dataSource"]}`,
		`{"format":"numeric","measure":"tasks","groupBy":["activityLabel","dataSource"],"shape":"long"}`,
		`{"format":"numeric","measure":"tasks","shape":"long"}`,
		`{}`,
	} {
		response := ask(t, i, other)
		require.Error(t, response.Error)
		require.Empty(t, response.Frames, other)
	}
}
