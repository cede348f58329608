package plugin

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// A panel shows incomplete rows with a warning. Nobody sees the warning of a rule, so it gets an error of the service,
// which leaves a rule with "keep last state" as it was.
func TestRuleOverIncompleteRows(t *testing.T) {
	automation := func(n int) string { return fmt.Sprintf(`{"label":"a-%d","taskCount":%d}`, n, n) }
	const most = 4_000 // moves
	moving, moves := servicetest.TaskRange(10_000-most, 10_200+7*most), atomic.Int64{}
	for name, test := range map[string]struct {
		path     string
		answer   http.HandlerFunc
		settings []any
		query    string
		says     []string
	}{
		"more than maxRows": {tasksPath, servicetest.Paged(20, servicetest.Still(endedTasks(200))), []any{"maxRows", 100},
			`{"format":"numeric","measure":"tasks","days":30}`, []string{"100 of 200", "maxRows"}},
		"windows of more than maxRows": {automationsPath, servicetest.OK(page(automation(1), automation(2), automation(3))), []any{"maxRows", 2},
			`{"queryType":"automations","format":"numeric","measure":"taskCount","compare":"week","days":7}`, []string{"read 2", "maxRows"}},
		"moving at every attempt": {tasksPath, func(w http.ResponseWriter, r *http.Request) {
			n := int(moves.Add(1))
			servicetest.Paged(20, servicetest.Still(moving[most-n:most+201+7*n]))(w, r)
		}, nil, `{"format":"numeric","measure":"tasks","days":30}`, []string{"the data changed during each"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := start(t, newService().Data(test.path, test.answer), append(test.settings, "cacheTTL", 0)...)
			ask := func(headers map[string]string) backend.DataResponse {
				response, err := i.QueryData(t.Context(), &backend.QueryDataRequest{Headers: headers, Queries: []backend.DataQuery{dataQuery("A", test.query)}})
				require.NoError(t, err)
				return response.Responses["A"]
			}
			panel := ask(nil)
			require.NoError(t, panel.Error)
			var notices strings.Builder
			for _, notice := range panel.Frames[0].Meta.Notices {
				notices.WriteString(notice.Text)
			}
			rule := ask(map[string]string{backend.FromAlertHeaderName: "true"})
			require.ErrorContains(t, rule.Error, "the rule needs all rows, but ")
			for _, words := range test.says {
				assert.Contains(t, notices.String(), words)
				assert.Contains(t, rule.Error.Error(), words)
			}
			assert.Equal(t, backend.ErrorSourceDownstream, rule.ErrorSource)
			assert.Equal(t, backend.Status(http.StatusBadGateway), rule.Status)
			assert.Empty(t, rule.Frames)
		})
	}
}
