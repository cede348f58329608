package frame

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/schema"
)

// What datasets.json describes as computed has a formula, and every formula is described.
func TestEveryComputedMeasureHasAFormula(t *testing.T) {
	for _, set := range schema.All() {
		for _, m := range set.Computed {
			assert.True(t, measureFactories[set.Name][m.Name] != nil || m.Aggregate == "count", "%s of %s", m.Name, set.Name)
		}
		for _, f := range set.Derived {
			computed := derivedTimes[f.Name] != nil || calendarParts[f.Name] != nil || UsesOtherRows(f.Name)
			assert.True(t, computed, "%s of %s", f.Name, set.Name)
		}
	}
	for name, byName := range measureFactories {
		for measure := range byName {
			assert.NotNil(t, schema.All().Get(name).Measure(measure), "%s of %s", measure, name)
		}
	}
}
