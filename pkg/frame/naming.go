package frame

import "strings"

// nameOf is what a series is called: after the values of its labels or, where it has none, after the measure.
func (r *Request) nameOf(g *group) string {
	if len(g.labels) == 0 {
		return r.Measure
	}
	names := make([]string, len(g.labels))
	for i, label := range g.labels {
		names[i] = label
		if label == "" {
			names[i] = "(none)"
		}
	}
	return strings.Join(names, ", ")
}

// withWords adds to a name what it covers. The name comes first, so that an expression such as /^savings/ finds it over any
// time range.
func withWords(name, words string) string {
	if words == "" {
		return name
	}
	return name + " (" + words + ")"
}

// frameName is what a table is called. Rows that have times show themselves what they cover, and sums do not.
func (r *Request) frameName() string {
	if r.DataSet.HasHistory() {
		return r.DataSet.Name
	}
	return withWords(r.DataSet.Name, r.Covers)
}
