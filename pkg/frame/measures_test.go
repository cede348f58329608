package frame_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

// TestMeasures reads testdata/measures.test, which says at its top how it is written.
func TestMeasures(t *testing.T) {
	text, err := os.ReadFile("testdata/measures.test")
	require.NoError(t, err)
	tested := map[string]bool{}
	for _, part := range strings.Split(string(text), "\ncase ")[1:] {
		lines := strings.Split(part, "\n")
		t.Run(lines[0], func(t *testing.T) {
			s := &script{T: t, set: schema.All().Get("tasks"), now: now.Truncate(day).Add(12 * time.Hour)}
			for i := 1; i < len(lines); {
				first := i
				for i++; i < len(lines) && (strings.HasPrefix(lines[i], " ") || lines[i] == ""); i++ {
				}
				if words := wordsOf(lines[first]); len(words) > 0 {
					tested[words[0]] = true
					s.step(words, lines[first+1:i])
				}
			}
		})
	}
	for _, set := range []string{"tasks", "automations", "runners"} {
		for _, m := range schema.All().Get(set).Measures() {
			assert.True(t, tested[m.Name], "%s of %s is in no case", m.Name, set)
		}
	}
}

// script is a case: its rows, and what else holds until it ends.
type script struct {
	*testing.T
	set       *schema.DataSet
	now       time.Time
	rows      []record
	unknown   []string // fields that the data set doesn't describe
	deadlines string
	teams     deadlines.Teams
}

func (s *script) step(words, indented []string) {
	var rows [][]string
	for _, line := range indented {
		if words := wordsOf(line); len(words) > 0 {
			rows = append(rows, words)
		}
	}
	switch words[0] {
	case "now":
		s.now = s.time(words[1], s.now)
	case "set":
		s.set = schema.All().Get(words[1])
	case "deadlines":
		s.deadlines = words[1]
	case "teams":
		for _, team := range strings.Split(words[1], ",") {
			automation, name, _ := strings.Cut(team, "=")
			s.teams = append(s.teams, deadlines.Team{Scope: deadlines.Scope{Automation: automation}, Team: name})
		}
	case "load":
		s.unknown = slices.DeleteFunc(slices.Clone(rows[0]), func(name string) bool { return slices.Contains(schema.Names(s.set.Fields), name) })
		for _, row := range rows[1:] {
			s.load(rows[0], row)
		}
	default:
		s.eval(words, rows)
	}
}

// wordsOf returns the words of a line, without its comment.
func wordsOf(line string) []string {
	line, _, _ = strings.Cut(" "+line, " # ")
	return strings.Fields(line)
}

// time reads a clock time of the day of now, a date with a time, or a duration after another time.
func (s *script) time(text string, after time.Time) time.Time {
	if text[0] == '+' {
		return after.Add(s.duration(text[1:]))
	}
	if len(text) < len("11-20T15:04") {
		text = s.now.Format("01-02T") + text
	}
	if len(text) < len("11-20T15:04:05") {
		text += ":00"
	}
	at, err := time.Parse("2006-01-02T15:04:05", "2026-"+text)
	require.NoError(s, err)
	return at
}

func (s *script) duration(text string) time.Duration {
	length, err := time.ParseDuration(text)
	require.NoError(s, err)
	return length
}

func (s *script) load(header, row []string) {
	r, times, last := record{"id": int64(len(s.rows))}, 1, s.now
	if count, ok := strings.CutPrefix(row[len(row)-1], "×"); ok {
		times, _ = strconv.Atoi(count)
	}
	for i, name := range header {
		switch f := s.set.Field(name); {
		case row[i] == "-":
		case row[i] == `""`:
			r[name] = ""
		case f == nil:
			r[name] = row[i]
		case f.Type == schema.Time:
			last = s.time(row[i], last)
			r[name] = last
		case f.Type == schema.Number:
			r[name], _ = s.number(row[i])
		case name == "state" && slices.Contains(someStatuses, row[i]):
			r["state"], r["finishStatus"] = "FINISHED", row[i]
		default:
			r[name] = row[i]
		}
	}
	s.rows = append(s.rows, slices.Repeat([]record{r}, times)...)
}

var condition = regexp.MustCompile(`^(\w+)(=\||!=|>=|<=|=|<|>)(.*)$`)

// eval computes a measure, or a table, and compares what is shown.
func (s *script) eval(words []string, want [][]string) {
	r := request(s.set.Name, tableOf(s.set.Name, s.rows, s.unknown...))
	r.Teams = s.teams
	if strings.Contains(words[0], ",") {
		r.Figures = figuresOf(strings.Split(words[0], ",")...)
	}
	if r.Now, r.Measure, r.Long, r.Interval = s.now, words[0], true, 0; s.set.HasTimes() {
		r.From, r.To = s.now.Truncate(day), s.now
	}
	make := makeNumeric
	for i := 1; i < len(words); i += 2 {
		value := words[i+1]
		switch words[i] {
		case "of":
			r.Columns, r.Long, make = strings.Split(value, ","), false, makeTable
		case "from":
			r.From = s.time(value, s.now)
		case "to":
			r.To = s.time(value, s.now)
		case "known":
			r.Known = s.time(value, s.now)
		case "by":
			r.GroupBy = strings.Split(value, ",")
		case "at":
			r.TimeField = value
		case "in":
			r.Location = mustLoad(s.T, value)
		case "workspace":
			r.Workspace = map[string]string{"organizationLabel": value, "dataSource": "Insights-" + value}
		case "search":
			r.Contains = value
		case "limit":
			r.Limit, _ = strconv.Atoi(value)
		case "where":
			parts := condition.FindStringSubmatch(value)
			f, err := filter.New(parts[1], parts[2], strings.Split(parts[3], ","))
			require.NoError(s, err)
			r.Filters = append(r.Filters, f)
		case "sort":
			field, order, _ := strings.Cut(value, ",")
			r.Sort = &schema.Sort{Field: field, Order: order}
		case "per":
			r.Interval, make = s.duration(value), makeTimeSeries
		case "before":
			compareWith(r, s.duration(value))
		default:
			require.Fail(s, "unknown option "+words[i])
		}
	}
	if s.deadlines != "" {
		r.Deadlines = linesOf(s.T, s.deadlines)
	}
	if words[0] == "due" {
		r.GroupBy, r.From, r.Since, make = []string{s.set.AutomationField}, time.Time{}, s.now.AddDate(0, 0, -30), makeDue
	}
	s.compare(strings.Join(words, " "), want, shownIn(mustMake(s.T, make, r)))
}

// shownIn returns the rows of a table, or the labels of a group, and its numbers: of a line, those of its points. Notices follow.
func shownIn(f *data.Frame) (rows [][]string) {
	text := func(values ...any) (all []string) {
		for _, value := range values {
			shown := strings.Replace(fmt.Sprint(value), "<nil>", "null", 1)
			all = append(all, cmp.Or(shown, `""`))
		}
		return all
	}
	for i, field := range f.Fields {
		_, state := f.FieldByName("required") // of deadlines
		switch {
		case state >= 0 && i == 0:
			for row, automation := range valuesOf(field) {
				said := fmt.Sprint(automation, " ", texts(f, "state")[row], " ", texts(f, "why")[row])
				rows = append(rows, strings.Fields(strings.TrimSuffix(said, "<nil>")))
			}
		case state >= 0:
		case f.Meta.Type != data.FrameTypeTimeSeriesWide:
			for row, value := range valuesOf(field) {
				if i == 0 {
					rows = append(rows, nil)
				}
				rows[row] = append(rows[row], text(value)...)
			}
		case i > 0:
			rows = append(rows, slices.Concat(slices.Sorted(maps.Values(field.Labels)), text(valuesOf(field)...)))
		}
	}
	for _, n := range f.Meta.Notices {
		rows = append(rows, append([]string{"says"}, strings.Fields(n.Text)...))
	}
	return rows
}

func (s *script) compare(what string, want, got [][]string) {
	require.Len(s, got, len(want), "%s: %v", what, got)
	for i, row := range want {
		if row[0] == "says" {
			require.Contains(s, strings.Join(got[i], " "), strings.Join(row[1:], " "), what)
			continue
		}
		require.Len(s, got[i], len(row), "%s: %v", what, got)
		for n, text := range row {
			value, err := strconv.ParseFloat(got[i][n], 64)
			if err != nil {
				require.Equal(s, text, got[i][n], "%s: %v", what, got)
				continue
			}
			number, _ := s.number(text)
			require.InDelta(s, number, value, 1e-6*max(1, math.Abs(number)), "%s: %v", what, got)
		}
	}
}

// number reads a number, a fraction, a duration as seconds, or a clock time of the day of now as milliseconds since 1970.
func (s *script) number(text string) (float64, bool) {
	if part, whole, ok := strings.Cut(text, "/"); ok {
		a, err := strconv.ParseFloat(part, 64)
		b, _ := strconv.ParseFloat(whole, 64)
		return a / b, err == nil
	}
	if length, err := time.ParseDuration(text); err == nil && text != "0" {
		return length.Seconds(), true
	}
	if len(text) > 4 && text[2] == ':' {
		return float64(s.time(text, s.now).UnixMilli()), true
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

// shop is a queue of one automation that runners take tasks from, first in, first out, and whose future is known.
type shop struct {
	*rand.Rand
	takes func(*rand.Rand) time.Duration
	tasks []task
}

// batch adds tasks that are created at a time, and returns when the last one ends. Half of the runners may take none from some
// time on.
func (s *shop) batch(at time.Time, n, runners int, died time.Time) (end time.Time) {
	free := slices.Repeat([]time.Time{at}, runners)
	for range n {
		best := -1
		for i, from := range free {
			isDead := i%2 == 1 && !died.IsZero() && !from.Before(died)
			if !isDead && (best < 0 || from.Before(free[best])) {
				best = i
			}
		}
		from := free[best]
		free[best] = from.Add(s.takes(s.Rand))
		one := done(len(s.tasks), at, "SUCCESS")
		one.machineID, one.dateStart, one.dateLastModified = ptr(fmt.Sprint(best)), &from, ptr(free[best])
		s.tasks = append(s.tasks, one)
		if free[best].After(end) {
			end = free[best]
		}
	}
	return end
}

// asOf returns tasks, which have all ended in the end, as they are known at a time, and the seconds of work that is left.
func asOf(tasks []task, at time.Time) (known []task, left float64) {
	for _, t := range tasks {
		switch {
		case t.dateCreation.After(at) || t.dateCreation.Before(at.AddDate(0, 0, -30)):
			continue
		case t.dateStart.After(at):
			left += t.dateLastModified.Sub(*t.dateStart).Seconds()
			t.state, t.finishStatus, t.machineID, t.dateStart, t.dateLastModified = ptr("START"), nil, nil, nil, nil
		case t.dateLastModified.After(at):
			left += t.dateLastModified.Sub(at).Seconds()
			t.state, t.finishStatus, t.dateLastModified = ptr("RUNNING"), nil, t.dateStart
		}
		known = append(known, t)
	}
	return known, left
}

// What is forecast is, in the median, within 30 % of what happens: whatever the durations, when tasks take hours, and when half of
// the runners died, before or while they worked.
func TestForecasts(t *testing.T) {
	for kind, takes := range map[string]func(*rand.Rand) float64{
		"fixed": func(*rand.Rand) float64 { return 1 }, "uniform": func(r *rand.Rand) float64 { return 2 * r.Float64() },
		"exponential": (*rand.Rand).ExpFloat64,
	} {
		for _, mean := range []time.Duration{10 * time.Minute, 8 * time.Hour} {
			for _, deaths := range []string{"none died", "half died before", "half died"} {
				name := fmt.Sprintf("%s, %s, %s", kind, mean, deaths)
				var cleared, work []float64
				for seed := range int64(9) {
					s := &shop{Rand: rand.New(rand.NewSource(seed)), takes: func(r *rand.Rand) time.Duration {
						return time.Second + time.Duration(takes(r)*float64(mean))
					}}
					today := november(20, 6, 0)
					for d := 12; d > 2; d-- {
						s.batch(today.AddDate(0, 0, -d), 24, 8, time.Time{})
					}
					now := today.Add(time.Duration((0.2 + 0.6*s.Float64()) * 60 / 8 * float64(mean)))
					died := map[string]time.Time{"half died before": today, "half died": today.Add(time.Duration(s.Float64() * float64(now.Sub(today))))}[deaths]
					end := s.batch(today, 60, 8, died)
					rows, left := asOf(s.tasks, now)
					r := attending(now, rows)
					for measure, ratio := range map[string]*[]float64{"queueClearedAt": &cleared, "queuedWork": &work} {
						r.Measure = measure
						value := valuesOf(mustMake(t, makeNumeric, r).Fields[0])[0].(float64)
						if *ratio = append(*ratio, value/left); measure == "queueClearedAt" {
							(*ratio)[seed] = (value/1000 - float64(now.Unix())) / end.Sub(now).Seconds()
						}
					}
				}
				slices.Sort(cleared)
				slices.Sort(work)
				t.Logf("%s: cleared %.2f, work %.2f", name, cleared[4], work[4])
				assert.InDelta(t, 1, cleared[4], 0.3, "%s: %v", name, cleared)
				assert.InDelta(t, 1, work[4], 0.3, "%s: %v", name, work)
			}
		}
	}
}
