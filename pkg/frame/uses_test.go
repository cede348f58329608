package frame_test

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/schema"
)

// The description says which fields decide the value of a measure, and of a derived field: all of these do, and no others. Of tasks
// in a state that is not known, the dates decide that show whether they have ended.
func TestFieldsThatDecideAValue(t *testing.T) {
	set, calendar := schema.All().Get("tasks"), &deadlines.Calendar{Zone: time.UTC}
	lines, _ := deadlines.Parse([]any{map[string]any{"automation": "*", "within": "2h"}, map[string]any{"automation": "*", "by": "12:00", "count": 3.0}}, calendar)
	shown := func(rows *columns.Table, measure, column string) string {
		r := &spec{DataSet: set, Rows: rows, Now: now, Since: now.Add(-96 * time.Hour), TimeField: "dateCreation", Measure: measure, Deadlines: lines, Teams: deadlines.Teams{{Automation: someLabels[1], Team: "HR"}}}
		make := makeNumeric
		if column != "" {
			r.Columns, make = []string{column}, makeTable
		}
		text := ""
		for _, field := range mustMake(t, make, r).Fields {
			for n := range field.Len() {
				value, _ := field.ConcreteAt(n)
				text += fmt.Sprint(value, " ")
			}
		}
		return text
	}
	decides := func(uses []string, measure, column string) {
		if slices.Contains(uses, schema.EndOfOthers) {
			uses = append(uses, "dateLastModified", "dateStartRunning", "dateCreation")
		}
		changes := map[string]bool{}
		for seed := range int64(20) {
			rng := rand.New(rand.NewSource(seed))
			rows := randomTasks(rng, 60)
			for i := range rows {
				rows[i].state = ptr(pick(rng, someStates))
				rows[i].activityLabel = ptr(someLabels[1+i%2])
			}
			all := tableOf("tasks", rows)
			for n, c := range all.Columns {
				without := &columns.Table{Rows: all.Rows, Columns: slices.Clone(all.Columns)}
				without.Columns[n] = columns.Nulls(c.Name, c.Type, all.Rows)
				changes[c.Name] = changes[c.Name] || shown(all, measure, column) != shown(without, measure, column)
			}
		}
		for _, f := range set.Fields {
			assert.Equal(t, slices.Contains(uses, f.Name), changes[f.Name], "%s%s: %s", measure, column, f.Name)
		}
	}
	for _, m := range set.Measures() {
		decides(set.UsesOf(nil, []string{m.Name}, "dateCreation"), m.Name, "")
	}
	for _, f := range set.Derived {
		decides(set.UsesOf([]string{f.Name}, nil, "dateCreation"), "", f.Name)
	}
}
