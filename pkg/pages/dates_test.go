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

// A date is read for what it says, or not at all: a wrong time would be worse than none.
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
		// Beyond what nanoseconds in 64 bits can hold.
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
