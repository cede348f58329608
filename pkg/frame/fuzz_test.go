package frame_test

import (
	"math"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// A pattern keeps a text if and only if its longest match is the whole text; an expression that RE2 cannot parse is bad
// input.
func FuzzFilterPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{"a.*", "abc"}, {"a|ab", "ab"}, {"a)|(b", "ab"}, {"(?i)A", "a"}, {"", ""}, {"^a$", "a"}, {"(?m)^a$", "a\nb"}, {"a*?", "aaa"},
		{`\Qa.b`, "a.b"}, {`\`, `\`}, {"[", "["}, {`\bé`, "é"}, {"a\n", "a\n"}, {"(?U)a+", "aa"}, {"\xff", "\xff"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		keep, err := frame.NewFilter("field", "=~", of(pattern))
		if err != nil {
			require.ErrorIs(t, err, inputerror.Err)
			return
		}
		require.NoError(t, keep.Check(datasets.String))
		longest, err := regexp.Compile(pattern)
		require.NoError(t, err)
		longest.Longest()
		match := longest.FindStringIndex(text)
		whole := match != nil && match[0] == 0 && match[1] == len(text)
		c := column("field", datasets.String, text)
		require.Equal(t, whole, len(kept(t, c, "=~", of(pattern))) == 1)
		require.Equal(t, !whole, len(kept(t, c, "!~", of(pattern))) == 1)
	})
}

// For any value exactly one of <, = and > holds, and no type panics.
func FuzzFilterValue(f *testing.F) {
	for _, seed := range []string{
		"0", "-0", "1e400", "1e309", "NaN", "nan", "inf", "-Inf", "0x1p4", "9007199254740993", "9223372036854775808", "12.5", " 7 ", "",
		"2026-01-31T09:00:00Z", "2026-01-31", "9999-12-31T23:59:59Z", "0001-01-01", "253402300799000", "-9223372036854775808", "true", "\xff",
	} {
		f.Add(seed, int64(7), 2.5, true)
		f.Add(seed, int64(math.MinInt64), math.MaxFloat64, false)
	}
	f.Fuzz(func(t *testing.T, value string, whole int64, number float64, yes bool) {
		if math.IsNaN(number) || math.IsInf(number, 0) {
			t.Skip("JSON has no such number")
		}
		cells := map[datasets.Type]any{
			datasets.String: value + "x", datasets.Integer: whole, datasets.Number: number, datasets.Boolean: yes, datasets.Time: time.Unix(0, whole),
		}
		for typ, cell := range cells {
			c := column("field", typ, cell)
			holds := 0
			for _, operator := range []string{"<", "=", ">"} {
				filter, err := frame.NewFilter("field", operator, of(value))
				require.NoError(t, err)
				if err := filter.Check(typ); err != nil {
					require.ErrorIs(t, err, inputerror.Err)
					holds = 1
					break
				}
				holds += len(kept(t, c, operator, of(value)))
			}
			require.Equal(t, 1, holds, "%s %v and %q", typ, cell, value)
		}
	})
}

// For any range and interval, buckets are ascending, within the limit, cover the range and contain every row in it.
func FuzzBuckets(f *testing.F) {
	for _, seed := range [][3]int64{
		{now.UnixNano(), int64(time.Hour), int64(time.Minute)}, {0, 1, 1}, {-1, 2, int64(day)}, {now.UnixNano(), int64(90 * day), int64(day)},
		{1541300400000000000, int64(3 * day), int64(day)}, {now.UnixNano(), int64(time.Second), 1}, {-5e17, int64(20000 * day), int64(37 * time.Minute)},
		{now.UnixNano(), int64(1e18), math.MaxInt64}, {math.MinInt64, math.MaxInt64, 1}, {math.MaxInt64, 1, 1},
	} {
		f.Add(seed[0], seed[1], seed[2], uint8(0))
		f.Add(seed[0], seed[1], seed[2], uint8(1))
	}
	zones := []*time.Location{nil}
	for _, c := range changes {
		location, err := time.LoadLocation(c.zone)
		require.NoError(f, err)
		zones = append(zones, location)
	}
	f.Fuzz(func(t *testing.T, start, span, interval int64, zone uint8) {
		if span <= 0 || interval <= 0 {
			t.Skip("the query is refused before")
		}
		from := time.Unix(0, start)
		to := from.Add(time.Duration(span))
		if from.Year() < 1900 || to.Year() > 2100 || to.Before(from) {
			t.Skip("the query is refused before")
		}
		r := overTime(created(from, to, from.Add(time.Duration(span/2)), from.Add(-1), to.Add(1)), from, to, time.Duration(interval))
		r.Location = zones[int(zone)%len(zones)]
		out := mustMake(t, frame.TimeSeries, r)
		at := begins(t, out)
		require.LessOrEqual(t, len(at), mostPoints)
		require.False(t, at[0].After(from))
		require.False(t, at[len(at)-1].After(to))
		require.Equal(t, 3.0, total(only(t, out, "tasks")))
	})
}
