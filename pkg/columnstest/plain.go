package columnstest

import (
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/insights/insights-reporting-datasource/schema"
)

// PlainCell returns the expected cell for a value decoded by encoding/json, with numbers as written.
func PlainCell(field *schema.Field, v any) any {
	switch v := v.(type) {
	case string:
		if field.Type == schema.String && v != "" {
			return v
		}
		if at := PlainTime(v); field.Type == schema.Time && at != any(time.Unix(0, 0).UTC()) {
			return at
		}
	case json.Number:
		if field.Type == schema.String && field.AcceptsNumber {
			return v.String()
		}
		if n, err := strconv.ParseInt(v.String(), 10, 64); field.Type == schema.Integer && err == nil {
			return n
		}
		n, err := v.Float64()
		switch {
		case err != nil:
		case field.Type == schema.Number:
			return n
		case field.Type == schema.Integer && n == math.Trunc(n) && math.Abs(n) < 1<<53:
			return int64(n) // 17.0
		}
	}
	return nil
}

// PlainTime parses a date in one of the formats that services use. It returns nil if there is none, or if it exceeds 64
// bits of nanoseconds.
func PlainTime(text string) any {
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05-0700", "2006-01-02T15:04:05"} {
		at, err := time.Parse(layout, text)
		if err == nil && at.After(time.Unix(0, math.MinInt64)) && at.Before(time.Unix(0, math.MaxInt64)) {
			return at.UTC()
		}
	}
	return nil
}
