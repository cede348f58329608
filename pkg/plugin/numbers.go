package plugin

import (
	"math"
	"strconv"
	"strings"
)

// wholeNumber returns a number decoded from JSON as an int; ok is false unless it is a whole number from least to most.
func wholeNumber(value any, least, most int) (n int, ok bool) {
	f, isNumber := value.(float64)
	if !isNumber || f != math.Trunc(f) || f < float64(least) || f > float64(most) {
		return 0, false
	}
	return int(f), true
}

// parseText converts a number written as text. It returns any other value unchanged.
func parseText(value any) any {
	text, isText := value.(string)
	if !isText {
		return value
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil {
		return value
	}
	return n
}
