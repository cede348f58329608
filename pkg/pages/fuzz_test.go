package pages

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// FuzzDecode: whatever comes, no panic; a table that holds together, or an error; and no answer is taken for JSON, or
// refused as JSON, against encoding/json.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"content":[]}`, `{"content":[],"content":[{"id":1}]}`, sample,
		`[` + servicetest.Task(1) + `,` + servicetest.Task(1) + `]`, servicetest.Envelope(servicetest.TaskRange(1, 3), 0, 2),
		`[{"_id":17,"tasks":1.5e3,"utilizationRate":null,"x":[[]]},{"_id":"a","x":1}]`,
		`[{"label":"\ud83d\ude00\ud800","roi":1e999,"date":"2026-11-20T10:05:00.123"}]`,
		`[{"x":1,"x":"a","x":{"y":true}}]`, "[{\"\xff\":\"\xff\"}]", `[{"x":1e999},{"x":5}]`, `[1]`, `{"content":{}}`,
		`{"content":[{"id":1}],"totalElements":-1,"totalPages":99999999999999999999}`, `[] []`, "\xef\xbb\xbf[]",
	} {
		f.Add([]byte(seed), uint8(0))
		f.Add([]byte(seed), uint8(1))
		f.Add([]byte(seed), uint8(2))
	}
	f.Fuzz(func(t *testing.T, body []byte, which uint8) {
		set := datasets.All()[int(which)%len(datasets.All())]
		p, err := decode(set, body)
		if err == nil {
			require.True(t, json.Valid(body))
			requireWhole(t, p)
			return
		}
		var records []map[string]any
		require.False(t, bytes.HasPrefix(body, []byte("[")) && !bytes.Contains(body, []byte("null")) && json.Unmarshal(body, &records) == nil,
			"an array of objects was refused: %v", err)
	})
}
