package plugin

import (
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/settings"
)

// oneOf reads a setting that has a list of values.
func (c *checks) oneOf(name, value string) string {
	s := settings.Get(name)
	if isAbsent(value) {
		return s.Text()
	}
	value = strings.TrimSpace(value)
	if !slices.Contains(s.Values, value) {
		c.problem(settingsErrorf("%s %q is unknown: use one of %s", s.Title(), value, strings.Join(s.Values, ", ")))
	}
	return value
}

// wholeNumber reads an integer setting, which may be written as text.
func (c *checks) wholeNumber(name string, value any) int {
	s := settings.Get(name)
	if isAbsent(value) {
		return s.Number()
	}
	n, ok := wholeNumber(parseText(value), s.Min, s.Max)
	if !ok {
		c.problem(settingsErrorf("%s is %v: must be a whole number from %d to %d (%s)", s.Title(), value, s.Min, s.Max, s.Unit))
	}
	return n
}

// trueOrFalse reads a boolean setting, which may be written as text.
func (c *checks) trueOrFalse(name string, value any) bool {
	s := settings.Get(name)
	if isAbsent(value) {
		return s.On()
	}
	if text, isText := value.(string); isText {
		switch strings.TrimSpace(text) {
		case "true":
			return true
		case "false":
			return false
		}
	}
	on, isBool := value.(bool)
	if !isBool {
		c.problem(settingsErrorf("%s is %v: must be true or false", s.Title(), value))
	}
	return on
}

// isAbsent reports whether a setting is not set. An environment variable that does not exist expands to empty text.
func isAbsent(value any) bool {
	text, isText := value.(string)
	return value == nil || isText && strings.TrimSpace(text) == ""
}
