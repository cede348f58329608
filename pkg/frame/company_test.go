package frame_test

import (
	"fmt"
	"maps"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
)

// company is what robots of a company in São Paulo do, from the end of August to the second week of November 2026.
type company struct {
	*rand.Rand
	zone  *time.Location
	tasks []task
}

// each adds the tasks of an automation: on some days from an hour on, so many, some time apart.
func (c *company) each(automation string, on func(time.Time) bool, from float64, n int, apart, takes time.Duration) {
	for d := time.Date(2026, 8, 31, 0, 0, 0, 0, c.zone); d.Month() != 11 || d.Day() < 10; d = d.AddDate(0, 0, 1) {
		for i := range n {
			if !on(d) {
				continue
			}
			at := d.Add(time.Duration(from*float64(time.Hour)) + time.Duration(i)*apart + time.Duration(c.Intn(240))*time.Second)
			one := done(len(c.tasks), at, "SUCCESS")
			one.activityLabel, one.dateLastModified = &automation, ptr(one.dateStart.Add(takes*time.Duration(80+c.Intn(40))/100))
			if c.Intn(100) == 0 {
				one.finishStatus = ptr("FAILED")
			}
			c.tasks = append(c.tasks, one)
		}
	}
}

// change changes the tasks of an automation, or of all, that are created within a time, and removes those of which it returns false.
func (c *company) change(automation, from, to string, change func(*task) bool) {
	at := func(text string) time.Time {
		t, _ := time.ParseInLocation("01-02T15:04", text, c.zone)
		return t.AddDate(2026, 0, 0)
	}
	c.tasks = slices.DeleteFunc(c.tasks, func(t task) bool {
		isIn := !t.dateCreation.Before(at(from)) && t.dateCreation.Before(at(to)) && (automation == "" || *t.activityLabel == automation)
		return isIn && !change(&t)
	})
}

func fails(t *task) bool {
	*t.finishStatus = "FAILED"
	return true
}

func comes(*task) bool { return false }

// Two weeks of a company with a month end, a holiday and a strike, as a rule sees them: what begins and ends is what an operator
// would want to hear, and when. Everything else is quiet.
func TestTwoWeeksOfACompany(t *testing.T) {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	require.NoError(t, err)
	calendar, problems := deadlines.ParseCalendar(map[string]any{
		"timezone": "America/Sao_Paulo", "holidays": []any{"2026-09-07 Independência", "2026-10-12 Aparecida", "2026-11-02 Finados"},
	})
	require.Empty(t, problems)
	works := func(d time.Time) bool { return d.Weekday()%6 != 0 && !calendar.IsHoliday(d) }
	daily := func(time.Time) bool { return true }
	lastWorkday := func(d time.Time) bool {
		next := d.AddDate(0, 0, 1)
		for ; !works(next); next = next.AddDate(0, 0, 1) {
		}
		return works(d) && next.Month() != d.Month()
	}
	c := &company{Rand: rand.New(rand.NewSource(1)), zone: zone}
	c.each("e-mails", works, 8, 20, 30*time.Minute, 2*time.Minute)
	c.each("pedidos", works, 8, 20, 30*time.Minute, 4*time.Minute)
	c.each("notas", works, 9, 8, time.Hour, 10*time.Minute)
	c.each("cobrança", works, 10, 2, 4*time.Hour, 20*time.Minute)
	c.each("folha", works, 5, 1, 0, 40*time.Minute)
	c.each("extratos", daily, 2, 1, 0, 30*time.Minute)
	c.each("backup", daily, 3, 1, 0, time.Hour)
	c.each("preços", daily, 0, 12, 2*time.Hour, 5*time.Minute)
	c.each("semanal", func(d time.Time) bool { return d.Weekday() == time.Monday && works(d) }, 7, 1, 0, time.Hour)
	c.each("fechamento", lastWorkday, 9, 20, 20*time.Minute, 15*time.Minute)

	c.change("pedidos", "10-27T10:00", "10-28T09:00", fails)
	c.change("extratos", "10-29T00:00", "10-30T00:00", func(t *task) bool {
		*t.dateLastModified = t.dateStart.Add(9 * time.Hour) // hangs, until somebody ends it
		return fails(t)
	})
	c.change("fechamento", "10-30T00:00", "10-31T00:00", func(t *task) bool {
		*t.dateLastModified = t.dateLastModified.Add(2 * time.Hour) // so the last ones are late
		return true
	})
	c.change("notas", "11-03T00:00", "11-04T12:00", comes) // nobody started it after the holiday
	c.change("", "11-05T00:00", "11-06T12:00", comes)      // the strike
	c.change("cobrança", "11-06T12:00", "11-07T00:00", comes)
	slices.SortStableFunc(c.tasks, func(a, b task) int { return a.dateCreation.Compare(*b.dateCreation) })

	lines := linesIn(t, calendar, `{"automation":"folha","by":"07:00","days":["workday"]},{"automation":"fechamento","by":"16:00","days":["last workday"],"count":20}`)
	from := time.Date(2026, 10, 26, 0, 30, 0, 0, zone)
	if testing.Short() {
		from = from.AddDate(0, 0, 7)
	}
	said, before := "", map[string]bool{}
	for now := from; now.Day() != 10; now = now.Add(time.Hour) {
		known, _ := asOf(c.tasks, now)
		s := attending(now, known)
		s.Deadlines, s.Calendar, s.Location = lines, calendar, zone
		is := map[string]bool{}
		for _, f := range mustJudge(t, attention(s, false)).Fields {
			if severity, isKnown := valuesOf(f)[0].(float64); isKnown && severity > 1 {
				is[fmt.Sprint(f.Labels["activityLabel"], ": ", f.Labels["reason"])] = true
			}
		}
		why := map[any]string{}
		if !maps.Equal(is, before) {
			panel := mustMake(t, makeAttention, s)
			for i, automation := range texts(panel, "activityLabel") {
				why[automation] = whys(t, panel)[i]
			}
		}
		for _, each := range slices.Sorted(maps.Keys(before)) {
			if !is[each] {
				said += fmt.Sprintf("| %s | %s ends | |\n", now.Format("Mon 02 15:04"), each)
			}
		}
		for _, each := range slices.Sorted(maps.Keys(is)) {
			if !before[each] {
				automation, _, _ := strings.Cut(each, ":")
				said += fmt.Sprintf("| %s | **%s** | %s |\n", now.Format("Mon 02 15:04"), each, why[automation])
			}
		}
		before = is
	}
	path := "testdata/company.md"
	if *update && !testing.Short() {
		require.NoError(t, os.WriteFile(path, []byte(said), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	whole := string(want)
	if testing.Short() {
		whole = whole[strings.Index(whole, "| Tue 03"):]
	}
	assert.Equal(t, whole, said)
}
