package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

// Rows beyond the requested number are counted and dropped; later members of the envelope are still read.
func TestMoreRowsThanRequested(t *testing.T) {
	for _, test := range []struct{ most, kept, left int }{{0, 0, 3}, {1, 1, 2}, {3, 3, 0}, {4, 3, 0}} {
		body := `{"content":[{"id":1,"new":1},{"id":2,"other":{"a":[1]}},{"id":3}],"totalElements":3}`
		p, err := Decode(strings.NewReader(body), tasks, NewInterner(), test.most)
		require.NoError(t, err)
		assert.Equal(t, test.kept, p.Table.Rows)
		assert.Equal(t, test.left, p.Left)
		assert.Equal(t, 3, p.Total)
		requireWhole(t, p)
	}
	_, err := Decode(strings.NewReader(`[{"id":1},{"id":2]`), tasks, NewInterner(), 1)
	require.Error(t, err, "rows that are not kept have to be JSON all the same")
}

// wide returns a record with a number of additional fields.
func wide(id, from, to int) string {
	record := fmt.Sprintf(`{"id":%d`, id)
	for n := from; n < to; n++ {
		record += fmt.Sprintf(`,"f%d":{"n":%d}`, n, n)
	}
	return record + "}"
}

func TestTooManyUnknownFields(t *testing.T) {
	p, err := decode(tasks, []byte(`[`+wide(1, 0, MaxUnknown+2)+`,`+wide(2, 0, 2)+`,`+wide(3, MaxUnknown+1, MaxUnknown+3)+`]`))
	require.NoError(t, err)
	requireWhole(t, p)
	require.Len(t, p.Table.Columns, len(tasks.Fields)+MaxUnknown+1)
	other := p.Table.Column(OtherFields)
	require.NotNil(t, other)
	assert.JSONEq(t, `{"f200":{"n":200},"f201":{"n":201}}`, string(other.JSON[0]))
	assert.False(t, other.Valid[1])
	assert.JSONEq(t, `{"f201":{"n":201},"f202":{"n":202}}`, string(other.JSON[2]))
}

// The service may have a field of this name. It is kept in the object, so that column names are unique.
func TestFieldNamedOtherFields(t *testing.T) {
	p, err := decode(tasks, []byte(`[{"id":1,"otherFields":"mine"}]`))
	require.NoError(t, err)
	assert.Equal(t, []any{`{"otherFields":"mine"}`}, columnstest.Values(p.Table.Column(OtherFields)))
}

// Names and values remain JSON in UTF-8.
func TestOtherFieldsAreJSON(t *testing.T) {
	p, err := decode(tasks, []byte(`[`+wide(1, 0, MaxUnknown)+`,{"a\"b\u0000":"\ud800","`+"\xff"+`":"`+"\xfe"+`"}]`))
	require.NoError(t, err)
	raw := p.Table.Column(OtherFields).JSON[1]
	assert.True(t, json.Valid(raw), "%q", raw)
	assert.Equal(t, bytes.ToValidUTF8(raw, nil), []byte(raw))
}

// A read has at most as many columns as a page: further fields go into the object.
func TestFold(t *testing.T) {
	p, err := decode(tasks, []byte(`[`+wide(1, 0, MaxUnknown+1)+`,{"id":2,"f1":5},{"id":3}]`))
	require.NoError(t, err)
	p.Fold([]*columns.Column{p.Table.Column("f0"), p.Table.Column("f1")})
	requireWhole(t, p)
	assert.Nil(t, p.Table.Column("f0"))
	other := p.Table.Column(OtherFields)
	assert.JSONEq(t, `{"f200":{"n":200},"f0":{"n":0},"f1":{"n":1}}`, string(other.JSON[0]))
	assert.JSONEq(t, `{"f1":5}`, string(other.JSON[1]))
	assert.False(t, other.Valid[2])
	before := len(p.Table.Columns)
	p.Fold(nil)
	assert.Len(t, p.Table.Columns, before)
	assert.Equal(t, datasets.JSON, other.Type)
}

// A few hundred names must not become hundreds of megabytes of nulls.
func TestNearlyEmptyColumnsAreFolded(t *testing.T) {
	const rows = 20_000
	body := `[` + wide(1, 0, MaxUnknown) + strings.Repeat(`,{"id":2,"dense":1}`, rows-1) + `]`
	p, err := Decode(strings.NewReader(body), tasks, NewInterner(), rows)
	require.NoError(t, err)
	requireWhole(t, p)
	assert.Nil(t, p.Table.Column("f0"))
	assert.Less(t, p.Table.Bytes(), int64(16<<20))
	other := p.Table.Column(OtherFields)
	require.NotNil(t, other)
	assert.Contains(t, string(other.JSON[0]), `"f0":{"n":0}`)
	small, err := Decode(strings.NewReader(`[`+wide(1, 0, MaxUnknown)+`,{"id":2}]`), tasks, NewInterner(), rows)
	require.NoError(t, err)
	assert.NotNil(t, small.Table.Column("f0"), "where it costs little, every field is a column")
}
