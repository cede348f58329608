package frame

import (
	"cmp"
	"context"
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

// usualOf is the key of the fact that caches what is usual.
type usualOf struct{}

// usualNumber returns the usual seconds of a task's automation, or how many times that a task took or has been
// running.
func (r *Request) usualNumber(ctx context.Context, name string) (rowValue, error) {
	usual, err := r.usualDurations(ctx)
	if err != nil {
		return nil, err
	}
	automation := r.Rows.Column(r.DataSet.AutomationField)
	seconds := func(i int) (float64, float64, bool) {
		value, ok := usual[automation.Text(i)]
		return value, 1, ok && automation.Valid[i]
	}
	if name == usualDuration {
		return seconds, nil
	}
	took := derivedTimes["duration"](r)
	return func(i int) (float64, float64, bool) {
		of, _, known := seconds(i)
		value, _, ok := took(i)
		return value / of, 1, ok && known && of > 0
	}, nil
}

// usualDurations returns the 95th percentile of the seconds that the finished tasks of each automation took, like the
// measure durationP95. Filters and the time range do not change what is usual, so queries that share a read share it.
func (r *Request) usualDurations(ctx context.Context) (map[string]float64, error) {
	if known, ok := r.Rows.Facts.Load(usualOf{}); ok {
		return known.(map[string]float64), nil
	}
	automation, took := r.Rows.Column(r.DataSet.AutomationField), duration(r)
	ended := map[string][]cellValue{}
	for i := range r.Rows.Rows {
		if err := checkCanceled(ctx, i); err != nil {
			return nil, err
		}
		if seconds, _, ok := took(i); ok && automation.Valid[i] {
			label := automation.Text(i)
			ended[label] = append(ended[label], cellValue{value: seconds})
		}
	}
	usual := map[string]float64{}
	for label, tasks := range ended {
		if len(tasks) < fewest {
			continue
		}
		if err := sortAnyUntil(ctx, tasks, func(a, b cellValue) int { return cmp.Compare(a.value, b.value) }); err != nil {
			return nil, err
		}
		usual[label] = interpolated(tasks, 0.95)
	}
	r.Rows.Facts.Store(usualOf{}, usual)
	return usual, nil
}
