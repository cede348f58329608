package pages

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

// FuzzDates checks that a text is parsed like time.Parse does in one of the four supported formats, or not at all.
func FuzzDates(f *testing.F) {
	for _, seed := range []string{
		"2026-11-20T10:05:00.000+00:00", "2026-11-20T10:05:00.123456789-0330", "2026-11-20T10:05:00Z", "2026-11-20T10:05:00.1", "2026-02-30T10:05:00Z",
		"2026-11-20 10:05:07Z", "2026-11-20T10:05:07.Z", "2026-11-20T10:05:07+24:00", "2026-11-20T10:05:07+00", "2026-11-20T10:05:60Z", "2100-02-29T10:05:07Z",
		"1677-09-21T00:12:43.145224192Z", "2262-04-11T23:47:16.854775807Z", "9999-12-31T23:59:59Z", "2026-11-20T24:00:00Z", "2026-11-20T9:05:00,5Z", "", "soon",
	} {
		f.Add(seed)
	}
	// Each position of a common date with each kind of character that may be in a date, and without it.
	const usual = "2026-11-20T10:05:07.123+00:00"
	for i := range usual {
		for _, c := range []string{"", "0", "9", "-", ":", ".", "T", "Z", " ", "\x00", "é", "٣"} {
			f.Add(usual[:i] + c + usual[i+1:])
			f.Add(usual[:i] + c + usual[i:])
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, ok := parseTime([]byte(text))
		want, isDate := columnstest.PlainTime(text).(time.Time)
		require.Equal(t, isDate, ok, text)
		if ok {
			require.Equal(t, want.UnixNano(), at, text)
		}
	})
}
