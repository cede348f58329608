package frame

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// formula is a row of a table of measures: which rows count when, with which values, and how these become a number in each cell.
type formula struct {
	when counting
	fold fold
}

type counting func(r *Selection) *counted

type bindColumn func(r *Selection) rowValue

// rowValue returns a number of a row, NaN for null.
type rowValue func(row int) float64

// perRow counts each row at its time field, with a value and, in a ratio, a weight.
func perRow(bindValue, bindWeight bindColumn) counting {
	return func(r *Selection) *counted {
		value, weight, at, all := bindValue(r), bindWeight(r), r.Rows.Column(r.TimeField), []tally{}
		return &counted{tallies: func(rows []int) []tally {
			all = slices.Grow(all[:0], len(rows))[:len(rows)]
			for i, row := range rows {
				if all[i] = (tally{row: row, value: value(row), weight: weight(row)}); at != nil {
					all[i].Began = at.Times[row]
				}
			}
			return all
		}}
	}
}

func one(*Selection) rowValue { return func(int) float64 { return 1 } }

type counted struct {
	name    string               // measures that count the same share the rows and their groups
	keeps   filter.Test          // reports whether a row belongs to the time range; nil: if its time field is in it
	touches intervals            // rows count in every hour that they touch; nil: in that of their time field
	tallies func([]int) []tally  // what counts of some rows
	says    func() []data.Notice // what a reader has to know of what counted so far; nil: nothing
}

// tally is what counts: at the time Began or, of a measure of when tasks ran or waited, throughout.
type tally struct {
	attention.Span
	row           int
	value, weight float64 // NaN: null
}

// measure is a number of a period: how rows become values, for groups and for the buckets of a line.
type measure struct {
	*Selection
	*counted
	described *schema.Measure
	fold      fold
	hours     *hours            // that count; nil: all
	groups    map[string]*group // of the rows that count, by their labels that are no part of the calendar
	isNull    bool              // the service reports it only up to now, and the time range has ended
	earlier   *measure          // of the compared period; nil: it is not compared
}

// described returns the description of a measure. How the rows of a group would be combined is unknown of a field that is not in
// the description. The query groups by the key, so there is one in each, except for rows without a key.
func (r *Selection) described(name string) *schema.Measure {
	return cmp.Or(r.DataSet.Measure(name), &schema.Measure{Named: schema.Named{Name: name, Label: name}, Quantity: schema.Quantity{Aggregate: "single"}})
}

// nullable returns numbers in which NaN is nil, in one backing array: a million single ones take twice the memory.
func nullable(values []float64) []*float64 {
	out := make([]*float64, len(values))
	for i := range values {
		if !math.IsNaN(values[i]) {
			out[i] = &values[i]
		}
	}
	return out
}

// formulaOf returns the formula of a measure: its own, or a count; of a field of the record, its sum, or the mean of rates.
func formulaOf(set *schema.DataSet, described *schema.Measure) formula {
	if own, ok := taskMeasures[described.Name]; ok && set.HasTimes() {
		return own
	}
	switch described.Aggregate {
	case "count":
		return formula{perRow(one, one), inCell(sum)}
	case "return":
		return returnOn(described)
	}
	folds := map[string]func(*Selection, []tally) float64{"": sum, "sum": sum, "mean": ratio, "single": single}
	return formula{perRow(field(described.Name), one), inCell(folds[described.Aggregate])}
}

// field reads a number field of the record; nulls, if it has none of that name.
func field(name string) bindColumn {
	return func(r *Selection) rowValue {
		c := r.Rows.Column(name)
		return func(row int) float64 {
			if c == nil || c.Type != schema.Number || !c.Valid[row] {
				return math.NaN()
			}
			return c.Numbers[row]
		}
	}
}

// returnOn is the return on all investments: the mean of the rows' returns, weighted by what was invested, gain ÷ (1 + return) on the
// scale of the rates. A row alone has its own return. It says how many are left out because their investment is unknown.
func returnOn(described *schema.Measure) formula {
	left := 0
	count := func(r *Selection) *counted {
		gain, returned := field(described.Gain)(r), field(described.Name)(r)
		invested := func(*Selection) rowValue {
			return func(row int) float64 { return gain(row) / (1 + returned(row)/r.Scale.Whole()) }
		}
		c := perRow(field(described.Name), invested)(r)
		c.says = func() []data.Notice {
			share := described.Name + map[float64]string{100: " ÷ 100"}[r.Scale.Whole()]
			return noticeIf(left > 0, data.NoticeSeverityInfo, "%s of several %s is weighted by their investment, %s ÷ (1 + %s). Left out are %d of which that is unknown",
				described.Name, r.DataSet.Name, described.Gain, share, left)
		}
		return c
	}
	return formula{count, func(_ *measure, of []tally, _ *cells) []float64 {
		if len(of) == 1 {
			return []float64{of[0].value}
		}
		known := slices.DeleteFunc(of, func(t tally) bool { return math.IsNaN(t.weight) || t.weight <= 0 || math.IsInf(t.weight, 0) })
		left += len(of) - len(known)
		for i := range known {
			known[i].value *= known[i].weight
		}
		return []float64{ratio(nil, known)}
	}}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func unless(isNull bool, value float64) float64 {
	if isNull {
		return math.NaN()
	}
	return value
}

// fold makes a number of what counts in each cell, NaN for null.
type fold func(m *measure, of []tally, in *cells) []float64

// inCell folds what counts in each cell. Where nothing does, counts and sums are 0, and without a value null: not reported is not 0 items.
func inCell(f func(r *Selection, of []tally) float64) fold {
	return func(m *measure, of []tally, in *cells) []float64 {
		byCell := [][]tally{of}
		if len(in.starts) > 1 {
			byCell = make([][]tally, in.n)
			for _, t := range of {
				if n := in.of[pieceAt(in.starts, t.Began)]; n != outside {
					byCell[n] = append(byCell[n], t)
				}
			}
		}
		numbers := make([]float64, len(byCell))
		for n, of := range byCell {
			if len(of) == 0 && m.described.Empty == "zero" {
				continue
			}
			numbers[n] = math.NaN()
			of = slices.DeleteFunc(of, func(t tally) bool { return math.IsNaN(t.value) || math.IsNaN(t.weight) })
			if len(of) > 0 {
				numbers[n] = f(m.Selection, of)
			}
		}
		return numbers
	}
}

func sum(_ *Selection, of []tally) (total float64) {
	for _, t := range of {
		total += t.value
	}
	return total
}

func single(_ *Selection, of []tally) float64 { return unless(len(of) != 1, of[0].value) }

func count(_ *Selection, of []tally) float64 { return float64(len(of)) }

// ratio is Σ value ÷ Σ weight: a mean, where each weight is 1.
func ratio(_ *Selection, of []tally) float64 {
	var total, weight float64
	for _, t := range of {
		total, weight = total+t.value, weight+t.weight
	}
	return unless(weight == 0, total/weight)
}

func largest(_ *Selection, of []tally) float64 { return slices.MaxFunc(of, byValue).value }

func least(_ *Selection, of []tally) float64 { return slices.MinFunc(of, byValue).value }

func byValue(a, b tally) int { return cmp.Compare(a.value, b.value) }

// percentile95 computes the 95th percentile like Prometheus, by linear interpolation between the two nearest values.
func percentile95(_ *Selection, of []tally) float64 {
	slices.SortFunc(of, byValue)
	below, rest := math.Modf(0.95 * float64(len(of)-1))
	low, high := of[int(below)].value, of[min(int(below)+1, len(of)-1)].value
	return low + rest*(high-low)
}

// longestGap is the largest difference of two consecutive values, in whole milliseconds as dates are, of as many as tell what is
// usual. Equal gaps would differ by what floating point loses.
func longestGap(_ *Selection, of []tally) (longest float64) {
	if len(of) < 5 {
		return math.NaN()
	}
	slices.SortFunc(of, byValue)
	for n := range of[1:] {
		longest = max(longest, of[n+1].value-of[n].value)
	}
	return math.Round(longest*1e3) / 1e3
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
		says: func() []data.Notice {
			guesses, isMedian := slices.Sorted(maps.Keys(isGuess)), !math.IsNaN(median)
			return slices.Concat(
				noticeIf(len(guesses) > 0 && !isMedian, data.NoticeSeverityInfo, "Nobody knows how long the tasks take: no automation has five tasks that ended well, in what was read"),
				noticeIf(len(guesses) > 0 && isMedian, data.NoticeSeverityInfo,
					"Automations with fewer than five tasks that ended well have no average duration. The median of the others, %s, stands in for that of %s", lasting(time.Duration(median*1e9)), someOf(guesses)),
				saysStuck(slices.Collect(maps.Values(stuckIn))))
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

// saysStuck says how many tasks are left out. labels has the automation of each.
func saysStuck(labels []string) []data.Notice {
	return noticeIf(len(labels) > 0, data.NoticeSeverityInfo, "Left out: tasks that no runner has taken for over a day, or that hang, %d of %s. The answer is about the rest",
		len(labels), someOf(distinct(labels)))
}

// clearing counts when what waits and runs of some automations is done: now, in milliseconds since 1970. Filters and groups choose
// automations by their open tasks. A queue of several is not done at any time that is known if that of one is not.
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
		says: func() (all []data.Notice) {
			for _, why := range slices.Sorted(maps.Keys(unknown)) {
				all = append(all, noticeIf(true, data.NoticeSeverityInfo, "Nobody knows when the queue of %s is done: %s", someOf(distinct(unknown[why])), why)...)
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
