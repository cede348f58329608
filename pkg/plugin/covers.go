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

// followNow moves a range that ended now when the panel was drawn, and has grown old since: while a panel is edited, say. The
// sums that the service makes up to now would otherwise be those of a day more, and seem to be of a range that has ended.
func (q *query) followNow(now time.Time) {
	if !q.untilNow || q.set.HasHistory() || !now.After(q.to) {
		return
	}
	q.from, q.to = q.from.Add(now.Sub(q.to)), now
}

// covers says in words what time a number is of; empty where that is the time range.
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

// inName is what a name says of the time that it covers.
func (q *query) inName(words string) string {
	if q.plain {
		return ""
	}
	return words
}

// summed says whether a number can be of a range that has ended.
func (q *query) summed() bool {
	return q.days == 0 && q.format != formatTable && q.set.Measure(q.measure).Additive
}

// sinceDays names the last so many days; empty where the range is these.
func (q *query) sinceDays(days int, now time.Time) string {
	if near(q.from, now.AddDate(0, 0, -days)) && !q.to.Before(now.Add(-liveSlack)) {
		return ""
	}
	if days == 1 {
		return "last 24 h"
	}
	return fmt.Sprintf("last %d days", days)
}

// between names a time from one day to another; empty where the range is that.
func (q *query) between(from, to, now time.Time) string {
	if near(q.from, from) && near(q.to, to) {
		return ""
	}
	return q.date(from, now) + " – " + q.date(to, now)
}

// date names a day, in the query's time zone.
func (q *query) date(t, now time.Time) string {
	if q.local(t).Year() != q.local(now).Year() {
		return q.local(t).Format("2 Jan 2006")
	}
	return q.local(t).Format("2 Jan")
}

// near says whether two moments are as good as one.
func near(a, b time.Time) bool { return a.Sub(b).Abs() <= rangeSlack }

// coversNotice says what sums up to now do not belong to: a range that is shorter, or has ended.
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

// isAboutNow says whether the measure describes the current state of tasks, whatever the time range.
func (q *query) isAboutNow() bool {
	m := q.set.Measure(q.measure)
	return m != nil && m.Time == "now"
}

// visibly is which part of a time has to lie before the first task for that to be worth a word.
const visibly = 0.1

// beginNotice says that tasks begin later than the time that was asked for.
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
