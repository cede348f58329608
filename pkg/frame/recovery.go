package frame

import (
	"cmp"
	"fmt"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// streak is failures in a row of an automation.
type streak struct {
	attention.Streak
	seconds float64 // until the automation succeeded, or now
}

var (
	failureStreaks = streaks(func(of []streak) (float64, bool) { return float64(len(of)), true }, func(int, int) []string { return nil })
	recoveryTime   = streaks(meanRecovery, saysOpen)
)

func meanRecovery(of []streak) (float64, bool) {
	total := 0.0
	for _, s := range of {
		total += s.seconds
	}
	return total / float64(len(of)), len(of) > 0
}

func saysOpen(open, all int) []string {
	if open == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d streaks of failures have no SUCCESS after them: they count until now", open, all)}
}

// streaks returns measures of the streaks that began in a cell. All rows of an automation tell when a streak began and
// ended, the earlier ones included: search, filters and groups choose streaks by their first failure.
func streaks(value func([]streak) (float64, bool), says func(open, all int) []string) formula {
	return func(r *Selection, described *schema.Measure) *measure {
		read, automation := newTaskReader(r), r.Rows.Column(r.DataSet.AutomationField)
		over, now := r.untilNow(), columns.Nanoseconds(r.Now)
		isIn := func(at int64) bool { return at >= over.from && at <= over.to }
		// By the row of the first failure, as are the ones below.
		began := once(r, "streaks", over, func() map[int]streak {
			began := map[int]streak{}
			for _, rows := range byText(automation, allRows(r.Rows)) {
				for _, s := range attention.Streaks(read.all(rows), now) {
					s.Began = min(s.Began, now) // Clocks differ.
					if isIn(s.Began) {
						began[s.First] = streak{s, float64(max(0, cmp.Or(s.Recovered, now)-s.Began)) / 1e9}
					}
				}
			}
			return began
		})
		isOpen := map[int]bool{} // of the streaks of the values
		values := func(rows []int, in *cells) []*float64 {
			var of []streak
			for _, row := range rows {
				if s, ok := began[row]; ok {
					isOpen[row] = s.Recovered == 0
					of = append(of, s)
				}
			}
			return perCell(in, of, func(s streak) int64 { return s.Began }, value)
		}
		said := func() []string {
			open := 0
			for _, is := range isOpen {
				open += int(truth(is))
			}
			return says(open, len(isOpen))
		}
		shows := func(row int) bool {
			t := read.task(row)
			return isIn(min(cmp.Or(t.Ended, t.Started, t.Created), now))
		}
		return &measure{described: described, counts: "all", keeps: func(int) bool { return true }, shows: shows, values: values, says: said}
	}
}
