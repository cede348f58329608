package reads

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// Any number of invalid cells of a column, over any number of pages, yields one notice with their number and one
// example.
func TestOneNoticeForEachColumn(t *testing.T) {
	first := `[{"id":1,"state":5,"dateCreation":"soon"},{"id":2,"state":6},{"id":3,"state":"START"}]`
	second := `[{"id":4,"state":true,"dateCreation":"later"},{"id":5,"state":{},"failedItems":"many"}]`
	result := readPages(t, tasks, first, second)
	assert.Equal(t, 5, result.Table.Rows)
	about := func(field string) string {
		var found []string
		for _, w := range result.Warnings {
			if strings.Contains(w, field) {
				found = append(found, w)
			}
		}
		require.Len(t, found, 1, field)
		return found[0]
	}
	assert.Len(t, result.Warnings, 3)
	assert.Contains(t, about("state"), "4")
	assert.Contains(t, about("state"), "5")
	assert.Contains(t, about("dateCreation"), "2")
	assert.Contains(t, about("dateCreation"), "soon")
	assert.Contains(t, about("failedItems"), `"many"`)
	assert.Equal(t, []any{nil, nil, "START", nil, nil}, columnstest.Values(result.Table.Column("state")))
}

func TestAbsentFieldsAreNull(t *testing.T) {
	result := readPages(t, tasks, `[{"id":1},{},{"id":3,"state":"START","totalItems":5},{"id":4}]`, `[{}]`)
	requireWhole(t, result.Table)
	assert.Equal(t, []any{int64(1), nil, int64(3), int64(4), nil}, columnstest.Values(result.Table.Column("id")))
	assert.Equal(t, []any{nil, nil, "START", nil, nil}, columnstest.Values(result.Table.Column("state")))
	assert.Equal(t, []any{nil, nil, 5.0, nil, nil}, columnstest.Values(result.Table.Column("totalItems")))
	assert.Equal(t, []any{nil, nil, nil, nil, nil}, columnstest.Values(result.Table.Column("dateCreation")))
	assert.Empty(t, result.Warnings)
}

// The example of a notice is truncated, and half a token in it could not be detected.
func TestNoPartOfASecretInANotice(t *testing.T) {
	for _, before := range []string{"", strings.Repeat("x", 50), strings.Repeat("x", 4080)} {
		for _, value := range []string{servicetest.Token(1), strings.ReplaceAll(servicetest.Token(1), "-", `\u002d`)} {
			result := readPages(t, tasks, `[{"id":1,"totalItems":"`+before+value+`"}]`)
			require.Len(t, result.Warnings, 1)
			assert.NotContains(t, result.Warnings[0], servicetest.TokenPrefix[:5])
			assert.Less(t, len(result.Warnings[0]), 300)
		}
	}
}

// Without a total of rows, an empty page contradicts the number of pages.
func TestFewerPagesThanTheServiceReports(t *testing.T) {
	one, none := `{"content":[{"id":1}],"totalPages":%d}`, `{"content":[],"totalPages":%d}`
	for _, test := range []struct {
		name  string
		pages []string
		told  int
		says  string // empty: nothing
	}{
		{"nothing, and no page", []string{none}, 0, ""},
		{"nothing, and one page", []string{none}, 1, ""},
		{"nothing, and many pages", []string{none}, 20, "page 0 was empty"},
		{"as many as there are", []string{one}, 1, ""},
		{"one too many", []string{one, none}, 2, "page 1 was empty"},
		{"far too many", []string{one, none, none}, 3, "page 1 was empty"},
		{"the same for every page", []string{one, one}, 2, "its first page for every page"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().Data(tasks.Path, func(w http.ResponseWriter, r *http.Request) {
				number, _ := strconv.Atoi(r.URL.Query().Get("page"))
				servicetest.OK(fmt.Sprintf(test.pages[number], test.told))(w, r)
			})
			result, err := start(t, f).Read(t.Context(), Read{Question: pages.Question{DataSet: tasks, Days: 1}})
			require.NoError(t, err)
			if test.says == "" {
				assert.Empty(t, result.Warnings)
				return
			}
			require.Len(t, result.Warnings, 1)
			assert.Contains(t, result.Warnings[0], test.says)
		})
	}
}

// Capacity reserved for rows that were reported but not received is released.
func TestRoomThatIsNotNeededIsGivenBack(t *testing.T) {
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		rows := servicetest.TaskRange(1, 20)
		if r.URL.Query().Get("page") != "0" {
			rows = nil
		}
		servicetest.OK(`{"content":[`+strings.Join(rows, ",")+`],"size":20,"totalElements":90000,"totalPages":4500}`)(w, r)
	})
	result, err := start(t, f).Read(t.Context(), Read{Question: pages.Question{DataSet: tasks, Days: 1}})
	require.NoError(t, err)
	assert.Equal(t, 20, result.Table.Rows)
	requireWhole(t, result.Table)
	assert.Less(t, result.Table.Bytes(), int64(64<<10))
}
