package pages

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

var minuteFive = time.Date(2026, 11, 20, 10, 5, 0, 0, time.UTC)

// A date is parsed correctly or not at all: a wrong time would be worse than none.
func TestDates(t *testing.T) {
	for text, want := range map[string]time.Time{
		"2026-11-20T10:05:00.000+00:00":       minuteFive,
		"2026-11-20T10:05:00.000+0000":        minuteFive,
		"2026-11-20T10:05:00.000Z":            minuteFive,
		"2026-11-20T10:05:00.000":             minuteFive,
		"2026-11-20T10:05:00+00:00":           minuteFive,
		"2026-11-20T10:05:00+0000":            minuteFive,
		"2026-11-20T10:05:00Z":                minuteFive,
		"2026-11-20T10:05:00":                 minuteFive,
		"2026-11-20T07:05:00.000-03:00":       minuteFive,
		"2026-11-20T07:05:00.000-0300":        minuteFive,
		"2026-11-20T07:05:00-0300":            minuteFive,
		"2026-11-20T15:35:00+05:30":           minuteFive,
		"2026-11-21T00:05:00+14:00":           minuteFive,
		"2026-11-20T10:05:00.1Z":              minuteFive.Add(100 * time.Millisecond),
		"2026-11-20T10:05:00.123":             minuteFive.Add(123 * time.Millisecond),
		"2026-11-20T10:05:00.123456789+00:00": minuteFive.Add(123456789),
		"2024-02-29T23:59:59Z":                time.Date(2024, 2, 29, 23, 59, 59, 0, time.UTC),
		"1969-12-31T23:59:59.999Z":            time.Unix(0, -1e6).UTC(),
	} {
		p, err := decode(tasks, fmt.Appendf(nil, `[{"dateCreation":%q}]`, text))
		require.NoError(t, err, text)
		assert.Equal(t, want, columnstest.Value(p.Table.Column("dateCreation"), 0), text)
		assert.Empty(t, notices(p), text)
	}
	for _, text := range []string{
		"", "null", "soon", "2026-11-20", "20/11/2026 10:05", "1763633100000", "Fri Nov 20 10:05:00 UTC 2026",
		"2026-13-20T10:05:00Z", "2026-02-30T10:05:00Z", "2025-02-29T10:05:00Z", "2026-00-20T10:05:00Z",
		"2026-11-20T25:05:00Z", "2026-11-20T10:65:00Z", "2026-11-20T10:05:99Z", "2026-11-20T10:05:00+99:99",
		"2026-11-20T10:05:00 +00:00", "2026-11-20T10:05:00Zulu", "T10:05:00Z", "2026-11-20T", "26-11-20T10:05:00Z",
		// Out of range for nanoseconds in 64 bits.
		"0001-01-01T00:00:00Z", "1600-01-01T00:00:00", "9999-12-31T23:59:59.999+0000",
	} {
		p, err := decode(tasks, fmt.Appendf(nil, `[{"dateCreation":%q}]`, text))
		require.NoError(t, err, text)
		assert.Nil(t, columnstest.Value(p.Table.Column("dateCreation"), 0), text)
		require.Len(t, notices(p), 1, text)
		assert.Contains(t, notices(p)[0], "dateCreation", text)
		assert.Contains(t, notices(p)[0], text)
	}
}

// Common formats are parsed like time.Parse does in the layout of each.
func TestUsualDates(t *testing.T) {
	for _, day := range []string{"2026-11-20", "2024-02-29", "2000-02-29", "1969-12-31", "1970-01-01", "1700-01-01", "2200-12-31"} {
		for _, clock := range []string{"00:00:00", "23:59:59", "10:05:07"} {
			for _, fraction := range []string{"", ".1", ".12", ".123", ".000", ".000001", ".123456789", ".999999999"} {
				for _, offset := range []string{"", "Z", "+00:00", "+0000", "-00:00", "-03:00", "-0330", "+05:30", "+1400", "-23:59", "+23:59"} {
					text := day + "T" + clock + fraction + offset
					ns, ok := parseTime([]byte(text))
					require.True(t, ok, text)
					require.Equal(t, columnstest.PlainTime(text), time.Unix(0, ns).UTC(), text)
				}
			}
		}
	}
}

// Anything else is a date only if it is one for time.Parse.
func TestOddDates(t *testing.T) {
	const usual = "2026-11-20T10:05:07.123+00:00"
	odd := []string{
		"", "T", "2026-11-20", "2026-11-20 10:05:07Z", "2026-11-20t10:05:07Z", "2026-11-20T10:05:07z", "2026/11/20T10:05:07Z", "2026-11-20T10.05.07Z",
		"2026-02-29T10:05:07Z", "2100-02-29T10:05:07Z", "2026-04-31T10:05:07Z", "2026-11-00T10:05:07Z", "2026-11-32T10:05:07Z", "2026-00-20T10:05:07Z", "2026-13-20T10:05:07Z",
		"2026-11-20T24:00:00Z", "2026-11-20T10:60:07Z", "2026-11-20T10:05:60Z", "2026-11-20T9:05:07Z", "2026-1-20T10:05:07Z", "02026-11-20T10:05:07Z", "-026-11-20T10:05:07Z",
		"+026-11-20T10:05:07Z", "2026-11-20T10:05:07,5Z", "2026-11-20T10:05:07.Z", "2026-11-20T10:05:07.", "2026-11-20T10:05:07.1234567891Z", "2026-11-20T10:05:07.12x",
		"2026-11-20T10:05:07+24:00", "2026-11-20T10:05:07+00:60", "2026-11-20T10:05:07+0060", "2026-11-20T10:05:07+00", "2026-11-20T10:05:07+0:00", "2026-11-20T10:05:07+000",
		"2026-11-20T10:05:07+00-00", "2026-11-20T10:05:07 00:00", "2026-11-20T10:05:07*0000", "2026-11-20T10:05:07--300", "2026-11-20T10:05:07+-3:00", "2026-11-20T10:05:07ZZ",
		"2026-11-20T10:05:07+00:00Z", "2026-11-20T10:05:07+00:000", "2026-11-20T10:05:07Z+00:00", "1677-09-21T00:12:43Z", "1678-01-01T00:00:00Z", "2262-04-11T23:47:16Z", "9999-12-31T23:59:59Z", "0000-01-01T00:00:00Z",
	}
	// Each position of a common date with each character that may be in a date, and without it.
	for i := range usual {
		for _, c := range []string{"", "0", "9", "-", "+", ":", ".", ",", "T", "Z", " ", "/", ";", "\x00", "é", "٣"} {
			odd = append(odd, usual[:i]+c+usual[i+1:], usual[:i]+c+usual[i:])
		}
		odd = append(odd, usual[:i])
	}
	for _, text := range odd {
		want, isDate := columnstest.PlainTime(text).(time.Time)
		ns, ok := parseTime([]byte(text))
		require.Equal(t, isDate, ok, text)
		if ok {
			require.Equal(t, want, time.Unix(0, ns).UTC(), text)
		}
	}
}
