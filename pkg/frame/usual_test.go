package frame_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Four weeks of 5 minutes, of which the last one took 30: what is usual is one thing, in the sentence and in the columns.
func TestTwoUsuals(t *testing.T) {
	tasks := changed(hourly(28), 7*24, func(r *task) { *r.dateLastModified = r.dateStart.Add(30 * time.Minute) })
	s := attending(friday, tasks)
	f := mustMake(t, makeAttention, s)
	require.Regexp(t, "usually 5 min$", whys(t, f)[0])
	require.Equal(t, []any{300.0}, texts(f, "usual"))
	s.Since, s.From, s.To, s.Limit, s.Columns = time.Time{}, friday.Add(-day), friday, 1, []string{"duration", "usualDuration", "slowness"}
	require.Equal(t, []any{ptr(1800.0), ptr(300.0), ptr(6.0)}, mustMake(t, makeTable, s).RowCopy(0))
}
