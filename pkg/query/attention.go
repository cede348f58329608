package query

import (
	"maps"
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/written"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Judged is what the format attention judges.
type Judged struct {
	Reasons     []string // that are on, by their names
	Sensitivity string   // fewer, usual, or more
	Ignored     []string // groups that are never shown
}

// The properties of attention besides the reasons.
const (
	sensitivity = "sensitivity"
	ignore      = "ignore"
)

// What is about the deadlines of the settings: a reason, and a measure.
const (
	deadline     = "deadline"
	deadlinesMet = "deadlinesMet"
)

// needsDeadlines reports whether a query is about the deadlines of the settings.
func (q *Plan) needsDeadlines() bool {
	judges := q.Format == Attention && slices.Contains(q.Judged.Reasons, deadline) && q.GroupBy[0] == q.Set.AutomationField
	return judges || q.Format == Deadlines || slices.Contains(schema.MeasuresOf(q.Figures), deadlinesMet)
}

// attention sets what the format attention judges.
func (v *validation) attention() {
	if v.Format != Attention {
		return
	}
	saved := v.saved.object("attention", "an object")
	names := append(schema.Names(schema.Attention.Reasons), sensitivity, ignore)
	for _, name := range slices.Sorted(maps.Keys(saved.properties)) {
		v.choice("reason (attention)", name, "", names)
	}
	v.Judged.Sensitivity = v.choice("sensitivity (attention)", saved.text(sensitivity), "usual", schema.Names(schema.Attention.Sensitivities))
	v.Judged.Ignored = slices.DeleteFunc(saved.texts(ignore), func(group string) bool { return group == "" })
	for _, reason := range schema.Names(schema.Attention.Reasons) {
		text := strings.TrimSpace(saved.text(reason))
		if text == "" {
			v.Judged.Reasons = append(v.Judged.Reasons, reason)
		} else if n, ok := written.Number(text); !ok || n != 0 {
			v.reject("attention.%s is %.200s: must be 0, to turn this reason off. Omit it otherwise", reason, text)
		}
	}
}
