package service

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestClock(t *testing.T) {
	sent := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	answered := sent.Add(time.Second)
	for name, test := range map[string]struct {
		header http.Header
		want   Clock
	}{
		"the same":     {http.Header{"Date": {"Fri, 20 Nov 2026 10:00:00 GMT"}}, Clock{Known: true}},
		"ahead":        {http.Header{"Date": {"Fri, 20 Nov 2026 10:05:00 GMT"}}, Clock{Known: true, Ahead: 5 * time.Minute}},
		"behind":       {http.Header{"Date": {"Fri, 20 Nov 2026 09:00:00 GMT"}}, Clock{Known: true, Ahead: -time.Hour}},
		"no date":      {http.Header{}, Clock{}},
		"no such date": {http.Header{"Date": {"yesterday"}}, Clock{}},
		"of a cache":   {http.Header{"Date": {"Fri, 20 Nov 2026 09:00:00 GMT"}, "Age": {"3600"}}, Clock{}},
	} {
		assert.Equal(t, test.want, clockOf(test.header, sent, answered), name)
	}
}

// The latest response counts, and one without a date is ignored.
func TestClockOfAnswers(t *testing.T) {
	dated := func(at time.Time) http.HandlerFunc {
		return servicetest.Status(200, threeTasks, "Date", at.UTC().Format(http.TimeFormat))
	}
	f := servicetest.New().On(tasksPath, servicetest.InTurn(
		dated(time.Now()), dated(time.Now().Add(time.Hour)), servicetest.Status(200, threeTasks, "Date", "never")))
	c := start(t, f)
	r := tasksRequest(1, 0)
	r.Usage = &Usage{}
	for _, want := range []time.Duration{0, time.Hour, time.Hour} {
		require.NoError(t, get(t, c, r))
		require.True(t, r.Usage.Clock().Known)
		assert.InDelta(t, want.Seconds(), r.Usage.Clock().Ahead.Seconds(), 30)
	}
}
