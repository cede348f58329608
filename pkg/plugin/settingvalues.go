package plugin

import (
	"strconv"
	"strings"

	"github.com/insights/insights-reporting-datasource/settings"
)

// wholeNumber reads an integer setting, which may be written as text.
func (c *checks) wholeNumber(name string, value any) int {
	s := settings.Get(name)
	if isAbsent(value) {
		return s.Number()
	}
	n, isNumber := asNumber(value)
	if !isNumber || n != float64(int(n)) || int(n) < s.Min || int(n) > s.Max {
		c.problem(settingsErrorf("%s is %v: must be a whole number from %d to %d (%s)", s.Title(), value, s.Min, s.Max, s.Unit))
	}
	return int(n)
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

func asNumber(value any) (n float64, ok bool) {
	switch v := value.(type) {
	case float64:
		return v, true
	case string:
		n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return n, err == nil
	}
	return 0, false
}
