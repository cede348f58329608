package frame

import (
	"cmp"
	"context"
	"slices"
)

// The derived fields that compare a task with others of its automation.
const (
	usualDuration = "usualDuration"
	slowness      = "slowness"
)

// UsesOtherRows reports whether a derived field follows from other rows than its own, so that it needs all of them.
func UsesOtherRows(field string) bool { return field == usualDuration || field == slowness }

// fewest is how many tasks tell what is usual.
const fewest = 5

// usualNumber returns the usual seconds of a task's automation, or how many times that a task took or has been
// running.
func (r *Request) usualNumber(ctx context.Context, name string) rowValue {
	usual := r.usualDurations(ctx)
	automation := r.Rows.Column(r.DataSet.AutomationField)
	seconds := func(i int) (float64, float64, bool) {
		value, ok := usual[automation.Text(i)]
		return value, 1, ok && automation.Valid[i]
	}
	if name == usualDuration {
		return seconds
	}
	took := derivedTimes["duration"](r)
	return func(i int) (float64, float64, bool) {
		of, _, known := seconds(i)
		value, _, ok := took(i)
		return value / of, 1, ok && known && of > 0
	}
}

// usualDurations returns the 95th percentile of the seconds that the finished tasks of each automation took, like the
// measure durationP95. Filters and the time range do not change what is usual.
func (r *Request) usualDurations(ctx context.Context) map[string]float64 {
	if r.usual != nil {
		return r.usual
	}
	automation, took := r.Rows.Column(r.DataSet.AutomationField), duration(r)
	durations := map[string][]cellValue{}
	for i, valid := range each(ctx, automation.Valid) {
		if seconds, _, ok := took(i); ok && valid {
			label := automation.Text(i)
			durations[label] = append(durations[label], cellValue{value: seconds})
		}
	}
	r.usual = map[string]float64{}
	for label, tasks := range durations {
		if len(tasks) >= fewest {
			slices.SortFunc(tasks, orEqual(ctx, func(a, b cellValue) int { return cmp.Compare(a.value, b.value) }))
			r.usual[label] = interpolated(tasks, 0.95)
		}
	}
	return r.usual
}
