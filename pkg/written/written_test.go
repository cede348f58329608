package written_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/written"
)

// Numbers are read as people and JSON write them, and not in the other forms of Go. Some are whole numbers, some are none at all.
func TestNumbers(t *testing.T) {
	for text, want := range map[string]struct{ number, whole any }{
		"7": {7.0, 7}, "+7": {7.0, 7}, "-0": {0.0, 0}, "007": {7.0, 7}, "5.": {5.0, 5}, "1000.0": {1000.0, 1000}, "1e3": {1000.0, 1000}, "-2.5e1": {-25.0, -25},
		"9007199254740993": {9007199254740992.0, 9007199254740993}, "1e-400": {0.0, 0},
		"1.50": {1.5, nil}, ".5": {0.5, nil}, "-1.5E-1": {-0.15, nil}, "9007199254740993.0": {9007199254740992.0, nil}, "9223372036854775808": {9223372036854775808.0, nil}, "1e19": {1e19, nil},
		"": {}, " 7": {}, "1_0": {}, "0x5p0": {}, "0x10": {}, "Inf": {}, "-inf": {}, "infinity": {}, "NaN": {}, "1e999": {}, "1,5": {}, "e": {}, "-": {}, "1e": {}, "1.2.3": {}, "٣": {}, "null": {}, "true": {},
		"1e-400x": {},
	} {
		n, ok := written.Number(text)
		require.True(t, !ok && want.number == nil || ok && want.number == n, "%q: %v", text, n)
		whole, ok := written.Whole(text)
		require.True(t, !ok && want.whole == nil || ok && want.whole == int(whole), "%q: %d", text, whole)
	}
}

// Each form of a date that services and people were seen to write is read, and nothing else.
func TestDates(t *testing.T) {
	at := time.Date(2026, 11, 26, 3, 4, 0, 0, time.UTC)
	day := at.Truncate(24 * time.Hour)
	for text, want := range map[string]time.Time{
		"2026-11-26T03:04Z": at, "2026-11-26T03:04": at, "2026-11-26 03:04:00": at, "2026-11-26 03:04:00.000 +0000": at, "2026-11-26T05:04:00+02": at,
		"2026-11-26T03:04:00,000Z": at, "2026-11-26T03:04:00Z[UTC]": at, "2026-11-26T00:04:00-03:00[America/Sao_Paulo]": at, "2026-11-26T00:04:00-03:00[Nowhere]": at,
		"2026-11-26T00:04:00[America/Sao_Paulo]": at, "20261126T030400Z": at, "20261126030400": at, "202611260304": at, "2026-11-26t03:04:00z": at,
		"2026-11-26 3:04": at, "2026-11-26": day, "20261126": day, "1795662240": at, "1795662240000": at, "1795662240000000": at, "1795662240000000000": at, "1795662240.000000000": at,
		"1795662240.005": at.Add(5 * time.Millisecond), "1795662240005": at.Add(5 * time.Millisecond), "-864000000000": time.Unix(-864_000_000, 0),
		"946684800000": time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC), "0": time.Unix(0, 0), "0001-01-01T00:00:00": {}, "9999-12-31": time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC),
	} {
		got, ok := written.Time(text)
		require.True(t, ok, text)
		require.True(t, want.Equal(got), "%s: %s", text, got)
	}
	for _, text := range []string{
		"", "soon", "5", "12", "2026", "99999999", "20000000000", "20000000000000", "1e300", "Inf", "0x6B49D200", "1_795_662_240",
		"2026-13-01", "2026-02-30", "20260230", "2026-11-26T03", "20261126T30400", "2026-11-26T03:04:61Z", "2026-11-26T03:04:00[Nowhere]", "26/11/2026", "03:04",
	} {
		_, ok := written.Time(text)
		require.False(t, ok, text)
	}
}

// FuzzDates checks that a text is parsed as time.Parse does in one of the common formats, or in another one.
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
		at, ok := written.Time(text)
		want, isDate := columnstest.PlainTime(text).(time.Time)
		require.True(t, ok || !isDate, text)
		if isDate {
			require.True(t, want.Equal(at), text)
		}
	})
}
