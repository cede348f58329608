package frame

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// What datasets.json describes as computed has a formula, and every formula is described.
func TestEveryComputedMeasureHasAFormula(t *testing.T) {
	for _, set := range schema.All() {
		for _, m := range set.Computed {
			assert.True(t, formulas[set.Name][m.Name].fold != nil || m.Aggregate == "count", "%s of %s", m.Name, set.Name)
		}
		for _, f := range set.Derived {
			if f.Workspace {
				continue
			}
			r := &Selection{DataSet: set, Rows: &columns.Table{}, TimeField: set.TimeFields[0]}
			for _, described := range set.Fields {
				r.Rows.Columns = append(r.Rows.Columns, columns.New(described.Name, described.Type, 0))
			}
			assert.True(t, r.derivedText(f.Name) != nil || r.derivedNumber(f.Name) != nil, "%s of %s", f.Name, set.Name)
		}
	}
	for name, byName := range formulas {
		for measure := range byName {
			assert.NotNil(t, schema.All().Get(name).Measure(measure), "%s of %s", measure, name)
		}
	}
}
