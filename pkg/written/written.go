// Package written reads numbers and dates as people and services write them: saved queries, filters, and rows accept the same forms.
package written

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Number parses a sign, digits, a fraction, and an exponent. Go also reads 1_0, 0x1p3, Inf, and NaN.
func Number(text string) (n float64, ok bool) {
	if strings.Trim(text, "+-.0123456789eE") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	return n, err == nil
}

// IsNoNumber reports whether a text is what Java and other languages write if there is no number, such as for a rate of nothing.
func IsNoNumber(text string) bool {
	return text == "" || text == "NaN" || text == "Infinity" || text == "-Infinity"
}

// Whole parses a whole number: any of 64 bits if it consists of digits, or else, such as 17.0, one that a float64 holds exactly.
func Whole(text string) (n int64, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, true
	}
	f, ok := Number(text)
	return int64(f), ok && f == math.Trunc(f) && math.Abs(f) < 1<<53
}

// dateForm matches dates with and without separators, time, seconds, offset, and the region that Java writes behind it.
var dateForm = regexp.MustCompile(`^(\d{4})-?(\d\d)-?(\d\d)(?:[Tt ]?(\d\d|\d\b):?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?` +
	` ?([Zz]|[+-]\d\d(?::?\d\d)?)?(?:\[([^]]+)\])?$`)

// Time parses an ISO 8601 date in any of its forms, in UTC if it has no offset, or an epoch.
func Time(text string) (t time.Time, ok bool) {
	t, err := time.Parse(time.RFC3339, text)
	if err == nil { // Several times as fast as any other form.
		return t, true
	}
	parts := dateForm.FindStringSubmatch(strings.Clone(text)) // The text itself is not kept, so callers need not allocate it.
	if parts == nil {
		return epoch(text)
	}
	layout, zone, offset := "2006-01-02T15:04:05", time.UTC, strings.ReplaceAll(parts[8], ":", "")
	canonical := fmt.Sprintf("%s-%s-%sT%s:%s:%s.%s", parts[1], parts[2], parts[3],
		cmp.Or(parts[4], "00"), cmp.Or(parts[5], "00"), cmp.Or(parts[6], "00"), cmp.Or(parts[7], "0"))
	switch {
	case offset == "":
		if zone, err = region(parts[9]); err != nil {
			return t, false
		}
	case len(offset) > len("Z"):
		layout, canonical = layout+"-0700", canonical+(offset + "00")[:len("+0000")]
	}
	if t, err = time.ParseInLocation(layout, canonical, zone); err != nil {
		return epoch(text) // Twelve or fourteen digits need not be a date.
	}
	return t, true
}

var regions sync.Map

func region(name string) (*time.Location, error) {
	if known, ok := regions.Load(name); ok {
		return known.(*time.Location), nil
	}
	zone, err := time.LoadLocation(name)
	if err == nil {
		regions.Store(name, zone)
	}
	return zone, err
}

// epoch parses a number of seconds since 1970, perhaps with decimals, or of milli-, micro-, or nanoseconds, which it rounds to
// microseconds. In each unit, only dates from 1973 to 2286 and 1970 itself tell from those in another one, and from other numbers.
func epoch(text string) (time.Time, bool) {
	n, ok := Number(text)
	for unit := 0; unit < 3 && math.Abs(n) >= 1e11; unit++ {
		n /= 1000
	}
	return time.UnixMicro(int64(math.Round(n * 1e6))), ok && (n == 0 || math.Abs(n) >= 1e8 && math.Abs(n) < 1e10)
}
