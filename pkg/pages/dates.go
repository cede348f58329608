package pages

import (
	"math"
	"time"
)

// noOffset is a date-time without an offset, which means UTC. time.Parse accepts fractional seconds.
const (
	noOffset      = "2006-01-02T15:04:05"
	offsetNoColon = "2006-01-02T15:04:05Z0700"
)

// Frames hold times as nanoseconds in 64 bits; dates outside of 1678 to 2262 would overflow.
var (
	earliest = time.Unix(0, math.MinInt64)
	latest   = time.Unix(0, math.MaxInt64)
)

// parseTime parses an ISO 8601 date-time with "+00:00", "+0000", "Z" or no offset (= UTC), with or without fractional
// seconds, and returns nanoseconds since the epoch.
func parseTime(text []byte) (int64, bool) {
	if ns, ok := parseUsual(text); ok {
		return ns, true
	}
	for _, layout := range [...]string{time.RFC3339, noOffset, offsetNoColon} {
		t, err := time.Parse(layout, string(text))
		if err == nil {
			return t.UnixNano(), t.After(earliest) && t.Before(latest)
		}
	}
	return 0, false
}

// parseUsual parses the common format several times as fast as time.Parse, and leaves everything else to that.
func parseUsual(text []byte) (int64, bool) {
	if len(text) < len(noOffset) || text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return 0, false
	}
	year, month, day := digits(text[:4]), digits(text[5:7]), digits(text[8:10])
	hour, minute, second := digits(text[11:13]), digits(text[14:16]), digits(text[17:19])
	// Years that fit completely into 64 bits. Invalid digits are -1.
	if year < 1700 || year > 2200 || month < 1 || month > 12 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59 {
		return 0, false
	}
	fraction, rest := parseFraction(text[len(noOffset):])
	offset, ok := parseOffset(rest)
	t := time.Date(year, time.Month(month), day, hour, minute, second, fraction, time.UTC)
	// A day that the month does not have is normalized to another one.
	return t.UnixNano() - int64(offset), ok && t.Day() == day
}

// parseFraction parses up to 9 digits after a point, as nanoseconds. It consumes nothing else.
func parseFraction(text []byte) (ns int, rest []byte) {
	if len(text) == 0 || text[0] != '.' {
		return 0, text
	}
	end := 1
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	if end == 1 || end > 10 {
		return 0, text
	}
	ns = digits(text[1:end])
	for range 10 - end {
		ns *= 10
	}
	return ns, text[end:]
}

// parseOffset parses "Z", "+00:00", "+0000" or nothing.
func parseOffset(text []byte) (time.Duration, bool) {
	if len(text) == 0 || string(text) == "Z" {
		return 0, true
	}
	if len(text) != len("+00:00") && len(text) != len("+0000") || len(text) == len("+00:00") && text[3] != ':' {
		return 0, false
	}
	hours, minutes := digits(text[1:3]), digits(text[len(text)-2:])
	if hours < 0 || hours > 23 || minutes < 0 || minutes > 59 {
		return 0, false
	}
	offset := time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute
	switch text[0] {
	case '+':
		return offset, true
	case '-':
		return -offset, true
	default:
		return 0, false
	}
}

// digits parses a number that consists only of digits; otherwise it returns -1.
func digits(text []byte) int {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return -1
		}
		n = n*10 + int(c-'0')
	}
	return n
}
