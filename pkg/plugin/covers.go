package plugin

import (
	"context"
	"fmt"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// followNow moves a range that ended at now when the panel was drawn but is out of date since, for example while a
// panel is edited. Otherwise, the totals up to now would cover a day more and appear to belong to a range that has
// ended.
func (q *query) followNow(now time.Time) {
	if !q.untilNow || q.set.HasHistory() || !now.After(q.to) {
		return
	}
	q.from, q.to = q.from.Add(now.Sub(q.to)), now
}

// covers describes the period of a number, such as "last 7 days"; empty if it is the time range.
func (q *query) covers(now time.Time) string {
	switch {
	case q.set.HasHistory() && (q.cutsToRange() || q.isAboutNow()):
		return ""
	case q.set.HasHistory():
		return q.sinceDays(q.days, now)
	case q.summed() && q.hasEnded(now):
		far, near := q.daysOfRange(now)
		return q.between(now.AddDate(0, 0, -far), now.AddDate(0, 0, -near), now)
	case q.days == 0 && q.hasEnded(now):
		return q.date(now.AddDate(0, 0, -q.daysRead(now)), now) + " until now"
	default:
		return q.sinceDays(q.daysRead(now), now)
	}
}

// inName returns the words that a field name adds about its period; none for plain names.
func (q *query) inName(words string) string {
	if q.plain {
		return ""
	}
	return words
}

// summed reports whether a number can be computed for a range that has ended.
func (q *query) summed() bool {
	return q.days == 0 && q.format != formatTable && q.set.Measure(q.measure).Additive
}

// sinceDays describes the last so many days; empty if the range covers exactly these.
func (q *query) sinceDays(days int, now time.Time) string {
	if near(q.from, now.AddDate(0, 0, -days)) && !q.to.Before(now.Add(-liveSlack)) {
		return ""
	}
	if days == 1 {
		return "last 24 h"
	}
	return fmt.Sprintf("last %d days", days)
}

// between describes a period from one day to another; empty if the range covers exactly this period.
func (q *query) between(from, to, now time.Time) string {
	if near(q.from, from) && near(q.to, to) {
		return ""
	}
	return q.date(from, now) + " – " + q.date(to, now)
}

// date formats a day in the query's time zone.
func (q *query) date(t, now time.Time) string {
	if q.local(t).Year() != q.local(now).Year() {
		return q.local(t).Format("2 Jan 2006")
	}
	return q.local(t).Format("2 Jan")
}

// near reports whether two times are equal within rangeSlack.
func near(a, b time.Time) bool { return a.Sub(b).Abs() <= rangeSlack }

// coversNotice warns that totals up to now do not match a range that is shorter or has ended.
func (q *query) coversNotice(now time.Time) []data.Notice {
	text := ""
	switch words := q.covers(now); {
	case q.days > 0 && q.plain && q.format == formatNumeric && words != "":
		text = "These numbers cover the " + words + ", as set in Days (days), not the time range"
	case q.set.HasHistory() || q.days > 0:
		return nil
	case now.Sub(q.to) >= liveSlack:
		text = "The time range ends at " + q.to.UTC().Format(time.RFC3339) + ", but the service totals " + q.set.Name +
			" up to now, so these numbers include later activity. Data set " + datasets.Get("tasks").Name + " can be limited to the time range."
	case words != "":
		text = "These numbers cover the " + words + ": the service totals " + q.set.Name + " over whole days up to now, and the time range is shorter"
	default:
		return nil
	}
	return []data.Notice{{Severity: data.NoticeSeverityInfo, Text: text}}
}

// isAboutNow reports whether the measure describes the current state of tasks, independent of the time range.
func (q *query) isAboutNow() bool {
	m := q.set.Measure(q.measure)
	return m != nil && m.Time == "now"
}

// visibly is the share of a period that has to be empty before the first task for a notice.
const visibly = 0.1

// beginNotice informs that the first task is later than the start of the requested period.
func (q *query) beginNotice(ctx context.Context, result *reads.Result, now time.Time) ([]data.Notice, error) {
	if !q.set.HasHistory() || q.isAboutNow() || !result.Complete() {
		return nil, nil
	}
	first, err := frame.Earliest(ctx, result.Table, q.set.TimeFields[0])
	if err != nil || first.IsZero() {
		return nil, err
	}
	begin := q.begin(now)
	if q.days > 0 && !q.cutsToRange() {
		begin = now.AddDate(0, 0, -q.daysRead(now))
	}
	if empty := first.Sub(begin); empty < day || empty < time.Duration(visibly*float64(now.Sub(begin))) {
		return nil, nil
	}
	text := "The first task that the service lists was created at " + first.UTC().Format(time.RFC3339) +
		", after the requested period starts: there is no data before that time"
	return []data.Notice{{Severity: data.NoticeSeverityInfo, Text: text}}, nil
}
