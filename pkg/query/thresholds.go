package query

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// setThresholds sets the thresholds of the reasons to need attention. Errors are inputerror.Err.
func (q *Query) setThresholds(m *Model) (err error) {
	if q.Format != Attention {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(m.Attention)) {
		if _, err = choice("threshold (attention)", name, "", schema.Names(schema.Attention.Reasons)); err != nil {
			return err
		}
	}
	q.Thresholds = map[string]float64{}
	for _, reason := range schema.Attention.Reasons {
		if q.Thresholds[reason.Name], err = threshold(&reason, m.Attention[reason.Name]); err != nil {
			return err
		}
	}
	return nil
}

// threshold reads an optional number, or the text of one: the value of a dashboard variable is text.
func threshold(reason *schema.Reason, value any) (float64, error) {
	text, isText := value.(string)
	if value == nil || isText && strings.TrimSpace(text) == "" {
		return reason.Threshold, nil
	}
	number, ok := value.(float64)
	if isText {
		parsed, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		number, ok = parsed, err == nil
	}
	if !ok || math.IsInf(number, 0) || math.IsNaN(number) || number < 0 || number != 0 && number < reason.Least {
		// A value decoded from JSON always marshals.
		shown, _ := json.Marshal(value)
		return 0, inputerror.Errorf("attention.%s is %s: must be a number from %v up, or 0 to turn this reason off. Omit it for the default, %v",
			reason.Name, shown, reason.Least, reason.Threshold)
	}
	return number, nil
}
