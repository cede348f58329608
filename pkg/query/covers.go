package query

import (
	"fmt"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Range returns the range of the frames, with words in a language, given since when the service is known to have data.
func (q *Plan) Range(known time.Time, l schema.Language) period.Range {
	r := q.Period.Range
	r.Known = known
	r.Covers = q.covers(&r, l)
	return r
}

// covers describes the time of a number or of a table of totals; empty if it is the time range of the request.
func (q *Plan) covers(r *period.Range, l schema.Language) string {
	p, from := &q.Period, r.From
	missesBeginning := r.IsTold() && !r.IsKnown(r.From, r.To) && !r.Known.After(r.To)
	if missesBeginning {
		from = r.Known
	}
	switch {
	case q.Format == TimeSeries || q.Format == Timeline || q.Set.HasTimes() && q.days == 0 || q.areAll((*schema.Measure).IsAboutNow):
		return ""
	case !p.hasEnded():
		days := p.length()
		if q.days > 0 {
			days = q.days // a comparison looks further back
		}
		switch requested := p.requested; {
		case missesBeginning:
			return since(l, p.local(from), p.local(p.Now))
		case p.isLast(requested.From, days) && !requested.To.Before(p.Now.Add(-slack)):
			return ""
		}
		return lastDays(l, days)
	case !missesBeginning && p.isLast(p.From, p.Steps.Days[0]) && p.isLast(p.To, p.Steps.Days[1]):
		return ""
	default:
		// A period up to midnight does not touch the next day.
		return between(l, p.local(from), p.local(p.To.Add(-time.Millisecond)), p.local(p.Now))
	}
}

// isLast reports whether a time is that number of days ago.
func (p *Period) isLast(t time.Time, days int) bool {
	return t.Sub(p.daysBefore(p.Now, days)).Abs() <= slack
}

// lastDays describes the last days up to now.
func lastDays(l schema.Language, days int) string {
	if days == 1 {
		return l.Words().LastDay
	}
	return fmt.Sprintf(l.Words().LastDays, days)
}

// since describes the days from about one until now.
func since(l schema.Language, from, now time.Time) string {
	return "≈ " + date(l, from, now) + " " + l.Words().UntilNow
}

// between describes about the days from one to another: "≈ 1 – 31 Oct", with the year unless it is the current one.
func between(l schema.Language, from, to, now time.Time) string {
	switch {
	case from.Year() != to.Year() || from.Month() != to.Month():
		return "≈ " + date(l, from, now) + " – " + date(l, to, now)
	case from.Day() != to.Day():
		return "≈ " + from.Format("2") + " – " + date(l, to, now)
	default:
		return "≈ " + date(l, to, now)
	}
}

func date(l schema.Language, t, now time.Time) string {
	text := t.Format("2 ") + l.Words().Months[t.Month()-1]
	if t.Year() != now.Year() {
		text += t.Format(" 2006")
	}
	return text
}
