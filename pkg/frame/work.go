package frame

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

type taskReader struct {
	state, status, created, started, ended, items, failedItems, runner *columns.Column
	first, last                                                        int64 // times that differ from now by more are bounded
}

func newTaskReader(r *Selection) *taskReader {
	column := r.Rows.Column
	return &taskReader{
		state: column("state"), status: column("finishStatus"), runner: column("machineId"),
		created: column("dateCreation"), started: column("dateStartRunning"), ended: column("dateLastModified"),
		items: column("totalItems"), failedItems: column("failedItems"),
		first: r.Now.AddDate(-10, 0, 0).UnixNano(), last: r.Now.AddDate(10, 0, 0).UnixNano(),
	}
}

// inOrder returns those of some tasks that have a date of creation, in its order.
func inOrder(tasks []attention.Task) []attention.Task {
	tasks = slices.DeleteFunc(tasks, func(t attention.Task) bool { return t.Created == 0 })
	slices.SortStableFunc(tasks, func(a, b attention.Task) int { return cmp.Compare(a.Created, b.Created) })
	return tasks
}

const outcome = "outcome" // the derived field that says how a task ended

// task returns the task of a row. That a service reports no items at all is not 0 items.
func (r *taskReader) task(row int) attention.Task {
	t := attention.Task{
		Row: row, Created: r.at(r.created, row), Started: r.at(r.started, row), Ended: r.at(r.ended, row),
		Runner:   r.runner.Text(row),
		HasItems: r.items.Valid[row],
		Items:    r.items.Numbers[row], FailedItems: r.failedItems.Numbers[row] * truth(r.failedItems.Valid[row]),
	}
	t.State, t.Status = attention.Read(r.state.Text(row), r.status.Text(row))
	return t
}

// at returns a time in nanoseconds since the epoch, near enough to now to be added to others; 0 for null.
func (r *taskReader) at(c *columns.Column, row int) int64 {
	if !c.Valid[row] {
		return 0
	}
	return min(max(c.Times[row], r.first), r.last)
}

// expected is what the tasks of all automations show, whatever the filters.
func (r *Selection) expected() *attention.Work {
	return once(r, "work", timeRange{}, func() *attention.Work { return attention.NewWork(r.tasksByAutomation(), columns.Nanoseconds(r.Now)) })
}

// work is what waits, and what runs, but not what is stuck. What is left of a running task follows from the average of its automation,
// and not from when it ended, which nobody knew; of one that has no average, from the median of the others.
func work(r *Selection) *counted {
	doesWait, doesRun := r.inRange(r.intervals(waits)), r.inRange(r.intervals(runs))
	tasks, now := r.tasks(), columns.Nanoseconds(r.Now)
	averages, automation := map[string]float64{}, r.Rows.Column(r.DataSet.AutomationField)
	for label := range r.tasksByAutomation() {
		if of, known := r.expected().Average(label); known && label != "" {
			averages[label] = float64(of) / 1e9
		}
	}
	median, isGuess := median(slices.Collect(maps.Values(averages))), map[string]bool{}
	stuckIn := map[int]string{} // the automations of rows
	return &counted{
		name: "work", keeps: func(row int) bool { return doesWait(row) || doesRun(row) },
		tallies: func(rows []int) (all []tally) {
			for _, row := range rows {
				label := automation.Text(row)
				seconds, isKnown := averages[label]
				if !isKnown {
					isGuess[label], seconds = true, median
				}
				isStuck := r.expected().IsStuck(label, &tasks[row], now)
				if isStuck {
					stuckIn[row] = label
				}
				if of, ok := tasks[row].Waits(now); ok {
					if isStuck { // In its first day, it was work as any other.
						of.Ended = of.Began + int64(24*time.Hour)
					}
					all = append(all, tally{Span: of, row: row, value: seconds})
				}
				if of, ok := tasks[row].Runs(now); ok {
					all = append(all, tally{Span: of, row: row, value: seconds, weight: 1})
				}
			}
			return all
		},
		says: func() []string {
			stuck := slices.Collect(maps.Values(stuckIn))
			return append(saysGuesses(slices.Sorted(maps.Keys(isGuess)), median), saysStuck(stuck)...)
		},
	}
}

func median(of []float64) float64 {
	if len(of) == 0 {
		return math.NaN()
	}
	slices.Sort(of)
	return (of[(len(of)-1)/2] + of[len(of)/2]) / 2
}

// saysGuesses says of which automations it is not known how long they take.
func saysGuesses(labels []string, median float64) []string {
	switch {
	case len(labels) == 0:
		return nil
	case math.IsNaN(median):
		return []string{"Nobody knows how long the tasks take: no automation has five tasks that ended well, in what was read"}
	}
	return []string{fmt.Sprintf("Automations with fewer than five tasks that ended well have no average duration. The median of the others, %s, stands in for that of %s",
		lasting(time.Duration(median*1e9)), someOf(labels))}
}

// saysStuck says how many tasks are left out. labels has the automation of each.
func saysStuck(labels []string) []string {
	if len(labels) == 0 {
		return nil
	}
	names := someOf(slices.Compact(slices.Sorted(slices.Values(labels))))
	return []string{fmt.Sprintf("Left out: tasks that no runner has taken for over a day, or that hang, %d of %s. The answer is about the rest", len(labels), names)}
}

// clearing counts when what waits and runs of some automations is done, as deadlines expect it, too: now, in milliseconds since
// 1970. What waited earlier is not known. Filters and groups choose automations by their open tasks; a queue of several is not done
// at any time that is known if that of one is not.
func clearing(r *Selection) *counted {
	now := columns.Nanoseconds(r.Now)
	tasks, automation := r.tasks(), r.Rows.Column(r.DataSet.AutomationField)
	unknown, stuck := map[string][]string{}, map[string][]string{} // by reason, and by automation
	return &counted{
		name:  "open",
		keeps: func(row int) bool { return tasks[row].State <= attention.Running },
		tallies: func(rows []int) []tally {
			done, isKnown, isUnknown := now, len(rows) == 0, false
			for label := range byText(automation, rows) {
				at, left, why := r.expected().Done(label, now)
				if left > 0 {
					stuck[label] = slices.Repeat([]string{label}, left)
				}
				if why == "" {
					done, isKnown = max(done, at), true
				} else if why != attention.AllStuck {
					unknown[why], isUnknown = append(unknown[why], label), true
				}
			}
			return []tally{{Span: attention.Span{Began: now}, value: unless(isUnknown || !isKnown, math.Round(float64(done)/1e6))}}
		},
		says: func() (all []string) {
			for _, why := range slices.Sorted(maps.Keys(unknown)) {
				all = append(all, fmt.Sprintf("Nobody knows when the queue of %s is done: %s", someOf(slices.Compact(slices.Sorted(slices.Values(unknown[why])))), why))
			}
			return append(all, saysStuck(slices.Concat(slices.Collect(maps.Values(stuck))...))...)
		},
	}
}

// streaks counts failures in a row when they began, with the seconds until a success, or now. All rows of an automation tell when
// that was: search, filters and groups choose streaks by their first failure.
func streaks(r *Selection) *counted {
	tasks, over, now := r.tasks(), r.over(), columns.Nanoseconds(r.Now)
	began := once(r, "streaks", over, func() map[int]tally { // by the row of the first failure
		began := map[int]tally{}
		for _, own := range r.tasksByAutomation() {
			for _, s := range attention.Streaks(own, now) {
				at := min(s.Began, now) // Clocks differ.
				if over.has(at) {
					of := attention.Span{Began: at, Ended: cmp.Or(s.Recovered, attention.Open)}
					began[s.First] = tally{Span: of, row: s.First, value: max(0, of.Seconds(now)), weight: 1}
				}
			}
		}
		return began
	})
	return &counted{
		name: "ends",
		keeps: func(row int) bool {
			t := &tasks[row]
			return over.has(min(cmp.Or(t.Ended, t.Started, t.Created), now))
		},
		tallies: func(rows []int) (all []tally) {
			for _, row := range rows {
				if s, ok := began[row]; ok {
					all = append(all, s)
				}
			}
			return all
		},
	}
}
