package frame_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// event is a saving: of which automation, how long ago, and how much.
type event struct {
	label   string
	daysAgo float64
	saved   float64
}

// added simulates the service: it totals the events of the last days. It may list only automations with activity.
func added(events []event, labels []string, days int, activeOnly bool) *columns.Table {
	w := window{}
	for _, label := range labels {
		if !activeOnly {
			w[label] = 0.0
		}
	}
	for _, e := range events {
		if e.daysAgo <= float64(days) {
			before, _ := w[e.label].(float64)
			w[e.label] = before + e.saved
		}
	}
	return windowTable(w, labels...)
}

// The differences of windows equal plain sums over the same events, step by step and group by group.
func TestDifferencesAreSumsOfEvents(t *testing.T) {
	checked := 0
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 9))
		var labels []string
		for i := range 1 + random.IntN(8) {
			labels = append(labels, fmt.Sprintf("%c%d", 'a'+rune(random.IntN(3)), i))
		}
		step, near := 1+random.IntN(9), random.IntN(3)*5
		steps := period.Steps{Now: now}
		for n := 1 + random.IntN(12); n >= 0; n-- {
			steps.Days = append(steps.Days, near+n*step)
		}
		var events []event
		for range random.IntN(300) {
			events = append(events, event{labels[random.IntN(len(labels))], random.Float64() * float64(steps.Days[0]+9), float64(random.IntN(9999))})
		}
		activeOnly := random.IntN(2) == 0
		differences := frame.NewDifferences(schema.All().Get("automations"), []string{"savings"}, steps)
		for _, days := range steps.Windows() {
			differences.Add(days, added(events, labels, days, activeOnly))
		}
		f := mustMake(t, lineOf(differences), savingsBy("repositoryLabel"))
		require.Empty(t, f.Meta.Notices)
		lines := readTimeSeries(t, f, "savings")
		for _, first := range []string{"a", "b", "c"} {
			line := lines[key(map[string]string{"repositoryLabel": "of " + first})]
			for n := range len(steps.Days) - 1 {
				want := 0.0
				for _, e := range events {
					if e.label[:1] == first && e.daysAgo <= float64(steps.Days[n]) && e.daysAgo > float64(steps.Days[n+1]) {
						want += e.saved
					}
				}
				if line == nil {
					require.Zero(t, want, "seed %d: no line of %s", seed, first)
					continue
				}
				require.InDelta(t, want, *line[steps.Starts()[n]], 1e-6, "seed %d: %s, step %d", seed, first, n)
				checked++
			}
		}
	}
	require.Greater(t, checked, 1000)
}
