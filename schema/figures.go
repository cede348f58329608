package schema

import "slices"

// Figure is a number of a group: a measure or, of a comparison, one of its aspects.
type Figure struct {
	Name    string // of its field
	Measure string
	Aspect  string // empty: the measure itself
}

// The aspects of a measure in a comparison.
const (
	Before     = "before"     // its earlier value
	Change     = "change"     // by which fraction of that it has changed
	Difference = "difference" // by how much, of a share in percentage points
)

// Aspects are the aspects, which follow a measure and a point in the name of a figure.
var Aspects = []string{Before, Change, Difference}

// MeasuresOf returns the measures of figures, each once.
func MeasuresOf(figures []Figure) (measures []string) {
	for _, f := range figures {
		if !slices.Contains(measures, f.Measure) {
			measures = append(measures, f.Measure)
		}
	}
	return measures
}

// IsAboutNow reports whether the measure describes the current state of tasks, independent of the time range.
func (m *Measure) IsAboutNow() bool { return m.Time == "now" }

// HasHistory reports whether tasks from before the time range decide about the measure.
func (m *Measure) HasHistory() bool { return m.History }

// Compares reports whether an earlier value of a measure can be known; nil: of a field that is not in the description.
func (d *DataSet) Compares(m *Measure) bool {
	if d.HasTimes() {
		return m != nil && !m.IsAboutNow()
	}
	return m != nil && m.Additive
}
