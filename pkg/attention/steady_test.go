package attention

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSteady has automations with a success rate that never changes, new and old ones, and measures their false alarms in a
// week.
func TestSteady(t *testing.T) {
	measured := newTable("steady", "Tasks a day | new 50 % | 70 % | 90 % | 95 % | 98 % | old 50 % | 70 % | 90 % | 95 % | 98 % (before → model)", "now: new 50 % | 70 % | 90 % | 95 % | 98 % | old 50 % | 70 % | 90 % | 95 % | 98 %")
	for n, automations := range map[int64]int{1: 150, 4: 150, 12: 150, 24: 80, 100: 30} {
		measured.row(t, map[int64]int{1: 0, 4: 1, 12: 2, 24: 3, 100: 4}[n], fmt.Sprint(n), func() string { return steady(t, n, automations) })
	}
	measured.compare(t)
}

func steady(t *testing.T, perDay int64, automations int) (cells string) {
	if testing.Short() {
		automations /= 10
	}
	for _, age := range []int{0, 40} { // days
		for _, success := range []float64{.5, .7, .9, .95, .98} {
			episodes := 0
			for seed := range int64(automations) {
				w := newWorld(seed+1000, success, nil)
				w.each(day/perDay, 5*minute)
				from := origin.AddDate(0, 0, age).UnixNano() + 11*minute
				episodes += w.run(all, from, from+week, max(hour, day/perDay), nil, false).episodes
			}
			rate := float64(episodes) / float64(automations)
			assert.False(t, rate > 0.25 && episodes > 2, "%d a day, %.0f %%: %.2f false alarms a week", perDay, 100*success, rate)
			if cells != "" {
				cells += " | "
			}
			cells += fmt.Sprintf("%.2f", rate)
		}
	}
	return cells
}
