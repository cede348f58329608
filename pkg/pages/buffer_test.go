package pages

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// padded returns a page of a number of bytes.
func padded(bytes int) string {
	const begin, end = `[{"id":1,"state":"A"},`, `{"id":2,"new":"x"}]`
	return begin + strings.Repeat(" ", bytes-len(begin)-len(end)) + end
}

// A page is decoded equally whether the buffer can hold it or not.
func TestPagesAroundTheBuffer(t *testing.T) {
	for _, bytes := range []int{bufferBytes / 2, bufferBytes - 1, bufferBytes, bufferBytes + 1, 3 * bufferBytes} {
		body := padded(bytes)
		p, err := Decode(iotest.HalfReader(strings.NewReader(body)), tasks, NewInterner(), 10)
		require.NoError(t, err, bytes)
		requireWhole(t, p)
		assert.Equal(t, []int64{1, 2}, p.Table.Column("id").Integers, bytes)
		_, err = decode(tasks, []byte(body+"]"))
		require.ErrorIs(t, err, errShape, bytes)
		_, err = decode(tasks, []byte(body[:bytes-1]))
		require.ErrorIs(t, err, service.ErrNotJSON, bytes)
	}
}

// The memory of large pages is not retained for small ones.
func TestBufferStaysBounded(t *testing.T) {
	b := new(bytes.Buffer)
	json, err := newJSON(b, strings.NewReader(`"`+strings.Repeat("x", 8*bufferBytes)+`"`))
	require.NoError(t, err)
	_, err = json.ReadValue()
	require.NoError(t, err)
	assert.LessOrEqual(t, b.Cap(), 4*bufferBytes)
}

// Pages are decoded concurrently, each in a buffer of its own, and nothing of an aborted page reaches later ones.
func TestPagesShareNoBuffer(t *testing.T) {
	broken := errors.New("connection lost")
	var reading sync.WaitGroup
	found := make([]*Page, 64)
	body := func(n int) string {
		text := strings.Repeat(string(rune('a'+n%26)), 40)
		return `[{"state":"` + text + `","nested":{"a":["` + text + `"]},"id":"` + text + `"}]`
	}
	for n := range found {
		reading.Go(func() {
			_, err := Decode(io.MultiReader(strings.NewReader(`[{"id":7,"new":[[`), iotest.ErrReader(broken)), tasks, NewInterner(), 10)
			assert.ErrorIs(t, err, broken)
			found[n], _ = decode(tasks, []byte(body(n)))
		})
	}
	reading.Wait()
	for n, p := range found {
		records, _ := plainRecords([]byte(body(n)))
		require.NotNil(t, p)
		requireAgrees(t, tasks, records, p)
	}
}
