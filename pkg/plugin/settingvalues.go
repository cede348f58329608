package plugin

import (
	"strconv"
	"strings"
)

// wholeNumber reads a setting that is a whole number, also one that is written as text; standard where it is absent.
func wholeNumber(name string, value any, standard, least, most int, unit string) (int, error) {
	var n float64
	switch v := value.(type) {
	case nil:
		return standard, nil
	case float64:
		n = v
	case string:
		if strings.TrimSpace(v) == "" {
			return standard, nil
		}
		parsed, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		if err != nil {
			n = float64(least) - 1
			break
		}
		n = parsed
	default:
		n = float64(least) - 1
	}
	if n != float64(int(n)) || int(n) < least || int(n) > most {
		return 0, settingsErrorf("%s is %v: expected is a whole number from %d to %d (%s)", name, value, least, most, unit)
	}
	return int(n), nil
}

// trueOrFalse reads a setting that is on or off, also one that is written as text; standard where it is absent.
func trueOrFalse(name string, value any, standard bool) (bool, error) {
	switch v := value.(type) {
	case nil:
		return standard, nil
	case bool:
		return v, nil
	case string:
		switch strings.TrimSpace(v) {
		case "":
			return standard, nil
		case "true":
			return true, nil
		case "false":
			return false, nil
		}
	}
	return false, settingsErrorf("%s is %v: expected is true or false", name, value)
}
