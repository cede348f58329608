// Package deadlines is what settings list of automations: what must be done by when, and whose it is. It knows no tasks.
package deadlines

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"

	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Scope is a line of a setting, and which automations it is about.
type Scope struct {
	Line       int    // in the setting, from 1
	Automation string // label, in which * matches any text
}

// Deadline is a line of the setting: successes by a time of some days or, if Within is set, one in that time of each creation.
type Deadline struct {
	Scope
	Within time.Duration

	Hour, Minute int             // up to 24:00, the end of the day
	Days         map[string]bool // weekdays, workday, workday 5, last workday, 5, last; empty: every day
	Zone         *time.Location
	Calendar     *Calendar
	Count        int // of successes
	ofWorkdays   bool
	From         *From
}

// From is when the tasks of a deadline may be created at the earliest, some days before its day.
type From struct{ Days, Hour, Minute int }

// Occasion is when a deadline falls due. The tasks that are created from From on and before Until, when those of the next one
// may come, are those of this one and of no other. What they do before Due is in time.
type Occasion struct{ From, Due, Until, End time.Time } // End is that of its day

// Has reports whether a task that is created at a time is one of the occasion.
func (o *Occasion) Has(created int64) bool {
	return created >= o.From.UnixNano() && created < o.Until.UnixNano()
}

// Parse reads the setting as decoded from JSON. Problems say why lines can't be used, and the way out.
func Parse(value any, calendar *Calendar) (of []*Deadline, problems []string) {
	problems = eachLine("deadlines", names, value, func(l *reading) {
		l.Calendar = calendar
		l.due()
		of = append(of, &l.Deadline)
	})
	return of, problems
}

func eachLine(setting string, names []string, value any, read func(*reading)) (problems []string) {
	lines, ok := value.([]any)
	if !ok && !isEmpty(value) {
		return []string{fmt.Sprintf("%s: %s must be a list of lines, each with an automation", Title(setting, 0), schema.Shown(value))}
	}
	for n, line := range lines {
		values, isObject := line.(map[string]any)
		l := &reading{values: values}
		l.rejectIf(!isObject, "%s must have %s", schema.Shown(line), schema.List(names))
		l.known(names)
		l.Scope = Scope{n + 1, l.text("automation")}
		l.rejectIf(l.Automation == "", "has no automation: enter its label, in which * matches any text")
		if read(l); l.problem != "" {
			problems = append(problems, Title(setting, n+1)+": "+l.problem)
		}
	}
	return problems
}

// Title names a setting and a line of it, from 1; 0: the whole setting.
func Title(setting string, line int) string {
	title := schema.GetSetting(setting).Title()
	if line > 0 {
		title += fmt.Sprintf(", line %d", line)
	}
	return title
}

// reading is a line that is read. Its problem is the first one.
type reading struct {
	Deadline
	values  map[string]any
	problem string
}

func (l *reading) reject(format string, args ...any) {
	l.problem = cmp.Or(l.problem, fmt.Sprintf(format, args...))
}

func (l *reading) rejectIf(is bool, format string, args ...any) {
	if is {
		l.reject(format, args...)
	}
}

var (
	names      = []string{"automation", "by", "days", "timezone", "count", "from", "within"}
	ofBy       = []string{"days", "timezone", "count", "from"}
	weekdays   = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
	clockTime  = regexp.MustCompile(`^([01]\d|2[0-4]):([0-5]\d)$`)
	dayName    = regexp.MustCompile(`^(sun|mon|tue|wed|thu|fri|sat|workday( ([1-9]|1\d|2[0-3]))?|last( workday)?|[1-9]|[12]\d|3[01])$`)
	daysBefore = regexp.MustCompile(`^([1-9]|[12]\d|30)d$`)
	maxCount   = 10_000
	maxMinutes = 30 * 24 * 60
)

func (l *reading) due() {
	switch by, within := l.text("by"), l.text("within"); {
	case by == "" && within == "":
		l.reject(`has neither by nor within: enter a time such as by: "07:00", or a duration such as within: 45m`)
	case by != "" && within != "":
		l.reject("has by and within: remove one of them")
	case within != "":
		l.within(within)
	default:
		l.by(by)
	}
}

func (l *reading) known(names []string) {
	for _, name := range slices.Sorted(maps.Keys(l.values)) {
		l.rejectIf(!slices.Contains(names, name), "unknown %q: use %s", name, schema.List(names))
	}
}

func (l *reading) within(text string) {
	d, err := gtime.ParseDuration(text)
	l.rejectIf(err != nil || d < time.Minute || d > time.Duration(maxMinutes)*time.Minute, "within is %q: enter a duration from 1m to 30d, such as 45m", text)
	l.Within = d
	for _, name := range ofBy {
		l.rejectIf(!isEmpty(l.values[name]), "%s belongs to by, not to within: remove it", name)
	}
}

func (l *reading) by(text string) {
	match := clockTime.FindStringSubmatch(text)
	if match == nil || text == "00:00" || text > "24:00" {
		l.reject(`by is %q: enter a time from 00:01 to 24:00, such as "07:00"`, text)
		return
	}
	l.Hour, l.Minute, l.Days = number(match[1]), number(match[2]), map[string]bool{}
	for _, day := range l.list("days") {
		l.rejectIf(!dayName.MatchString(day), "days has %s: use mon to sun, workday, workday 5, last workday, 1 to 31, last. Omit it for every day", day)
		l.Days[day], l.ofWorkdays = true, l.ofWorkdays || strings.Contains(day, "workday")
	}
	l.Zone, l.Count, l.From = l.zone(l.Calendar.Zone), l.count(), l.from(text)
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// from reads a time of day, the last one before that of the deadline, or a number of days.
func (l *reading) from(by string) *From {
	text := l.text("from")
	switch match := clockTime.FindStringSubmatch(text); {
	case text == "":
	case daysBefore.MatchString(text):
		return &From{Days: number(strings.TrimSuffix(text, "d"))}
	case match == nil || text >= "24:00":
		l.reject(`from is %q: enter a time before the deadline such as "20:00", or 1d to 30d`, text)
	case text >= by:
		return &From{1, number(match[1]), number(match[2])}
	default:
		return &From{0, number(match[1]), number(match[2])}
	}
	return nil
}

func (l *reading) count() int {
	value := l.values["count"]
	if isEmpty(value) {
		return 1
	}
	n, err := strconv.Atoi(strings.TrimSpace(fmt.Sprint(value)))
	l.rejectIf(err != nil || n < 1 || n > maxCount, "count is %s: must be a whole number from 1 to %d. Omit it for 1", schema.Shown(value), maxCount)
	return n
}

func (l *reading) text(name string) string {
	value := l.values[name]
	text, ok := value.(string)
	l.rejectIf(value != nil && !ok, "%s is %s: must be a text, in quotes", name, schema.Shown(value))
	return strings.TrimSpace(text)
}

func isEmpty(value any) bool {
	list, isList := value.([]any)
	text, isText := value.(string)
	return value == nil || isList && len(list) == 0 || isText && strings.TrimSpace(text) == ""
}

// Matches reports whether a line is about an automation.
func (s *Scope) Matches(label string) bool {
	parts := strings.Split(s.Automation, "*")
	if len(parts) == 1 {
		return label == s.Automation
	}
	rest, ok := strings.CutPrefix(label, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		if ok {
			_, rest, ok = strings.Cut(rest, part)
		}
	}
	return ok && strings.HasSuffix(rest, parts[len(parts)-1])
}

const farthest = 70 // how many days there may be between two occasions of a deadline

const usually = 12 * time.Hour // for how long before a deadline its tasks may be created, if its day began later

// Between returns the occasions on which a deadline by a time falls due after a time, and until another, in order.
func (d *Deadline) Between(after, until time.Time) []Occasion {
	year, month, first := after.In(d.Zone).Date()
	on := func(n int) time.Time { return time.Date(year, month, n, 0, 0, 0, 0, time.UTC) }
	var all []Occasion
	for n := first - farthest; on(n).Before(until.AddDate(0, 0, farthest)); n++ {
		if !d.falls(on(n)) {
			continue
		}
		o := d.occasion(year, month, n)
		if last := len(all) - 1; last >= 0 {
			if o.From.Before(all[last].Due) {
				o.From = all[last].Due
			}
			all[last].Until = o.From
		}
		if all = append(all, o); o.Due.After(until) {
			break
		}
	}
	return slices.DeleteFunc(all, func(o Occasion) bool { return !o.Due.After(after) || o.Due.After(until) })
}

func (d *Deadline) occasion(year int, month time.Month, n int) Occasion {
	at := func(n, hour, minute int) time.Time { return period.Date(year, month, n, hour, minute, 0, 0, d.Zone) }
	due := at(n, d.Hour, d.Minute)
	from := due.Add(-usually)
	if midnight := at(n, 0, 0); midnight.Before(from) {
		from = midnight
	}
	if f := d.From; f != nil && at(n-f.Days, f.Hour, f.Minute).Before(due) { // Clocks may skip the time between them.
		from = at(n-f.Days, f.Hour, f.Minute)
	}
	return Occasion{From: from, Due: due, Until: due.AddDate(1, 0, 0), End: at(n+1, 0, 0)}
}
