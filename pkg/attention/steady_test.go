package attention

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSteady has automations with a success rate that never changes, new and old ones, and measures their false alarms in a
// week.
func TestSteady(t *testing.T) {
	measured := newTable("steady", "Tasks a day | new 50 % | 70 % | 90 % | 95 % | 98 % | old 50 % | 70 % | 90 % | 95 % | 98 %")
	for n, perDay := range []int64{1, 4, 12, 24, 100} {
		measured.row(n, fmt.Sprint(perDay), func() string { return steady(t, perDay, []int{100, 100, 100, 50, 20}[n]) })
	}
	measured.compare(t)
}

func steady(t *testing.T, perDay int64, automations int) (cells string) {
	step := max(2*hour, day/perDay)
	if testing.Short() {
		automations, step = automations/10, 2*step
	}
	for _, age := range []int{0, 40} { // days
		for _, success := range []float64{.5, .7, .9, .95, .98} {
			episodes := 0
			for seed := range int64(automations) {
				w := newWorld(seed+1000, success, nil)
				w.each(day/perDay, 5*minute)
				from := origin.AddDate(0, 0, age).UnixNano() + 11*minute
				episodes += w.run(all, from, from+week, step, false).episodes
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
