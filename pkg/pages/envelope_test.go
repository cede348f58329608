package pages

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// An invalid count is ignored and does not fail the response.
func TestCounts(t *testing.T) {
	for text, want := range map[string]int{
		`0`: 0, `20`: 20, `20.0`: 20, `2e1`: 20, `100000000000`: 100_000_000_000,
		`null`: absent, `-1`: absent, `1.5`: absent, `"20"`: absent, `"many"`: absent, `true`: absent, `{}`: absent, `[20]`: absent,
		`1e300`: absent, `99999999999999999999`: absent,
	} {
		for _, body := range []string{
			`{"content":[],"size":` + text + `,"totalElements":` + text + `,"totalPages":` + text + `}`,
			`{"page":{"size":` + text + `,"totalElements":` + text + `,"totalPages":` + text + `},"content":[]}`,
		} {
			p, err := decode(tasks, []byte(body))
			require.NoError(t, err, body)
			assert.Equal(t, Envelope{Size: want, Total: want, Pages: want}, p.Envelope, body)
		}
	}
}

func TestEnvelope(t *testing.T) {
	yes, no := true, false
	for body, want := range map[string]Envelope{
		`[]`:                            {Bare: true, Size: absent, Total: absent, Pages: absent},
		`{"content":[]}`:                {Size: absent, Total: absent, Pages: absent},
		`{"content":[],"last":true}`:    {Size: absent, Total: absent, Pages: absent, Last: &yes},
		`{"last":false,"content":[]}`:   {Size: absent, Total: absent, Pages: absent, Last: &no},
		`{"content":[],"last":null}`:    {Size: absent, Total: absent, Pages: absent},
		`{"content":[],"last":"false"}`: {Size: absent, Total: absent, Pages: absent},
		`{"content":[],"page":5}`:       {Size: absent, Total: absent, Pages: absent},
		`{"content":[],"page":{"number":0,"size":20,"totalElements":45,"totalPages":3}}`: {Size: 20, Total: 45, Pages: 3},
	} {
		p, err := decode(tasks, []byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, want, p.Envelope, body)
	}
}
