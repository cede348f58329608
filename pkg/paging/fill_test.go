package paging

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The last page is read to show the order, and its rows are needed later.
func TestLastPageOfALaterGoal(t *testing.T) {
	w := newWorld(1, 0, nil)
	w.list = w.list[:200]
	r := w.reader(t, nil)
	_, err := r.Read(t.Context(), Goal{Field: "dateCreation", From: w.list[165].created})
	require.NoError(t, err)
	l, err := r.Read(t.Context(), Goal{})
	require.NoError(t, err)
	require.Equal(t, 200, l.Table.Rows)
}

// The newest page is slower than the rows before it, as at night.
func TestLastPageBehindTheEstimate(t *testing.T) {
	w := newWorld(1, 0, nil)
	w.list = w.list[:200]
	for i, r := range w.list {
		if i >= 20 {
			r.created = w.list[19].created.Add(-time.Duration(i-19) * 30 * time.Second)
		}
	}
	r := w.reader(t, nil)
	l, err := r.Read(t.Context(), Goal{Field: "dateCreation", From: w.list[0].created.Add(-170 * time.Minute)})
	require.NoError(t, err)
	require.Equal(t, 200, l.Table.Rows)
}
