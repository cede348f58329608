// Package deadlines is what must be done by when, as the setting of the data source lists it, and when it falls due. It
// knows no tasks.
package deadlines

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/gtime"

	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Deadline is a line of the setting: on some days, a number of successes by a time or, if Within is set, a success within
// that time of the creation of each task.
type Deadline struct {
	Line       int    // in the setting, from 1
	Automation string // label, in which * matches any text
	Within     time.Duration

	Hour, Minute int // up to 24:00, the end of the day
	Days         map[time.Weekday]bool
	Zone         *time.Location
	Count        int // of successes on that day
}

// Occasion is when a deadline falls due: what ends between From and before Due is in time.
type Occasion struct{ From, Due, End time.Time } // End is that of the day

// Title names the setting and a line, from 1; 0: the whole setting.
func Title(line int) string {
	title := schema.GetSetting("deadlines").Title()
	if line > 0 {
		title += fmt.Sprintf(", line %d", line)
	}
	return title
}

// Parse reads the setting as decoded from JSON. Problems say why lines can't be used, and the way out.
func Parse(value any) (of []*Deadline, problems []string) {
	if value == nil || value == "" {
		return nil, nil
	}
	lines, ok := value.([]any)
	if !ok {
		return nil, []string{fmt.Sprintf("%s: %v must be a list, with a line for each deadline", Title(0), value)}
	}
	for n, line := range lines {
		values, _ := line.(map[string]any)
		l := &reading{Deadline: Deadline{Line: n + 1}, values: values}
		if l.read(); l.problem != "" {
			problems = append(problems, Title(n+1)+": "+l.problem)
		}
		of = append(of, &l.Deadline)
	}
	return of, problems
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

var (
	names      = []string{"automation", "by", "days", "timezone", "count", "within"}
	ofBy       = []string{"days", "timezone", "count"}
	weekdays   = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}
	clockTime  = regexp.MustCompile(`^([01]\d|2[0-4]):([0-5]\d)$`)
	duration   = regexp.MustCompile(`^(\d{1,3}d|(\d{1,4}h)?(\d{1,5}m)?)$`)
	maxCount   = 10_000
	maxMinutes = 30 * 24 * 60
)

func (l *reading) read() {
	for _, name := range slices.Sorted(maps.Keys(l.values)) {
		if !slices.Contains(names, name) {
			l.reject("unknown %q: use %s", name, schema.List(names))
		}
	}
	l.Automation = l.text("automation")
	by, within := l.text("by"), l.text("within")
	switch {
	case l.Automation == "":
		l.reject("has no automation: enter its label, in which * matches any text")
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

func (l *reading) within(text string) {
	d, err := gtime.ParseDuration(text)
	if !duration.MatchString(text) || err != nil || d < time.Minute || d > time.Duration(maxMinutes)*time.Minute {
		l.reject("within is %q: enter a duration from 1m to 30d, such as 45m", text)
	}
	l.Within = d
	for _, name := range ofBy {
		if !isEmpty(l.values[name]) {
			l.reject("%s belongs to by, not to within: remove it", name)
		}
	}
}

func (l *reading) by(text string) {
	match := clockTime.FindStringSubmatch(text)
	if match == nil || text == "00:00" || text > "24:00" {
		l.reject(`by is %q: enter a time from 00:01 to 24:00, such as "07:00"`, text)
		return
	}
	l.Hour, _ = strconv.Atoi(match[1])
	l.Minute, _ = strconv.Atoi(match[2])
	l.days()
	zone, ok := period.Zone(l.text("timezone"))
	if !ok {
		l.reject("timezone is %q: use a name such as America/Sao_Paulo", l.text("timezone"))
	}
	l.Zone, l.Count = zone, l.count()
}

func (l *reading) days() {
	value := l.values["days"]
	list, ok := value.([]any)
	l.Days = map[time.Weekday]bool{}
	for _, each := range list {
		text, _ := each.(string)
		n := slices.Index(weekdays, strings.ToLower(strings.TrimSpace(text)))
		ok = ok && n >= 0
		l.Days[time.Weekday(n)] = true
	}
	if isEmpty(value) {
		for n := range weekdays {
			l.Days[time.Weekday(n)] = true
		}
	} else if !ok {
		l.reject("days is %v: must be a list of mon, tue, wed, thu, fri, sat, sun. Omit it for every day", value)
	}
}

// count reads a whole number, which may be written as text.
func (l *reading) count() int {
	value := l.values["count"]
	if isEmpty(value) {
		return 1
	}
	n, ok := value.(float64)
	if text, isText := value.(string); isText {
		parsed, err := strconv.Atoi(strings.TrimSpace(text))
		n, ok = float64(parsed), err == nil
	}
	if !ok || n != math.Trunc(n) || n < 1 || n > float64(maxCount) {
		l.reject("count is %v: must be a whole number from 1 to %d. Omit it for 1", value, maxCount)
	}
	return int(n)
}

// text reads a text without spaces around it; empty if it is absent.
func (l *reading) text(name string) string {
	value := l.values[name]
	text, ok := value.(string)
	if value != nil && !ok {
		l.reject("%s is %v: must be a text, in quotes", name, value)
	}
	return strings.TrimSpace(text)
}

func isEmpty(value any) bool {
	list, isList := value.([]any)
	text, isText := value.(string)
	return value == nil || isList && len(list) == 0 || isText && strings.TrimSpace(text) == ""
}

// Matches reports whether a deadline is one of an automation.
func (d *Deadline) Matches(label string) bool {
	parts := strings.Split(d.Automation, "*")
	if len(parts) == 1 {
		return label == d.Automation
	}
	rest, ok := strings.CutPrefix(label, parts[0])
	for _, part := range parts[1 : len(parts)-1] {
		if ok {
			_, rest, ok = strings.Cut(rest, part)
		}
	}
	return ok && strings.HasSuffix(rest, parts[len(parts)-1])
}

// Of returns the deadlines of an automation.
func Of(all []*Deadline, label string) (of []*Deadline) {
	for _, d := range all {
		if d.Matches(label) {
			of = append(of, d)
		}
	}
	return of
}

// Between returns when a deadline by a time falls due after a time, and until another, in order.
func (d *Deadline) Between(after, until time.Time) (occasions []Occasion) {
	year, month, first := after.In(d.Zone).Date()
	for n := first - 1; ; n++ { // 24:00 is on the day before
		from := period.Date(year, month, n, 0, 0, 0, 0, d.Zone)
		if !from.Before(until) {
			return occasions
		}
		due := period.Date(year, month, n, d.Hour, d.Minute, 0, 0, d.Zone)
		date := time.Date(year, month, n, 0, 0, 0, 0, time.UTC)
		exists := due.After(from) // In Brazil, days have begun at 1:00.
		if d.Days[date.Weekday()] && exists && due.After(after) && !due.After(until) {
			occasions = append(occasions, Occasion{from, due, period.Date(year, month, n+1, 0, 0, 0, 0, d.Zone)})
		}
	}
}
