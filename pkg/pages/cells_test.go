package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

// requireWhole checks the invariants of every page.
func requireWhole(t *testing.T, p *Page) {
	t.Helper()
	for _, c := range p.Table.Columns {
		columnstest.RequireWhole(t, p.Table.Rows, c)
	}
}

// notices returns the notices of a page.
func notices(p *Page) []string {
	var problems Problems
	for _, problem := range p.Problems {
		problems.Add(problem)
	}
	var texts []string
	for _, notice := range problems.Notices(func(text string) string { return text }) {
		texts = append(texts, notice.Text)
	}
	return texts
}

// A column has one notice, with the number of cells, and the first value as an example, which is truncated. Each problem
// says in which row it is, because rows of other pages may replace it.
func TestProblems(t *testing.T) {
	p := readPage(t, tasks, `[{"state":["`+strings.Repeat("x", 1_000)+`"]},{"id":"a","state":5},{"id":"b"}]`)
	require.Len(t, notices(p), 2)
	assert.Contains(t, notices(p)[0], `state: 2 values are shown as null, because the service's value is an array, not a string, for example ["xxx`)
	assert.Less(t, len(notices(p)[0]), 200)
	assert.Contains(t, notices(p)[1], `id: 2 values are shown as null, because the service's value is a string, not a number, for example "a"`)
	var rows []int
	for _, problem := range p.Problems {
		rows = append(rows, problem.Row)
	}
	assert.Equal(t, []int{0, 1, 1, 2}, rows)
}

// wide returns a record with a number of additional fields.
func wide(id, from, to int) string {
	record := fmt.Sprintf(`{"id":%d`, id)
	for n := from; n < to; n++ {
		record += fmt.Sprintf(`,"f%d":{"n":%d}`, n, n)
	}
	return record + "}"
}

// Fields beyond MaxUnknown are left out: on a page, and of pages that are joined.
func TestTooManyUnknownFields(t *testing.T) {
	first, err := decode(tasks, []byte(`[`+wide(1, 0, MaxUnknown-1)+`,`+wide(2, 0, 2)+`]`))
	require.NoError(t, err)
	assert.False(t, first.FieldsCut)
	second, err := decode(tasks, []byte(`[`+wide(3, 2, MaxUnknown+3)+`]`))
	require.NoError(t, err)
	requireWhole(t, second)
	assert.True(t, second.FieldsCut)
	assert.Len(t, second.Table.Columns, len(tasks.Fields)+MaxUnknown)
	assert.Nil(t, second.Table.Column("f202"))

	within := WithoutFieldsBeyond(tasks, first.Table, second.Table)
	first.Table.Append(within, []int{0})
	assert.Len(t, first.Table.Columns, len(tasks.Fields)+MaxUnknown)
	assert.NotNil(t, first.Table.Column("f199"), "the first one that is new")
	assert.Nil(t, first.Table.Column("f200"))
	assert.Equal(t, `{"n":7}`, columnstest.Value(first.Table.Column("f7"), 2))
	requireWhole(t, first)
	assert.Same(t, within, WithoutFieldsBeyond(tasks, first.Table, within), "nothing is left out")
}
