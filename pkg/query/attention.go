package query

import (
	"maps"
	"slices"
	"strings"

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
	DeadlinesMet = "deadlinesMet"
)

// NeedsDeadlines reports whether a query is about the deadlines of the settings.
func (q *Query) NeedsDeadlines() bool {
	judges := q.Format == Attention && slices.Contains(q.Judged.Reasons, deadline) && q.GroupBy[0] == q.Set.AutomationField
	return judges || q.Format == Deadlines || slices.Contains(q.Measures(), DeadlinesMet)
}

// usualSensitivity is the sensitivity of a query that has none.
const usualSensitivity = "usual"

// attention sets what the format attention judges.
func (v *validation) attention() {
	if v.Format != Attention {
		return
	}
	saved := v.m.Attention
	names := append(schema.Names(schema.Attention.Reasons), sensitivity, ignore)
	for _, name := range slices.Sorted(maps.Keys(saved)) {
		if !slices.Contains(schema.Attention.Thresholds, name) {
			v.choice("reason (attention)", name, "", names)
		}
	}
	v.Judged.Sensitivity = v.choice("sensitivity (attention)", v.attentionText(sensitivity), usualSensitivity, schema.Names(schema.Attention.Sensitivities))
	v.Judged.Ignored = v.ignored(saved[ignore])
	for _, reason := range schema.Attention.Reasons {
		if !v.isOff(&reason) {
			v.Judged.Reasons = append(v.Judged.Reasons, reason.Name)
		}
	}
}

// attentionText reads an optional text.
func (v *validation) attentionText(name string) string {
	value := v.m.Attention[name]
	text, ok := value.(string)
	if value != nil && !ok {
		v.reject("attention.%s is %s: must be a text", name, shown(value))
	}
	return strings.TrimSpace(text)
}

// ignored reads an optional list of texts. An empty one is a variable without a value.
func (v *validation) ignored(value any) (groups []string) {
	list, ok := value.([]any)
	for _, each := range list {
		group, isText := each.(string)
		ok = ok && isText
		if group != "" {
			groups = append(groups, group)
		}
	}
	if value != nil && !ok {
		v.reject("attention.%s is %s: must be a list of the automations or runners to ignore", ignore, shown(value))
	}
	return groups
}

// isOff reports whether a reason is 0, or the threshold that it replaces. Other values of thresholds no longer mean
// anything. The value of a dashboard variable is text.
func (v *validation) isOff(reason *schema.Reason) bool {
	own, replaced := v.m.Attention[reason.Name], v.m.Attention[reason.Replaces]
	isThreshold := slices.Contains(schema.Attention.Thresholds, reason.Name)
	if own != nil && own != "" && !isZero(own) && !isThreshold {
		v.reject("attention.%s is %s: must be 0, to turn this reason off. Omit it otherwise", reason.Name, shown(own))
	}
	return isZero(own) || isZero(replaced)
}

func isZero(value any) bool {
	text, isText := value.(string)
	return value == 0.0 || isText && strings.TrimSpace(text) == "0"
}
