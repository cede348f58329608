package pages

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Frames hold times as nanoseconds in 64 bits; dates outside of 1678 to 2262 would overflow.
var (
	earliest = time.Unix(0, math.MinInt64)
	latest   = time.Unix(0, math.MaxInt64)
)

// putTime reads a date as text, an epoch, an array such as [2026,11,26,3,4], or an object as MongoDB exports it. The zero date of
// .NET and Go is null.
func putTime(d *decoder, f *field, kind jsontext.Kind, raw jsontext.Value) (hasValue bool, reason string) {
	var t time.Time
	var isDate bool
	switch kind {
	case '"':
		text := bytes.TrimSpace(d.unquote(raw))
		if len(text) == 0 {
			return false, ""
		}
		t, isDate = parseTime(text)
	case '0':
		t, isDate = parseEpoch(string(raw))
	case '[':
		t, isDate = parseParts(raw)
	case '{':
		if inner := bytes.TrimSpace(raw[1 : len(raw)-1]); bytes.HasPrefix(inner, []byte(`"$date":`)) {
			value := jsontext.Value(bytes.TrimSpace(inner[len(`"$date":`):]))
			return putTime(d, f, value.Kind(), value)
		}
		return false, misfit(kind, "a date")
	default:
		return false, misfit(kind, "a date")
	}
	switch {
	case isDate && t.UTC().Year() <= 1:
		return false, ""
	case !isDate || !t.After(earliest) || !t.Before(latest):
		return false, "is not a readable date"
	}
	f.column.Times = append(f.column.Times, t.UnixNano())
	return true, ""
}

// parseTime parses an ISO 8601 date in any of its forms, or an epoch. Without an offset, it is in UTC.
func parseTime(text []byte) (time.Time, bool) {
	if t, err := time.Parse(time.RFC3339, string(text)); err == nil { // Several times as fast as any other form.
		return t, true
	}
	parts := dateForm.FindSubmatch(text)
	if parts == nil {
		return parseEpoch(string(text))
	}
	part := func(name, absent string) string {
		if found := string(parts[dateForm.SubexpIndex(name)]); found != "" {
			return found
		}
		return absent
	}
	place, offset := time.UTC, strings.ReplaceAll(part("offset", "Z"), ":", "")
	if region := part("region", ""); region != "" && part("offset", "") == "" {
		var err error
		if place, err = time.LoadLocation(region); err != nil {
			return time.Time{}, false
		}
	}
	canonical := fmt.Sprintf("%s-%s-%sT%s:%s:%s.%s", parts[1], parts[2], parts[3], part("hour", "00"), part("minute", "00"), part("second", "00"), part("fraction", "0"))
	if len(offset) < len("+00") {
		t, err := time.ParseInLocation("2006-01-02T15:04:05", canonical, place)
		return t, err == nil
	}
	t, err := time.Parse("2006-01-02T15:04:05-0700", canonical+(offset + "00")[:len("+0000")])
	return t, err == nil
}

// dateForm matches dates with and without separators, time, seconds, offset, and the region that Java writes behind it.
var dateForm = regexp.MustCompile(`^(\d{4})-?(\d\d)-?(\d\d)` +
	`(?:[Tt ]?(?P<hour>\d\d):?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,](?P<fraction>\d+))?)?)?` +
	` ?(?P<offset>[Zz]|[+-]\d\d(?::?\d\d)?)?(?:\[(?P<region>[^]]+)\])?$`)

// parseEpoch parses a number of seconds since 1970, perhaps with decimals, or of a smaller unit: in seconds, it would be from
// after the year 5000. Small numbers are no dates.
func parseEpoch(text string) (time.Time, bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		unit := int64(1)
		for unit < int64(time.Second) && math.Abs(float64(n))/float64(unit) >= 1e11 {
			unit *= 1000
		}
		return time.Unix(n/unit, n%unit*(int64(time.Second)/unit)), n == 0 || math.Abs(float64(n))/float64(unit) >= 1e8
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.Abs(n) < 1e8 || math.Abs(n) >= 1e11 {
		return time.Time{}, false
	}
	return time.UnixMicro(int64(math.Round(n * 1e6))), true
}

// parseParts parses an array of year, month, day and, perhaps, hour, minute, second, and nanosecond, as Java writes it.
func parseParts(raw jsontext.Value) (time.Time, bool) {
	texts := strings.Split(string(raw[1:len(raw)-1]), ",")
	parts := [7]int{}
	if len(texts) < 3 || len(texts) > len(parts) {
		return time.Time{}, false
	}
	for i, text := range texts {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil {
			return time.Time{}, false
		}
		parts[i] = n
	}
	t := time.Date(parts[0], time.Month(parts[1]), parts[2], parts[3], parts[4], parts[5], parts[6], time.UTC)
	h, m, s := t.Clock()
	isDate := t.Year() == parts[0] && int(t.Month()) == parts[1] && t.Day() == parts[2] && h == parts[3] && m == parts[4] && s == parts[5]
	return t, isDate
}
