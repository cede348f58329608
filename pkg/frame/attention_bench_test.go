package frame_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkAttention has 100,000 tasks of 500 automations. The aim is 150 ms.
func BenchmarkAttention(b *testing.B) {
	var tasks []task
	for n := range 500 {
		for i := range 200 {
			at := friday.Add(time.Duration(i-200) * 3 * time.Hour)
			tasks = append(tasks, of(fmt.Sprint(n), "7", []task{done(len(tasks), at, "SUCCESS")})...)
		}
	}
	r := attention(attending(friday, tasks), true)
	for b.Loop() {
		_, err := r.Frame(b.Context())
		require.NoError(b, err)
	}
	b.ReportMetric(float64(len(tasks)), "tasks")
}
