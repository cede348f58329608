package attention

import "testing"

// BenchmarkFindings has an automation with a task a minute for 30 days. The aim is 30 ms.
func BenchmarkFindings(b *testing.B) {
	w := newWorld(1, .99, nil)
	w.each(minute, 20*second)
	g := &Group{Tasks: w.asOf(incident, nil), Now: incident}
	for b.Loop() {
		g.Findings()
	}
	b.ReportMetric(float64(len(g.Tasks)), "tasks")
}
