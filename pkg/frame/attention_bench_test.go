package frame_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// BenchmarkAttention has 100,000 tasks of 500 automations. The aim is 150 ms. In a strike, each is silent.
func BenchmarkAttention(b *testing.B) {
	b.Run("well", func(b *testing.B) { benchmarkAttention(b, 0) })
	b.Run("strike", func(b *testing.B) { benchmarkAttention(b, 20*time.Hour) })
}

func benchmarkAttention(b *testing.B, after time.Duration) {
	b.Helper()
	var tasks []task
	for n := range 500 {
		for i := range 200 {
			at := friday.Add(time.Duration(i-200) * 3 * time.Hour)
			tasks = append(tasks, of(fmt.Sprint(n), "7", []task{done(len(tasks), at, "SUCCESS")})...)
		}
	}
	r := attention(attending(friday.Add(after), tasks), true)
	for b.Loop() {
		_, err := r.Frame(b.Context())
		require.NoError(b, err)
	}
	b.ReportMetric(float64(len(tasks)), "tasks")
}
