package paging

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// FuzzAssemble checks that the table of any pages is consistent.
func FuzzAssemble(f *testing.F) {
	for _, seed := range []string{
		`[]`, `{"content":[],"content":[{"id":1}]}`, `[{"id":1,"x":1},{"id":1,"x":[]},{"x":"a"}]`, `[{"_id":17,"x":null},{"_id":"a"}]`,
		`[{"label":"a","x":1e999}]`, `[{"x":1,"x":"a","x":{"y":true}}]`,
	} {
		f.Add([]byte(seed), []byte(`[{"id":1,"x":true}]`), uint8(0))
		f.Add([]byte(seed), []byte(seed), uint8(1))
		f.Add([]byte(seed), []byte(`[]`), uint8(2))
	}
	f.Fuzz(func(t *testing.T, first, second []byte, which uint8) {
		set := datasets.All()[int(which)%len(datasets.All())]
		texts := pages.NewInterner()
		rows, order := newLedger(set, nil), []int(nil)
		places := map[int]bool{}
		for _, body := range [][]byte{first, second} {
			p, err := pages.Decode(bytes.NewReader(body), set, texts, 1000)
			if err != nil {
				continue
			}
			for _, entry := range rows.add(p) {
				if !places[entry] {
					order = append(order, entry)
				}
				places[entry] = true
			}
		}
		table := rows.table(order)
		for _, c := range table.Columns {
			columnstest.RequireWhole(t, table.Rows, c)
		}
		require.Len(t, places, table.Rows, "each row of a page is one of the table")
	})
}
