package frame

import (
	"maps"
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// NamesAutomations reports whether series that are grouped by some fields show the names of automations.
func NamesAutomations(set *schema.DataSet, groupBy []string, l schema.Language) bool {
	return l != schema.API && slices.Contains(groupBy, set.AutomationField) && !slices.Contains(groupBy, set.NameField)
}

// AutomationNames returns the names of automations by their labels; nil if rows have none.
func AutomationNames(rows *columns.Table) map[string]string {
	set := schema.All().Get("automations")
	labels, called := rows.Column(set.Key), rows.Column(set.NameField)
	if labels == nil || called == nil {
		return nil
	}
	names := map[string]string{}
	for row := range rows.Rows {
		if label := labels.Text(row); label != "" && names[label] == "" {
			names[label] = strings.TrimSpace(called.Text(row))
		}
	}
	return names
}

// automationNames returns the display names of automations by their labels, where no other automation has the name; nil
// if none of the shown fields is an automation.
func (r *Selection) automationNames(shown []string) map[string]string {
	if !NamesAutomations(r.DataSet, shown, r.Language) {
		return nil
	}
	names := map[string]string{}
	maps.Copy(names, r.Automations)
	if r.DataSet.NameField != "" {
		maps.Copy(names, AutomationNames(r.Rows))
	}
	return uniqueNames(names)
}

// uniqueNames returns the names that only one label has, and that are no other label.
func uniqueNames(names map[string]string) map[string]string {
	times := map[string]int{}
	for _, name := range names {
		times[name]++
	}
	unique := map[string]string{}
	for label, name := range names {
		if _, isLabel := names[name]; name != "" && times[name] == 1 && !isLabel {
			unique[label] = name
		}
	}
	return unique
}

// nameOf returns the display name of a series: the values of its labels or, without labels, the measure.
func (r *Grouping) nameOf(m *measured, g *group) string {
	if len(g.labels) == 0 {
		return m.measure.described.Called(r.Language)
	}
	return r.groupName(g, m.automations)
}

// groupName returns the display names of the labels of a group.
func (r *Grouping) groupName(g *group, automations map[string]string) string {
	names := make([]string, len(g.labels))
	for i, label := range g.labels {
		names[i] = r.valueName(r.GroupBy[i], label, automations)
	}
	return strings.Join(names, ", ")
}

// valueName returns the display name of a value of a field.
func (r *Selection) valueName(field, text string, automations map[string]string) string {
	if name := automations[text]; name != "" && field == r.DataSet.AutomationField {
		return name
	}
	if text == "" {
		return r.Language.Words().None
	}
	if i := slices.Index(schema.English.Words().Weekdays, text); field == "weekday" && i >= 0 {
		return r.Language.Words().Weekdays[i]
	}
	return text
}

// nameWithPeriod is nameOf with the period that a number without labels covers. Groups have no period in their names: it
// changes with the range, and overrides refer to the names. API names have none either: the Fields option of a Stat
// contains the whole name.
func (r *Grouping) nameWithPeriod(m *measured, g *group) string {
	if len(r.GroupBy) > 0 || r.Language == schema.API {
		return r.nameOf(m, g)
	}
	return withWords(r.nameOf(m, g), r.Covers)
}

// withWords appends to a name the period that it covers. The name comes first, so that a regular expression such as
// /^savings/ matches it for any time range.
func withWords(name, words string) string {
	if words == "" {
		return name
	}
	return name + " (" + words + ")"
}

// frameName returns the name of a frame with the period that it covers. The rows of a table of tasks show their times.
func (r *Selection) frameName(isTable bool) string {
	if isTable && r.DataSet.HasTimes() {
		return r.DataSet.Name
	}
	return withWords(r.DataSet.Name, r.Covers)
}
