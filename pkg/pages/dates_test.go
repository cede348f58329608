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
		require.True(t, ok || !isDate, text)
		if isDate {
			require.True(t, want.Equal(at), text)
		}
	})
}

// Each form in which a date of a service was seen is read, and nothing else.
func TestDates(t *testing.T) {
	at := time.Date(2026, 11, 26, 3, 4, 0, 0, time.UTC)
	for value, want := range map[string]time.Time{
		`"2026-11-26T03:04Z"`: at, `"2026-11-26T03:04"`: at, `"2026-11-26 03:04:00"`: at, `"2026-11-26 03:04:00.000 +0000"`: at, `"2026-11-26T05:04:00+02"`: at,
		`"2026-11-26T03:04:00,000Z"`: at, `"2026-11-26T03:04:00Z[UTC]"`: at, `"2026-11-26T00:04:00-03:00[America/Sao_Paulo]"`: at,
		`"2026-11-26T00:04:00[America/Sao_Paulo]"`: at, `"20261126T030400Z"`: at, `"20261126030400"`: at, `"2026-11-26t03:04:00z"`: at, `" 2026-11-26T03:04:00 "`: at,
		`"2026-11-26"`: at.Truncate(24 * time.Hour), `"20261126"`: at.Truncate(24 * time.Hour), `[2026,11,26,3,4]`: at, `[2026, 11, 26, 3, 4, 0, 5000000]`: at.Add(5 * time.Millisecond),
		`1795662240`: at, `1795662240000`: at, `1795662240000000`: at, `"1795662240000"`: at, `1795662240.000000000`: at, `{"$date":"2026-11-26T03:04:00Z"}`: at,
		`{"$date":1795662240000}`: at, `0`: time.Unix(0, 0), `-864000000000`: time.Unix(-864_000_000, 0),
		`""`: {}, `"0001-01-01T00:00:00Z"`: {}, `"0001-01-01T00:00:00"`: {},
	} {
		p, err := decode(tasks, []byte(`[{"dateCreation":`+value+`}]`))
		require.NoError(t, err)
		require.Empty(t, notices(p), value)
		c := p.Table.Column("dateCreation")
		require.Equal(t, !want.IsZero(), c.Valid[0], value)
		require.True(t, want.IsZero() || want.Equal(c.Time(0)), "%s: %s", value, c.Time(0))
	}
	for _, value := range []string{
		`"soon"`, `12`, `"12"`, `99999999`, `1e300`, `true`, `[]`, `[2026,11]`, `[2026,13,1]`, `[2026,2,30]`, `[2026,1,1,25]`, `["2026",1,1]`, `{}`, `{"$date":{}}`, `{"date":5}`,
		`"2026-13-01"`, `"2026-02-30"`, `"2026-11-26T03"`, `"2026-11-26T03:04:61Z"`, `"2026-11-26T03:04:00[Nowhere]"`, `"9999-12-31T23:59:59Z"`, `"26/11/2026"`, `"03:04"`,
	} {
		p, err := decode(tasks, []byte(`[{"dateCreation":`+value+`}]`))
		require.NoError(t, err)
		require.Len(t, notices(p), 1, value)
	}
}
