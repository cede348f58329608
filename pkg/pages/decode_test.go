package pages

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// decode decodes one body.
func decode(set *datasets.DataSet, body []byte) (*Page, error) {
	return Decode(bytes.NewReader(body), set, NewInterner(), 1000)
}

// sample has every kind of value, including nested ones and escapes.
const sample = `{"content":[{"id":1,"state":"ST\u0041RT","machineId":null,"processedItems":-1.5e2,"dateCreation":"2026-11-20T09:00:00.000+00:00",` +
	`"new":{"a":[1,"x",{"b":null}],"c":true},"flag":false,"text":"tab\t é"},{"id":2}],"number":0,"size":20,"totalElements":2,"totalPages":1,` +
	`"first":true,"sort":{"sorted":false},"pageable":{"offset":0}}`

// A response truncated anywhere is an error, never a panic and never a partial table.
func TestTruncatedAtEveryByte(t *testing.T) {
	array := `[` + servicetest.Task(1) + `,` + servicetest.Task(2) + `]`
	for _, body := range []string{sample, array, `{"content":[]}`, `[]`} {
		whole, err := decode(tasks, []byte(body))
		require.NoError(t, err)
		require.NotNil(t, whole)
		for i := range body {
			_, err := decode(tasks, []byte(body[:i]))
			require.Error(t, err, "%d bytes of %s", i, body)
		}
	}
}

// The chunks of the network must not matter.
func TestBytesInChunksOfAnySize(t *testing.T) {
	whole, err := decode(tasks, []byte(sample))
	require.NoError(t, err)
	p, err := Decode(iotest.OneByteReader(strings.NewReader(sample)), tasks, NewInterner(), 1000)
	require.NoError(t, err)
	require.Equal(t, whole, p)
}

func TestResponseOfAnotherShape(t *testing.T) {
	for _, test := range []struct {
		name, body string
		says       []string
	}{
		{"empty", ``, []string{"empty", "JSON"}},
		{"blank", " \n ", []string{"empty", "JSON"}},
		{"HTML", `<!DOCTYPE html><title>Sign in</title>`, []string{"JSON", "an HTML page: Sign in"}},
		{"text", `Service is starting`, []string{"JSON", "Content type: application/json"}},
		{"null", `null`, []string{"null", "content"}},
		{"number", `17`, []string{"number", "content"}},
		{"string", `"moved"`, []string{"a string", "content"}},
		{"boolean", `true`, []string{"boolean"}},
		{"empty object", `{}`, []string{"content", "none"}},
		{"object without content", `{"data":[],"count":7}`, []string{"content", "data", "count"}},
		{"error with 200", `{"error":"quota exceeded"}`, []string{"content", "quota exceeded"}},
		{"content is null", `{"content":null}`, []string{"content is null", "array"}},
		{"content is an object", `{"content":{"id":1}}`, []string{"content is an object", "array"}},
		{"content is text", `{"content":"x"}`, []string{"content is a string", "array"}},
		{"record is a number", `[{"id":1},5]`, []string{"record 2", "a number", "an object"}},
		{"record is null", `{"content":[null]}`, []string{"record 1", "null", "an object"}},
		{"record is an array", `{"content":[[1]]}`, []string{"record 1", "an array", "an object"}},
		{"more behind", `{"content":[]} {"content":[]}`, []string{"data after the JSON value"}},
		{"garbage behind", `[]]`, []string{"data after the JSON value"}},
		{"comma too many", `[{"id":1,}]`, []string{"JSON"}},
		{"bare name", `[{id:1}]`, []string{"JSON"}},
		{"NaN", `[{"id":NaN}]`, []string{"JSON"}},
		{"bad escape", `[{"state":"\x"}]`, []string{"JSON"}},
		{"bracket for brace", `{"content":[{"id":1]}`, []string{"JSON"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, servicetest.OK(test.body))
				p, err := startInBubble(t, f).Page(t.Context(), lastDay, 0, Bounds{Rows: 1000}, NewInterner(), nil)
				require.ErrorIs(t, err, service.ErrUnreadable)
				assert.Nil(t, p)
				for _, word := range append(test.says, tasksPath) {
					assert.ErrorContains(t, err, word)
				}
			})
		})
	}
}

// A hostile response is an error, not unlimited recursion.
func TestDeepNesting(t *testing.T) {
	for _, body := range []string{
		strings.Repeat("[", 1_000_000),
		`[{"x":` + strings.Repeat(`[`, 1_000_000) + strings.Repeat(`]`, 1_000_000) + `}]`,
		`{"content":` + strings.Repeat(`{"content":`, 100_000),
	} {
		_, err := decode(tasks, []byte(body))
		require.Error(t, err)
	}
}

// A nested or unknown field of the envelope is skipped, whatever its content.
func TestUnknownFieldsOfTheEnvelope(t *testing.T) {
	p, err := decode(tasks, []byte(`{"links":[{"href":"x","content":[1]}],"content":[{"id":7}],"page":{"content":5,"totalElements":99}}`))
	require.NoError(t, err)
	assert.Equal(t, []int64{7}, p.Table.Column("id").Integers)
	assert.Len(t, p.Table.Columns, len(tasks.Fields))
}
