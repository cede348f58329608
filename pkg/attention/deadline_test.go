package attention

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
)

// promised are the tasks of "payroll", which must be done by some deadlines, and of another automation.
type promised struct {
	zone        *time.Location
	deadlines   []*deadlines.Deadline
	tasks, work []Task
}

func promise(t *testing.T, zone, lines string) *promised {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal([]byte("["+lines+"]"), &value))
	calendar, _ := deadlines.ParseCalendar(nil)
	of, problems := deadlines.Parse(value, calendar)
	require.Empty(t, problems)
	location, err := time.LoadLocation(zone)
	require.NoError(t, err)
	return &promised{zone: location, deadlines: of}
}

// at returns a time of November 2026, or of the month before for a negative day.
func (p *promised) at(day, hour, minute int) time.Time {
	return time.Date(2026, 11, day, hour, minute, 0, 0, p.zone)
}

func (p *promised) task(created time.Time, minutes int, status Status) *promised {
	start := created.UnixNano() + minute
	p.tasks = append(p.tasks, Task{
		Row: len(p.tasks), Created: created.UnixNano(), Started: start, Ended: start + int64(minutes)*minute, State: Finished, Status: status, Runner: "a",
	})
	return p
}

// daily adds a task a day of 40 minutes from 6:00 on, and tasks of another automation every hour.
func (p *promised) daily(from, to int) *promised {
	for d := from; d <= to; d++ {
		p.task(p.at(d, 6, 0), 39, Success)
		p.others(d, d)
	}
	return p
}

func (p *promised) others(from, to int) *promised {
	for d := from; d <= to; d++ {
		for hour := range 24 {
			at := p.at(d, hour, 0).UnixNano()
			p.work = append(p.work, Task{Created: at, Started: at + minute, Ended: at + 5*minute, State: Finished, Status: Success, Runner: "b"})
		}
	}
	return p
}

// open adds a task that waits, or runs, without end.
func (p *promised) open(created time.Time, state State) *promised {
	t := Task{Row: len(p.tasks), Created: created.UnixNano(), State: state}
	if state == Running {
		t.Started = t.Created + minute
	}
	p.tasks = append(p.tasks, t)
	return p
}

// group returns the automation as it is known at a time.
func (p *promised) group(now time.Time) *Group {
	known := func(tasks []Task) []Task {
		w := &world{tasks: slices.SortedFunc(slices.Values(tasks), func(a, b Task) int { return int(a.Created - b.Created) }), running: Running}
		return w.asOf(now.UnixNano(), nil)
	}
	tasks, work := known(p.tasks), known(p.work)
	first := now.UnixNano()
	for _, t := range slices.Concat(tasks, work) {
		first = min(first, t.Created)
	}
	return &Group{
		Tasks: tasks, Now: now.UnixNano(), Known: first, Automation: "payroll", Deadlines: p.deadlines,
		Work: NewWork(map[string][]Task{"payroll": tasks, "other": work}, now.UnixNano()),
	}
}

const workdays = `{"automation":"payroll","by":"07:00","days":["mon","tue","wed","thu","fri"],"timezone":"%s"}`

// November 24 is a Tuesday. Each claim has a world beside it in which it is false. TestAYearOfDeadlines has the kinds of lines.
func TestDeadlineOverTime(t *testing.T) {
	type step struct {
		day, hour, minute int
		states            []DueState
		severity          int
	}
	one := func(s DueState) []DueState { return []DueState{s} }
	usual := func(p *promised) *promised { return p.daily(2, 23) }
	for name, test := range map[string]struct {
		line  string
		world func(p *promised) *promised
		steps []step
	}{
		"done": {workdays, func(p *promised) *promised { return usual(p).daily(24, 24) }, []step{
			{24, 5, 59, one(DueOpen), 0}, {24, 6, 20, one(DueRunning), 0}, {24, 6, 40, one(DueDone), 0}, {24, 7, 0, one(DueDone), 0},
			{24, 18, 59, one(DueDone), 0}, {24, 23, 59, []DueState{DueDone, DueOpen}, 0}, {25, 0, 0, one(DueOpen), 0},
		}},
		"not done until ten": {workdays, func(p *promised) *promised { return usual(p).others(24, 25).task(p.at(24, 9, 30), 30, Success) }, []step{
			{24, 6, 20, one(DueOpen), 0}, {24, 6, 22, one(DueAtRisk), 2}, {24, 6, 59, one(DueAtRisk), 2}, {24, 7, 0, one(DueLate), 3},
			{24, 9, 45, one(DueLate), 3}, {24, 10, 1, one(DueDone), 0}, {25, 0, 0, one(DueOpen), 0},
		}},
		"without a result, which it may still get for an hour": {workdays, func(p *promised) *promised { return usual(p).others(24, 24).task(p.at(24, 6, 0), 39, None) }, []step{
			{24, 7, 10, one(DueRunning), 0}, {24, 7, 41, one(DueLate), 3},
		}},
		"it starts too late": {workdays, func(p *promised) *promised { return usual(p).others(24, 24).task(p.at(24, 6, 21), 39, Success) }, []step{
			{24, 6, 21, one(DueQueued), 0}, {24, 6, 22, one(DueAtRisk), 2}, {24, 6, 59, one(DueAtRisk), 2}, {24, 7, 0, one(DueLate), 3}, {24, 7, 1, one(DueDone), 0},
		}},
		"nothing ran": {workdays, func(p *promised) *promised { return usual(p).daily(25, 25) }, []step{
			{24, 6, 20, one(DueOpen), 0}, {24, 6, 59, one(DueAtRisk), 2}, {24, 7, 0, one(DueLate), 3}, {24, 18, 59, one(DueLate), 3},
			{25, 6, 20, []DueState{DueLate, DueRunning}, 3}, {25, 6, 40, one(DueDone), 0},
		}},
		"it hangs": {`{"automation":"payroll","by":"12:00","timezone":"%s"}`,
			func(p *promised) *promised { return usual(p).others(24, 24).open(p.at(24, 6, 0), Running) },
			[]step{{24, 11, 20, one(DueRunning), 0}, {24, 11, 22, one(DueAtRisk), 2}, {24, 11, 59, one(DueAtRisk), 2}, {24, 12, 0, one(DueLate), 3}}},
		"it waits since yesterday": {workdays, func(p *promised) *promised { return usual(p).open(p.at(23, 23, 50), Queued) }, []step{
			{24, 6, 15, one(DueQueued), 0}, {24, 6, 59, one(DueAtRisk), 2}, {24, 7, 0, one(DueLate), 3}, {24, 18, 59, one(DueLate), 3},
		}},
		"never a task": {workdays, func(p *promised) *promised { return p.others(2, 24) }, []step{{24, 6, 59, []DueState{DueLate, DueOpen}, 3}, {24, 7, 0, one(DueLate), 3}}},
		"before anything is known": {workdays, func(p *promised) *promised {
			p.others(24, 24)
			p.work = p.work[5:]
			return p
		}, []step{{24, 7, 0, nil, 0}}},
		"three, of which two are done": {`{"automation":"payroll","by":"18:30","count":3,"timezone":"%s"}`,
			func(p *promised) *promised {
				return usual(p).others(24, 24).task(p.at(24, 8, 0), 39, Success).task(p.at(24, 9, 0), 39, Success).task(p.at(24, 19, 0), 39, Success)
			},
			[]step{{24, 12, 0, []DueState{DueLate, DueOpen}, 3}, {24, 17, 52, []DueState{DueLate, DueAtRisk}, 3}, {24, 18, 30, one(DueLate), 3}, {24, 19, 41, one(DueDone), 0}}},
		"within an hour": {`{"automation":"payroll","within":"1h"}`, func(p *promised) *promised { return usual(p).daily(24, 24) }, []step{
			{24, 5, 0, nil, 0}, {24, 6, 20, one(DueRunning), 0}, {24, 8, 0, nil, 0},
		}},
		"within half an hour": {`{"automation":"payroll","within":"30m"}`, func(p *promised) *promised { return usual(p).daily(24, 24) }, []step{
			{24, 6, 5, one(DueAtRisk), 2}, {24, 6, 30, one(DueLate), 3}, {24, 6, 41, nil, 0},
		}},
		"failed, within an hour": {`{"automation":"payroll","within":"1h"}`,
			func(p *promised) *promised {
				return usual(p).task(p.at(24, 6, 0), 5, Failed).task(p.at(24, 10, 0), 5, Success)
			},
			[]step{{24, 6, 30, one(DueOpen), 0}, {24, 7, 0, one(DueLate), 3}, {24, 10, 3, []DueState{DueLate}, 3}, {24, 10, 7, nil, 0}}},
	} {
		for _, zone := range []string{"Europe/Berlin", "America/New_York", "America/Sao_Paulo", "UTC"} {
			t.Run(name+", "+zone, func(t *testing.T) {
				p := test.world(promise(t, zone, strings.ReplaceAll(test.line, "%s", zone)))
				for _, s := range test.steps {
					now := p.at(s.day, s.hour, s.minute)
					g, severity := p.group(now), 0
					var states []DueState
					dues, _ := g.Dues()
					for _, due := range dues {
						states = append(states, due.State)
					}
					assert.Equal(t, s.states, states, "at %s", now)
					if late := g.history().deadline(); late != nil {
						severity = late.Severity
						assert.LessOrEqual(t, late.Since, now.UnixNano())
						assert.True(t, severity < 3 || late.Since == late.Due.At, "its beginning doesn't move")
					}
					assert.Equal(t, s.severity, severity, "at %s", now)
				}
			})
		}
	}
}

// What a line says of the calendar is found out once, however many automations it matches.
func TestOccasionsOfAFleet(t *testing.T) {
	p := promise(t, "UTC", `{"automation":"*","by":"07:00","days":["last workday"]}`).daily(2, 23)
	first := p.group(p.at(24, 6, 0))
	for range 500 {
		g := *first
		_, isWhole := g.Dues()
		assert.True(t, isWhole)
		g.Findings()
		g.Outcomes(g.Known, g.Now)
	}
	assert.Len(t, first.Work.due, 2, "those about now, and those until now")
}
