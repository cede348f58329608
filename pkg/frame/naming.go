package frame

import (
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/data"
)

// nameOf returns the name of a series: the values of its labels or, without labels, the measure.
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

// withWords appends to a name the period that it covers. The name comes first, so that a regular expression such as
// /^savings/ matches it for any time range.
func withWords(name, words string) string {
	if words == "" {
		return name
	}
	return name + " (" + words + ")"
}

// frameName returns the name of a table. It includes the period of totals, because their rows do not show it, as rows
// with times do.
func (r *Request) frameName() string {
	if r.DataSet.HasHistory() {
		return r.DataSet.Name
	}
	return withWords(r.DataSet.Name, r.Covers)
}

// valueNames holds the display names of the values of a groupBy field, which are sent to the browser in the metadata of
// a frame. The labels and values in the frame remain those of the API, because rules, links and overrides refer to them.
type valueNames struct {
	Field string            `json:"field"`
	Names map[string]string `json:"names"`
}

// nameValues adds the display names of the groups' keys if the rows have them, as those of automations do.
func (r *Request) nameValues(f *data.Frame, m *measured, groups []*group) {
	by := slices.Index(r.GroupBy, r.DataSet.Key)
	column := r.Rows.Column(r.DataSet.NameField)
	if by < 0 || column == nil || slices.Contains(r.GroupBy, r.DataSet.NameField) {
		return
	}
	names := map[string]string{}
	keys := map[int32]string{}
	for _, g := range groups {
		keys[g.number] = g.labels[by]
	}
	for n, row := range m.rows {
		if key, shown := keys[m.parts[n]]; shown && names[key] == "" {
			names[key] = strings.TrimSpace(column.Text(row))
		}
	}
	if names = unmistakable(names); len(names) > 0 {
		f.Meta.Custom = map[string]any{"valueNames": valueNames{Field: r.DataSet.Key, Names: names}}
	}
}

// unmistakable omits names that several keys share, and names that are the key of another row.
func unmistakable(names map[string]string) map[string]string {
	times := map[string]int{}
	for _, name := range names {
		times[name]++
	}
	kept := map[string]string{}
	for key, name := range names {
		_, isKey := names[name]
		if name != "" && times[name] == 1 && !isKey {
			kept[key] = name
		}
	}
	return kept
}
