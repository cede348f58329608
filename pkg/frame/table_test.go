package frame_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Every cell is preserved, including null, for all column types.
func TestTableShowsEveryCell(t *testing.T) {
	for _, n := range sizes {
		rows := randomTasks(rand.New(rand.NewSource(int64(n))), n)
		table := tasksTable(rows)
		table.Columns = append(table.Columns,
			column("nested", schema.String, cells(n, `{"a":[1,null]}`)...),
			column("urgent", schema.String, cells(n, "true")...))
		f := sent(t, mustMake(t, makeTable, &spec{DataSet: schema.All().Get("tasks"), Rows: table}))
		require.Equal(t, n, f.Rows())
		for _, field := range f.Fields {
			for i, row := range rows {
				value, ok := field.ConcreteAt(i)
				if !ok {
					value = nil
				}
				if at, isTime := value.(time.Time); isTime {
					value = at.UTC()
				}
				switch field.Name {
				case "nested", "urgent":
					require.Equal(t, table.Column(field.Name).Valid[i], ok, field.Name)
				default:
					require.Equal(t, row.cell(field.Name), value, field.Name)
				}
			}
		}
	}
}

// cells returns n cells, every second one null.
func cells(n int, v any) []any {
	out := make([]any, n)
	for i := range out {
		if i%2 == 0 {
			out[i] = v
		}
	}
	return out
}

// Search, range and filters must all match; sort and filters may use a column that is not shown.
func TestTableKeepsWhatEveryConditionKeeps(t *testing.T) {
	row := func(id int64, label string, at time.Time, state string) task {
		return task{id: &id, activityLabel: &label, dateCreation: &at, state: &state}
	}
	r := request("tasks", tasksTable([]task{
		row(1, "Invoices", now, "START"), row(2, "INVOICES BR", now.Add(-time.Hour), "START"), row(3, "invoices", now.Add(-7*time.Hour), "START"),
		row(4, "invoices", now, "RUNNING"), row(5, "orders", now, "START"), {id: ptr(int64(6)), state: ptr("START"), dateCreation: ptr(now)},
	}))
	r.Contains, r.Filters = "invoiceS", []*filter.Filter{where(t, "state", "=", "START"), where(t, "id", ">", "0")}
	r.Columns, r.Sort = []string{"id"}, &schema.Sort{Field: "dateCreation", Order: "asc"}
	require.Equal(t, []int64{2, 1}, ids(t, r))
	r.From, r.To = time.Time{}, time.Time{}
	require.Equal(t, []int64{3, 2, 1}, ids(t, r), "no range")
}

// ids returns the ids of a table's rows, in order.
func ids(t testing.TB, r *spec) []int64 {
	t.Helper()
	field, _ := mustMake(t, makeTable, r).FieldByName("id")
	out := []int64{}
	for i := range field.Len() {
		id, ok := field.ConcreteAt(i)
		require.True(t, ok)
		out = append(out, id.(int64))
	}
	return out
}
