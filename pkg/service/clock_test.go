package service

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestClock(t *testing.T) {
	sent := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	answered := sent.Add(time.Second)
	for name, test := range map[string]struct {
		header http.Header
		want   time.Duration
		ok     bool
	}{
		"the same":     {http.Header{"Date": {"Fri, 20 Nov 2026 10:00:00 GMT"}}, 0, true},
		"ahead":        {http.Header{"Date": {"Fri, 20 Nov 2026 10:05:00 GMT"}}, 5 * time.Minute, true},
		"behind":       {http.Header{"Date": {"Fri, 20 Nov 2026 09:00:00 GMT"}}, -time.Hour, true},
		"no date":      {http.Header{}, 0, false},
		"no such date": {http.Header{"Date": {"yesterday"}}, 0, false},
		"of a cache":   {http.Header{"Date": {"Fri, 20 Nov 2026 09:00:00 GMT"}, "Age": {"3600"}}, 0, false},
	} {
		ahead, ok := clockAhead(test.header, sent, answered)
		assert.Equal(t, test.want, ahead, name)
		assert.Equal(t, test.ok, ok, name)
	}
}
