package query

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

// figures sets the numbers of each group: the measures, and what a comparison says of them, unless the query names aspects itself.
func (v *validation) figures() {
	v.compare = v.choice("compare", v.saved.text("compare"), "", Comparisons)
	if !v.showsMeasure() {
		v.rejectIf(v.compare != "", "compare %q: %s rows cannot be compared. Use format numeric or timeseries, or omit compare", v.compare, v.Format)
		return
	}
	v.Total = v.flag("total")
	named := v.names("measures")
	if len(named) == 0 {
		named = []string{v.saved.text("measure")}
	}
	for _, name := range named {
		figure := v.split(name)
		v.measure(figure)
		v.Figures = append(v.Figures, figure)
	}
	v.rejectIf(v.Rule && len(named) > 1, "measures %s: an alert rule is about one measure, because its instances have no names but their labels. Use one query for each measure", schema.List(named))
	if v.compare != "" && !v.isCompared() {
		v.TwoPoints = !v.hasMargin() // A series of two points has none.
		v.addAspects()
	}
	v.comparison()
}

func (v *validation) split(name string) schema.Figure {
	measure, aspect, _ := strings.Cut(name, ".")
	if v.Set.Measure(name) != nil || v.Set.Measure(measure) == nil || !slices.Contains(schema.Aspects, aspect) {
		return schema.Figure{Name: name, Measure: name}
	}
	switch {
	case aspect == schema.Margin && (v.Format == TimeSeries || v.Set.HasTimes() || !v.Set.Measure(measure).Additive):
		v.reject("measure %q: only a number (format %s) that the service adds up over whole days has a margin. Use measure %s", name, Numeric, measure)
	case v.compare == "" && aspect != schema.Margin:
		v.reject("measure %q: there is nothing to compare with. Set compare to one of %s, or use measure %s", name, schema.List(Comparisons), measure)
	case v.Format == TimeSeries:
		v.reject("measure %q: a time series with compare has a line of the earlier period. Use measure %s, or format %s", name, measure, Numeric)
	}
	return schema.Figure{Name: name, Measure: measure, Aspect: aspect}
}

// addAspects adds the earlier value and the change of each measure that can be compared, without the name of an only measure.
func (v *validation) addAspects() {
	var all []schema.Figure
	for _, n := range v.Figures {
		if all = append(all, n); n.Aspect != "" || !v.Set.Compares(v.Set.Measure(n.Measure)) {
			continue
		}
		for _, aspect := range []string{schema.Before, schema.Change} {
			name := n.Measure + "." + aspect
			if len(v.Figures) == 1 {
				name = aspect
			}
			all = append(all, schema.Figure{Name: name, Measure: n.Measure, Aspect: aspect})
		}
	}
	v.Figures = all
}

// measure rejects unknown measures, but for numbers that may be in rows that are groups of their own: they need not be combined.
func (v *validation) measure(of schema.Figure) {
	name := of.Measure
	described := v.Set.Measure(name)
	mayBeField := !v.Set.HasTimes() && name != "" && v.Set.Field(name) == nil
	if described == nil && !(mayBeField && slices.Contains(v.saved.texts("groupBy"), v.Set.Key)) {
		hint := ""
		if mayBeField {
			hint = ". Another number field of the service must be grouped by " + v.Set.Key + " (groupBy), because how to combine its values is unknown"
		}
		v.reject("unknown measure %q of data set %s: use one of %s%s", name, v.Set.Name, schema.List(schema.Names(v.Set.Measures())), hint)
	}
	if v.Format == TimeSeries && !v.Set.HasTimes() && (described == nil || !described.Additive) {
		v.reject("measure %s of data set %s is not available as a time series: the service reports it only up to now, and it is not additive, so it cannot be split by day. Use one of %s, use data set tasks, or record the value with a Grafana recording rule",
			name, v.Set.Name, schema.List(schema.Names(v.Set.Drawn())))
	}
}

// comparison rejects numbers that cannot be compared with an earlier period. Without aspects, there is none that can.
func (v *validation) comparison() {
	for _, n := range v.Figures {
		switch described := v.Set.Measure(n.Measure); {
		case v.compare == "" || v.Set.Compares(described) || n.Aspect == "" && v.isCompared():
		case described != nil && described.IsAboutNow():
			v.reject("compare %q: measure %s describes the current state of tasks, and its earlier values are not available. Use another measure, omit compare, or record the value with a Grafana recording rule", v.compare, n.Measure)
		default:
			v.reject("compare %q: measure %s of data set %s is not available for an earlier period: the service reports it only up to now, and it is not additive. Use one of %s, use data set tasks, or omit compare",
				v.compare, n.Measure, v.Set.Name, schema.List(schema.Names(v.Set.Drawn())))
		}
	}
	v.rejectIf(!v.Set.HasTimes() && v.compare == compareHour, "compare %q: the service counts whole days of data set %s, so the totals of an hour ago are not available. Use another comparison, use data set tasks, or omit compare", v.compare, v.Set.Name)
}

func (q *Plan) isCompared() bool { return slices.ContainsFunc(q.Figures, schema.Figure.IsCompared) }

func (q *Plan) hasMargin() bool {
	return slices.ContainsFunc(q.Figures, func(n schema.Figure) bool { return n.Aspect == schema.Margin })
}

func (q *Plan) isFigure(name string) bool {
	return slices.ContainsFunc(q.Figures, func(n schema.Figure) bool { return n.Name == name })
}

// measureOf returns the measure of a number, which is of no kind if it is not in the description.
func (q *Plan) measureOf(n schema.Figure) *schema.Measure {
	return cmp.Or(q.Set.Measure(n.Measure), &schema.Measure{})
}

// areAll reports whether all measures are of a kind; of no measure, none is.
func (q *Plan) areAll(is func(*schema.Measure) bool) bool {
	return len(q.Figures) > 0 && !slices.ContainsFunc(q.Figures, func(n schema.Figure) bool { return !is(q.measureOf(n)) })
}

func (q *Plan) isAny(is func(*schema.Measure) bool) bool {
	return slices.ContainsFunc(q.Figures, func(n schema.Figure) bool { return is(q.measureOf(n)) })
}

const (
	deadline     = "deadline"     // the reason that is about the deadlines of the settings
	deadlinesMet = "deadlinesMet" // the measure that is
)

func (v *validation) attention() {
	if v.Format != Attention {
		return
	}
	reasons, saved := schema.Names(schema.Attention.Reasons), v.saved.object("attention", "an object")
	for _, name := range slices.Sorted(maps.Keys(saved.properties)) {
		v.choice("reason (attention)", name, "", append(reasons, "sensitivity", "ignore", "all"))
	}
	v.Judged.Sensitivity = v.choice("sensitivity (attention)", saved.text("sensitivity"), "usual", schema.Names(schema.Attention.Sensitivities))
	v.Judged.Ignored = slices.DeleteFunc(saved.texts("ignore"), func(group string) bool { return group == "" })
	v.Judged.All = v.choice("attention.all", saved.text("all"), "false", []string{"true", "false"}) == "true"
	v.rejectIf(v.Judged.All && v.GroupBy[0] != runner, "attention.all: only runners have a row each, whether or not they need attention. Group by %s (groupBy), or omit it", runner)
	for _, reason := range reasons {
		text := strings.TrimSpace(saved.text(reason))
		if text == "" {
			v.Judged.Reasons = append(v.Judged.Reasons, reason)
		} else if n, ok := written.Number(text); !ok || n != 0 {
			v.reject("attention.%s is %.200s: must be 0, to turn this reason off. Omit it otherwise", reason, text)
		}
	}
}
