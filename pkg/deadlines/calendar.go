package deadlines

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/period"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Calendar is on which days work is expected: what the setting says of all deadlines, and of silence.
type Calendar struct {
	Zone     *time.Location
	workdays []time.Weekday
	holidays map[string]bool // such as 2026-04-03, or 12-25
}

const eachYear = "01-02"

var calendarNames = []string{"timezone", "workdays", "holidays"}

// ParseCalendar reads the setting as decoded from JSON. Absent: Monday to Friday in UTC, without holidays.
func ParseCalendar(value any) (*Calendar, []string) {
	values, ok := value.(map[string]any)
	l := &reading{values: values}
	l.rejectIf(!ok && !isEmpty(value), "%s must have %s", schema.Shown(value), schema.List(calendarNames))
	l.known(calendarNames)
	c := &Calendar{Zone: l.zone(time.UTC), holidays: map[string]bool{}}
	for _, text := range l.list("workdays") {
		n := slices.Index(weekdays, text)
		l.rejectIf(n < 0, "workdays has %s: use mon, tue, wed, thu, fri, sat, sun", text)
		c.workdays = append(c.workdays, time.Weekday(n))
	}
	if len(c.workdays) == 0 {
		c.workdays = []time.Weekday{1, 2, 3, 4, 5}
	}
	for _, text := range l.list("holidays") {
		day, _, _ := strings.Cut(text, " ") // and, perhaps, the name of the holiday
		// YAML makes a time of a date without quotes.
		day = strings.TrimSuffix(day, "t00:00:00z")
		_, noDate := time.Parse(time.DateOnly, day)
		if _, noDay := time.Parse(eachYear, day); noDate != nil && noDay != nil {
			l.reject("holidays has %s: use dates such as 2026-04-03, or 12-25 for each year", text)
		}
		c.holidays[day] = true
	}
	if l.problem != "" {
		return c, []string{schema.GetSetting("calendar").Title() + ": " + l.problem}
	}
	return c, nil
}

// IsHoliday reports whether a date is one on which nothing is expected, whatever its weekday.
func (c *Calendar) IsHoliday(t time.Time) bool {
	return len(c.holidays) > 0 && (c.holidays[t.Format(time.DateOnly)] || c.holidays[t.Format(eachYear)])
}

// LacksHolidays reports whether a deadline is about workdays, but no holiday of a year is known.
func (d *Deadline) LacksHolidays(year int) bool {
	for day := range d.Calendar.holidays {
		if of := strconv.Itoa(year) + "-"; len(day) == len(eachYear) || strings.HasPrefix(day, of) {
			return false
		}
	}
	return d.ofWorkdays
}

func (c *Calendar) isWorkday(t time.Time) bool {
	return slices.Contains(c.workdays, t.Weekday()) && !c.IsHoliday(t)
}

func (d *Deadline) falls(t time.Time) bool {
	isLast := t.AddDate(0, 0, 1).Day() == 1
	switch weekday := d.Days[weekdays[t.Weekday()]]; {
	case len(d.Days) == 0 || d.isNth("", t.Day(), isLast) || weekday && !d.Calendar.IsHoliday(t):
		return true
	case !d.ofWorkdays || !d.Calendar.isWorkday(t):
		return false
	case d.Days["workday"]:
		return true
	}
	n, isLast := 0, true // of the workdays of the month
	for each := t.AddDate(0, 0, 1-t.Day()); each.Month() == t.Month(); each = each.AddDate(0, 0, 1) {
		if is := d.Calendar.isWorkday(each); is && each.After(t) {
			isLast = false
		} else if is {
			n++
		}
	}
	return d.isNth("workday ", n, isLast)
}

// isNth reports whether the nth day of a kind is one of the days. What a month is too short for is on the last one.
func (d *Deadline) isNth(kind string, n int, isLast bool) bool {
	is := d.Days[kind+strconv.Itoa(n)] || isLast && d.Days[strings.TrimSpace("last "+kind)]
	for ; isLast && n <= 31; n++ {
		is = is || d.Days[kind+strconv.Itoa(n)]
	}
	return is
}

func (l *reading) zone(absent *time.Location) *time.Location {
	name := l.text("timezone")
	if name == "" {
		return absent
	}
	zone, ok := period.Zone(name)
	l.rejectIf(!ok, "timezone is %q: use a name such as America/Sao_Paulo", name)
	return zone
}

func (l *reading) list(name string) (texts []string) {
	value := l.values[name]
	list, ok := value.([]any)
	for _, each := range list {
		_, isNumber := each.(float64)
		_, isText := each.(string)
		ok = ok && (isText || isNumber)
		texts = append(texts, strings.Join(strings.Fields(strings.ToLower(fmt.Sprint(each))), " "))
	}
	l.rejectIf(!ok && !isEmpty(value), "%s is %s: must be a list", name, schema.Shown(value))
	return texts
}

// Team is a line of the setting: whom automations belong to.
type Team struct {
	Scope
	Team string
}

// Teams are the lines of the setting.
type Teams []Team

// ParseTeams reads the setting as decoded from JSON. Problems say why lines can't be used, and the way out.
func ParseTeams(value any) (teams Teams, problems []string) {
	problems = eachLine("teams", []string{"automation", "team"}, value, func(l *reading) {
		team := l.text("team")
		l.rejectIf(team == "", "has no team: enter a name such as Finance")
		teams = append(teams, Team{l.Scope, team})
	})
	return teams, problems
}

// Of returns the team of an automation, of the first line that matches its label; empty without one.
func (teams Teams) Of(label string) string {
	for _, t := range teams {
		if t.Matches(label) {
			return t.Team
		}
	}
	return ""
}
