package frame

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"golang.org/x/text/currency"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/rates"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Display is how names and numbers are displayed.
type Display struct {
	Language    schema.Language   // of display names, and of Covers; empty: English
	Automations map[string]string // names by their labels, as far as they are known beyond the rows
	Scale       rates.Scale
	Currency    string            // ISO 4217 code of monetary amounts; empty: unknown
	Links       map[string]string // addresses of pages of the orchestrator, by their settings
}

// newFrame returns a frame of a type of Grafana's data plane, version 0.1, without fields.
func newFrame(name string, kind data.FrameType, shownAs data.VisType) *data.Frame {
	frame := data.NewFrame(name)
	frame.Meta = &data.FrameMeta{Type: kind, TypeVersion: data.FrameTypeVersion{0, 1}, PreferredVisualization: shownAs}
	return frame
}

func newField[E, T any](name string, config *data.FieldConfig, of []E, value func(E) T) *data.Field {
	values := make([]T, len(of))
	for i := range of {
		values[i] = value(of[i])
	}
	field := data.NewField(name, nil, values)
	field.Config = config
	return field
}

func someOf(values []string) string {
	const most = 5
	var quoted []string
	for _, value := range values[:min(most, len(values))] {
		quoted = append(quoted, fmt.Sprintf("%.200q", value))
	}
	if len(values) <= most {
		return strings.Join(quoted, ", ")
	}
	return fmt.Sprintf("%s, and %d others", strings.Join(quoted, ", "), len(values)-most)
}

func distinct(values []string) []string { return slices.Compact(slices.Sorted(slices.Values(values))) }

func noticeIf(is bool, severity data.NoticeSeverity, format string, args ...any) []data.Notice {
	if !is {
		return nil
	}
	return []data.Notice{{Severity: severity, Text: fmt.Sprintf(format, args...)}}
}

// fieldConfig returns names, unit, decimals, colors and link of a field; nil for a field that is not in the description.
func (r *Selection) fieldConfig(f *schema.Field) *data.FieldConfig {
	if f == nil {
		return nil
	}
	config := &data.FieldConfig{DisplayNameFromDS: f.Called(r.Language), Description: f.Description, Unit: r.unit(f.Unit, f.Rate, f.Money), Decimals: f.Decimals, Links: r.links(f.Name, linkedValue)}
	bound(config)
	values := slices.Sorted(maps.Keys(f.Colors))
	if f.Name == weekday {
		values = schema.English.Words().Weekdays
	}
	if len(values) > 0 {
		config.Mappings = data.ValueMappings{mapping(f.Colors, values, func(value string) string { return r.valueName(f.Name, value, nil) })}
	}
	return config
}

// bound sets the bounds of a share: a bar without any ends at the largest value, and begins at the least one.
func bound(config *data.FieldConfig) {
	if most, isShare := map[string]data.ConfFloat64{"percentunit": 1, "percent": 100}[config.Unit]; isShare {
		config.Min, config.Max = new(data.ConfFloat64(0)), &most
	}
}

func mapping(colors map[string]string, values []string, nameOf func(string) string) data.ValueMapper {
	mapper := data.ValueMapper{}
	for i, value := range values {
		result := data.ValueMappingResult{Color: colors[value], Index: i}
		if name := nameOf(value); name != value {
			result.Text = name
		}
		mapper[value] = result
	}
	return mapper
}

// unit returns a unit. The description leaves open the unit of rates and amounts of money.
func (r *Selection) unit(unit string, rate, money bool) string {
	switch {
	case rate && r.Scale == rates.Fraction:
		return "percentunit"
	case rate && r.Scale == rates.Percent:
		return "percent"
	case unit == "s":
		return "dtdhms" // 1 d 01:12:04, the only notation of Grafana without English words, such as "hours"
	case !money || r.Currency == "":
		return unit
	default:
		// With the symbol that no other currency has, such as US$, or the code and a space. Other units abbreviate: R$10.62K, also in a CSV.
		iso, _ := currency.ParseISO(r.Currency) // The settings have checked it.
		return "currency:financial:" + strings.Replace(fmt.Sprint(currency.Symbol(iso)), r.Currency, r.Currency+" ", 1)
	}
}

// linkedValue is the value of a cell in a link of its field. Grafana fills it in, and encodes it as part of a path or a
// query string. Without this format it would leave characters such as / and & as they are.
const linkedValue = "${__value.raw:percentencode}"

func (r *Selection) links(name, value string) []data.DataLink {
	f := r.DataSet.Field(name)
	if f == nil || r.Links[f.Link] == "" {
		return nil
	}
	address := strings.ReplaceAll(r.Links[f.Link], schema.GetSetting(f.Link).Variable, value)
	return []data.DataLink{{Title: r.Language.Words().Open[f.Link], TargetBlank: true, URL: address}}
}

func (r *Grouping) groupLinks(g *group) (links []data.DataLink) {
	for i, label := range g.labels {
		if label != "" {
			links = append(links, r.links(r.GroupBy[i], strings.ReplaceAll(url.QueryEscape(label), "+", "%20"))...)
		}
	}
	return links
}

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

// automationNames returns the display names of automations by their labels, where no other automation has the name, and
// which are no other label; nil if none of the shown fields is an automation.
func (r *Selection) automationNames(shown []string) map[string]string {
	if !NamesAutomations(r.DataSet, shown, r.Language) {
		return nil
	}
	names, labels := map[string]string{}, r.Rows.Column(r.DataSet.AutomationField)
	for row := range r.Rows.Rows {
		names[labels.Text(row)] = "" // A deleted automation has no name.
	}
	maps.Copy(names, r.Automations)
	if r.DataSet.NameField != "" {
		maps.Copy(names, AutomationNames(r.Rows))
	}
	times := map[string]int{}
	for label, name := range names {
		times[label]++
		times[name]++
	}
	maps.DeleteFunc(names, func(_, name string) bool { return times[name] > 1 })
	return names
}

func (r *Grouping) groupName(g *group, automations map[string]string) string {
	names := make([]string, len(g.labels))
	for i, label := range g.labels {
		names[i] = r.valueName(r.GroupBy[i], label, automations)
	}
	return strings.Join(names, ", ")
}

func (r *Selection) valueName(field, text string, automations map[string]string) string {
	if name := automations[text]; name != "" && field == r.DataSet.AutomationField {
		return name
	}
	if text == "" {
		return r.Language.Words().None
	}
	if i := slices.Index(schema.English.Words().Weekdays, text); field == weekday && i >= 0 {
		return r.Language.Words().Weekdays[i]
	}
	return text
}

// withWords appends the period that a name covers, at its end: an expression such as /^savings/ matches it for any time range.
func withWords(name, words string) string {
	if words == "" {
		return name
	}
	return name + " (" + words + ")"
}
