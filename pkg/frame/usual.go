package frame

import "context"

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
	if name == usualDuration {
		return usual
	}
	took := derivedTimes["duration"](r)
	return func(i int) (float64, float64, bool) {
		of, _, known := usual(i)
		value, _, ok := took(i)
		return value / of, 1, ok && known && of > 0
	}
}

// usualDurations returns the 95th percentile of the seconds that the finished tasks of a task's automation took, like
// the measure durationP95. Filters and the time range do not change what is usual.
func (r *Request) usualDurations(ctx context.Context) rowValue {
	automation, took := r.Rows.Column(r.DataSet.AutomationField), duration(r)
	known := func(*Request) rowValue {
		return func(i int) (float64, float64, bool) {
			value, weight, ok := took(i)
			return value, weight, ok && automation.Valid[i]
		}
	}
	all := &Request{DataSet: r.DataSet, Rows: r.Rows, GroupBy: []string{automation.Name}}
	// They fail only if the context has ended.
	rows, _ := all.rows(ctx, nil)
	groups, parts, _ := all.groups(ctx, rows)
	durations := ofSorted(known, usual)(all, nil).values(ctx, rows, &cells{parts: parts, number: len(groups)})
	return func(i int) (float64, float64, bool) {
		if seconds := durations[parts[i]]; seconds != nil {
			return *seconds, 1, automation.Valid[i]
		}
		return 0, 1, false
	}
}

func usual(sorted []cellValue) (seconds float64, ok bool) {
	seconds, ok = interpolated(sorted, 0.95)
	return seconds, ok && len(sorted) >= fewest
}
