package attention

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
)

// wall is what clocks of a zone showed in each minute of some months, which shares nothing with the code under test: minutes, as if
// it were UTC.
type wall struct {
	first time.Time
	shown []int64
}

func wallOf(zone *time.Location, from, to time.Time) *wall {
	w := &wall{first: from}
	for t := from; t.Before(to); t = t.Add(time.Minute) {
		_, offset := t.In(zone).Zone()
		w.shown = append(w.shown, (t.Unix()+int64(offset))/60)
	}
	return w
}

// times returns when clocks show a date and a minute of the day or, if they skip it, when they go on after it.
func (w *wall) times(date time.Time, minute int) (times []time.Time) {
	asked := date.Unix()/60 + int64(minute)
	near := int(asked - w.shown[0]) // clocks change by an hour
	for n := near - 90; n < near+90; n++ {
		if isSkipped := w.shown[n-1] < asked && w.shown[n] > asked; isSkipped || w.shown[n] == asked {
			times = append(times, w.first.Add(time.Duration(n)*time.Minute))
		}
	}
	return times
}

// yearLine is a line and what it means: its days, as dates at 0:00 UTC.
type yearLine struct {
	text    string
	by      int // minutes
	from    int // minutes before the midnight of its day, if it has one
	hasFrom bool
	count   int
	dates   []time.Time
}

var yearNames = []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}

// kindsOfDays are the days of lines, and which those of a month are, of whose workdays there is a list.
var kindsOfDays = []struct {
	text string // with n
	isOn func(t time.Time, n, length int, workdays []int, isHoliday bool) bool
}{
	{"", func(time.Time, int, int, []int, bool) bool { return true }},
	{`"mon","thu"`, func(t time.Time, _, _ int, _ []int, isHoliday bool) bool { return t.Weekday()%3 == 1 && !isHoliday }},
	{`"workday"`, func(t time.Time, _, _ int, workdays []int, _ bool) bool { return slices.Contains(workdays, t.Day()) }},
	{"%d", func(t time.Time, n, length int, _ []int, _ bool) bool { return t.Day() == min(n, length) }},
	{`"last"`, func(t time.Time, _, length int, _ []int, _ bool) bool { return t.Day() == length }},
	{`"last workday"`, func(t time.Time, _, _ int, workdays []int, _ bool) bool { return t.Day() == workdays[len(workdays)-1] }},
	{`"workday %d"`, func(t time.Time, n, _ int, workdays []int, _ bool) bool {
		return t.Day() == workdays[min(n, len(workdays))-1]
	}},
}

func randomLine(r *rand.Rand, zone string, first, last time.Time, isHoliday func(time.Time) bool, works []int) yearLine {
	l := yearLine{by: 1 + r.Intn(24*60), count: 1 + r.Intn(2)}
	if r.Intn(4) == 0 {
		l.by = []int{24 * 60, 30, 1, 150, 60}[r.Intn(5)]
	}
	kind, n := kindsOfDays[r.Intn(len(kindsOfDays))], []int{1 + r.Intn(31), 29, 30, 31, 21, 22}[r.Intn(6)]
	if strings.HasPrefix(kind.text, `"workday %`) {
		n = 1 + n%23
	}
	from := ""
	switch r.Intn(4) {
	case 0:
		clock := r.Intn(24 * 60)
		l.hasFrom, l.from = true, -clock
		if clock >= l.by {
			l.from += 24 * 60
		}
		from = fmt.Sprintf(`,"from":"%02d:%02d"`, clock/60, clock%60)
	case 1:
		d := 1 + r.Intn(6)
		l.hasFrom, l.from = true, d*24*60
		from = fmt.Sprintf(`,"from":"%dd"`, d)
	}
	days := strings.ReplaceAll(kind.text, "%d", fmt.Sprint(n))
	l.text = fmt.Sprintf(`{"automation":"payroll","by":"%02d:%02d","count":%d,"timezone":"%s","days":[%s]%s}`, l.by/60, l.by%60, l.count, zone, days, from)
	for t := first; t.Before(last); t = t.AddDate(0, 0, 1) {
		length := time.Date(t.Year(), t.Month()+1, 0, 0, 0, 0, 0, time.UTC).Day()
		var workdays []int
		for d := 1; d <= length; d++ {
			if each := t.AddDate(0, 0, d-t.Day()); slices.Contains(works, int(each.Weekday())) && !isHoliday(each) {
				workdays = append(workdays, d)
			}
		}
		if kind.isOn(t, n, length, workdays, isHoliday(t)) {
			l.dates = append(l.dates, t)
		}
	}
	return l
}

// Deadlines of a year agree with a plain reference: of all kinds of days, on holidays, at the ends of months, when clocks change.
// A success is one of exactly one occasion, so that all of them together are what succeeded.
func TestAYearOfDeadlines(t *testing.T) {
	first, last := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	seeds := int64(9)
	if testing.Short() {
		seeds = 3
	}
	for z, name := range []string{"UTC", "Europe/Berlin", "America/Sao_Paulo", "America/Santiago", "Asia/Kolkata"} {
		zone, err := time.LoadLocation(name)
		require.NoError(t, err)
		w := wallOf(zone, first.AddDate(0, 0, -100), last.AddDate(0, 0, 100))
		for seed := range seeds {
			r := rand.New(rand.NewSource(seed + int64(1000*z)))
			works := [][]int{{1, 2, 3, 4, 5}, {0, 1, 2, 3, 4}, {1, 2, 3, 4, 5, 6}}[seed%3]
			isHoliday := func(t time.Time) bool {
				return t.Month() == 12 && t.Day() == 25 || t.Format("2006-01-02") == "2026-04-30" || t.Month() == 5 && t.Day() < 4
			}
			var workdays []any
			for _, n := range works {
				workdays = append(workdays, yearNames[n])
			}
			of, problems := deadlines.ParseCalendar(map[string]any{"holidays": []any{"12-25 Natal", "2026-04-30", "05-01", "05-02", "05-03"}, "workdays": workdays})
			require.Empty(t, problems)
			line := randomLine(r, name, first.AddDate(0, 0, -80), last.AddDate(0, 0, 80), isHoliday, works)
			var value any
			require.NoError(t, json.Unmarshal([]byte("["+line.text+"]"), &value))
			lines, problems := deadlines.Parse(value, of)
			require.Empty(t, problems)

			var dues []time.Time
			var windows [][2]int64
			for _, date := range line.dates {
				got := lines[0].Between(date.Add(-50*time.Hour), date.Add(60*time.Hour))
				times := w.times(date, line.by)
				n := slices.IndexFunc(got, func(o deadlines.Occasion) bool { return slices.ContainsFunc(times, o.Due.Equal) })
				require.GreaterOrEqual(t, n, 0, "%s on %s: %v is none of %v", line.text, date, got, times)
				due := got[n].Due
				require.Equal(t, w.times(date, 24*60)[0].UTC(), got[n].End.UTC(), line.text)
				midnight := w.times(date, 0)[0]
				from := due.Add(-12 * time.Hour)
				if midnight.Before(from) {
					from = midnight
				}
				if line.hasFrom {
					date, minute := date, -line.from
					for minute < 0 {
						date, minute = date.AddDate(0, 0, -1), minute+24*60
					}
					all := w.times(date, minute)
					if n := slices.IndexFunc(all, got[n].From.Equal); n >= 0 { // clocks show it twice
						all = all[n:]
					}
					if all[0].Before(due) {
						from = all[0]
					}
				}
				if len(dues) > 0 && dues[len(dues)-1].After(from) {
					from = dues[len(dues)-1]
				}
				dues, windows = append(dues, due), append(windows, [2]int64{from.UnixNano(), 1 << 62})
				if len(windows) > 1 {
					windows[len(windows)-2][1] = from.UnixNano()
				}
			}
			require.Len(t, lines[0].Between(dues[3].Add(-1), dues[len(dues)-3]), len(dues)-5, line.text)

			var tasks []Task
			for at := first.AddDate(0, 0, -40); at.Before(last); at = at.Add(time.Duration(r.Intn(40*60)) * time.Minute) {
				created := at.UnixNano()
				status := []Status{Success, Success, Success, Failed, Partial}[r.Intn(5)]
				tasks = append(tasks, Task{Row: len(tasks), Created: created, Started: created, Ended: created + r.Int63n(6*hour), State: Finished, Status: status})
			}
			done := func(n int, now int64) (ends []int64) {
				for _, x := range tasks {
					if x.Status == Success && x.Created >= windows[n][0] && x.Created < windows[n][1] && x.Ended <= now {
						ends = append(ends, x.Ended)
					}
				}
				slices.SortFunc(ends, cmp.Compare[int64])
				return ends
			}
			now := last.UnixNano()
			g := &Group{Tasks: tasks, Now: now, Known: tasks[0].Created, Automation: "payroll", Deadlines: lines, Work: NewWork(map[string][]Task{"payroll": tasks}, now)}
			from, until := dues[r.Intn(len(dues)/2)].UnixNano(), dues[len(dues)/2+r.Intn(len(dues)/2)].UnixNano() // both count
			var want []bool
			kept := func() (kept []bool) {
				for _, o := range g.Outcomes(from, until) {
					kept = append(kept, o.IsKept())
				}
				return kept
			}
			for n, due := range dues {
				at := due
				if line.by == 24*60 { // on its day
					at = due.Add(-time.Millisecond)
				}
				if windows[n][0] >= tasks[0].Created && at.UnixNano() >= from && at.UnixNano() <= until && !due.After(last) {
					ends := done(n, now)
					want = append(want, len(ends) >= line.count && ends[line.count-1] < due.UnixNano())
				}
			}
			require.Equal(t, want, kept(), line.text)

			limit := int64(1+r.Intn(40)) * hour
			g.Deadlines, want = []*deadlines.Deadline{{Within: time.Duration(limit)}}, nil
			for n, task := range tasks { // or a later one
				isInTime := func(x Task) bool { return x.Status == Success && x.Ended <= task.Created+limit }
				if at := task.Created + limit; at >= from && at <= min(until, now) {
					want = append(want, slices.ContainsFunc(tasks[n:], isInTime))
				}
			}
			require.Equal(t, want, kept(), "within %d h", limit/hour)

			for range 40 { // what a rule says at some times
				now := first.UnixNano() + 40*day + r.Int63n(int64(last.Sub(first))-41*day)
				known := (&world{tasks: tasks, running: Running}).asOf(now, nil)
				g := &Group{Tasks: known, Now: now, Known: known[0].Created, Automation: "payroll", Deadlines: lines, Work: NewWork(map[string][]Task{"payroll": known}, now)}
				late := g.history().deadline()
				n := slices.IndexFunc(dues, func(due time.Time) bool { return due.UnixNano() > now }) - 1
				want := n >= 0 && len(done(n, now)) < line.count && len(done(n+1, now)) < line.count && windows[n][0] >= tasks[0].Created
				assert.Equal(t, want, late != nil && late.Severity == 3, "%s at %s", line.text, time.Unix(0, now).In(zone))
			}
		}
	}
}
