package frame_test

import (
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/require"
)

// The setting adds its currency to savings only. Without it, savings has thousands separators.
func TestCurrency(t *testing.T) {
	for code, want := range map[string]string{"": "locale", "BRL": "currencyBRL", "EUR": "currencyEUR", "ARS": "currency:ARS "} {
		t.Run(code, func(t *testing.T) {
			r := request("automations", goldenAutomations())
			r.Currency = code
			table := mustMake(t, makeTable, r)
			require.Equal(t, want, unitOf(t, table, "savings"))
			require.Empty(t, unitOf(t, table, "roi"))
			require.Equal(t, "locale", unitOf(t, table, "taskCount"))
			require.Equal(t, "percentunit", unitOf(t, table, "successRate"))
			r.Measure, r.GroupBy = "savings", []string{"label"}
			number := mustMake(t, long, r)
			require.Equal(t, want, unitOf(t, number, "savings"))
			require.Empty(t, unitOf(t, number, "label"))
		})
	}
}

func unitOf(t *testing.T, f *data.Frame, name string) string {
	t.Helper()
	field, _ := f.FieldByName(name)
	require.NotNil(t, field, name)
	return field.Config.Unit
}
