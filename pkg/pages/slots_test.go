package pages

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

// Each value reaches the column of its name, whatever the order of the fields and whatever is between them.
func TestFieldsInAnyOrder(t *testing.T) {
	for _, body := range []string{
		// The order of the description, and others.
		`[{"id":1,"state":"A","finishStatus":"B"},{"id":2,"state":"C","finishStatus":"D"}]`,
		`[{"finishStatus":"B","state":"A","id":1},{"finishStatus":"D","state":"C","id":2}]`,
		`[{"id":1,"state":"A","finishStatus":"B"},{"finishStatus":"D","id":2,"state":"C"},{"state":"E","finishStatus":"F","id":3}]`,
		// Fields that appear and disappear.
		`[{"id":1},{"state":"A"},{"id":2,"finishStatus":"B"},{},{"finishStatus":"C"},{"id":3,"state":"D","finishStatus":"E"}]`,
		// Unknown fields in between, at the ends, and only sometimes.
		`[{"new":1,"id":1,"other":"x","state":"A","last":true},{"new":2,"id":2,"other":"y","state":"B","last":false}]`,
		`[{"id":1,"new":1,"state":"A"},{"id":2,"state":"B"},{"id":3,"state":"C","new":2},{"new":3,"state":"D","id":4}]`,
		// Equal names: the last one counts.
		`[{"id":1,"id":2,"state":"A"},{"id":3,"state":"B","id":4},{"state":"C","state":"D","id":5,"state":null}]`,
		`[{"id":1,"new":1,"new":"x"},{"new":2,"id":2,"new":3},{"id":"?","id":3}]`,
		// One name, written in several ways.
		`[{"id":1,"st\u0061te":"A"},{"\u0069d":2,"state":"B"},{"id":3,"st\u0061te":"C","state":"D"}]`,
		`[{"n\u0065w":1,"id":1},{"new":2,"id":2},{"n\u0065w":3,"id":3}]`,
		// Names that differ only in their escapes: a backslash, a quote, a control character.
		`[{"a\\b":1,"id":1},{"a\b":2,"id":2},{"a\\b":3,"id":3}]`,
		`[{"a\\b":1},{"a\b":2},{"a\\b":3,"a\b":4}]`,
		`[{"\\u0069d":1,"id":1},{"\u0069d":2,"\\u0069d":2}]`,
		`[{"a\"b":1,"":2},{"":3,"a\"b":4}]`,
		// Names with a common prefix.
		`[{"i":1,"id":2,"idx":3},{"idx":4,"i":5,"id":6}]`,
	} {
		requirePlain(t, body)
	}
}

// Any order of any fields is decoded like encoding/json does.
func TestFieldsInRandomOrder(t *testing.T) {
	names := []string{`id`, `state`, `st\u0061te`, `machineId`, `processedItems`, `dateCreation`, `new`, `n\u0065w`, `a\\b`, `a\b`, ``, `otherFields`}
	values := []string{`1`, `2.5`, `"x"`, `"x"`, `"y\u0041"`, `null`, `true`, `[1]`, `{"id":3}`, `"2026-11-20T10:05:00.123+00:00"`}
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 8)) //nolint:gosec // rows for a test
		var rows []string
		for range 1 + random.IntN(6) {
			var members []string
			for range random.IntN(8) {
				members = append(members, fmt.Sprintf(`"%s":%s`, names[random.IntN(len(names))], values[random.IntN(len(values))]))
			}
			rows = append(rows, "{"+strings.Join(members, " , ")+"}")
		}
		requirePlain(t, "["+strings.Join(rows, ",")+"]")
	}
}

// requirePlain compares a page of tasks with a reference decoding.
func requirePlain(t *testing.T, body string) {
	t.Helper()
	records, isPage := plainRecords([]byte(body))
	require.True(t, isPage, body)
	p, err := decode(tasks, []byte(body))
	require.NoError(t, err, body)
	requireWhole(t, p)
	requireAgrees(t, tasks, records, p)
}

// A field of the next record is found at the position of the previous one, without a lookup.
func TestFieldsAreExpected(t *testing.T) {
	const record = `"last":1,"state":"A","new":{"a":1},"id":1`
	p, err := decode(tasks, []byte(`[{`+record+`},{`+record+`}]`))
	require.NoError(t, err)
	assert.Equal(t, []any{1.0, 1.0}, columnstest.Values(p.Table.Column("last")))

	s := newSlots(tasks, 0)
	s.last = &s.head
	assert.Equal(t, "id", s.expected([]byte(`"id"`)).column.Name, "the order of the description comes first")
	assert.Nil(t, s.expected([]byte(`"new"`)))
	s.find([]byte("new"))
	s.find([]byte("state"))
	s.last = &s.head
	for _, name := range []string{"id", "new", "state", "finishStatus"} {
		found := s.expected([]byte(`"` + name + `"`))
		require.NotNil(t, found, name)
		assert.Equal(t, name, found.column.Name)
	}
}

// Repeated texts share one string, across rows and pages.
func TestEqualTextsAreKeptOnce(t *testing.T) {
	texts := NewInterner()
	for range 2 {
		_, err := Decode(strings.NewReader(`[{"state":"A","new":"A"},{"state":"A"},{"state":"B"},{"state":"\u0041"}]`), tasks, texts, 10)
		require.NoError(t, err)
	}
	assert.Equal(t, int64(2*(textBytes+1)), texts.Size())
}
