package frame_test

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"
	"github.com/grafana/grafana-plugin-sdk-go/experimental"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// bar is a bar of a timeline as sent to Grafana.
type bar struct {
	from, to time.Time
	state    string
}

func timelineOf(rows *columns.Table, state string, groupBy ...string) *spec {
	r := request("tasks", rows)
	r.Measure, r.State, r.GroupBy = "", state, groupBy
	return r
}

func mustTimeline(t testing.TB, r *spec) data.Frames {
	t.Helper()
	frames, err := makeTimeline(t.Context(), r)
	require.NoError(t, err)
	require.NotEmpty(t, frames)
	return frames
}

// barsOf reads a lane and checks the contract: two times that are never null, of which the first one ascends, and a
// string; bars are visible and do not overlap.
func barsOf(t testing.TB, lane *data.Frame) []bar {
	t.Helper()
	require.Len(t, lane.Fields, 3)
	require.Equal(t, []string{"start", "end", "state"}, []string{lane.Fields[0].Name, lane.Fields[1].Name, lane.Fields[2].Name})
	if lane.Fields[2].NilAt(0) {
		require.Equal(t, 1, lane.Rows())
		return []bar{}
	}
	require.Equal(t, []data.FieldType{data.FieldTypeTime, data.FieldTypeTime, data.FieldTypeNullableString},
		[]data.FieldType{lane.Fields[0].Type(), lane.Fields[1].Type(), lane.Fields[2].Type()})
	lane = sent(t, lane)
	bars := make([]bar, lane.Rows())
	for i := range bars {
		bars[i] = bar{lane.Fields[0].At(i).(time.Time).UTC(), lane.Fields[1].At(i).(time.Time).UTC(), *lane.Fields[2].At(i).(*string)}
		require.Positive(t, bars[i].to.UnixMilli()-bars[i].from.UnixMilli(), "a browser sees milliseconds")
		if i > 0 {
			require.False(t, bars[i].from.Before(bars[i-1].to), "bars of a lane overlap")
		}
	}
	return bars
}

func laneNames(frames data.Frames) []string {
	var names []string
	for _, lane := range frames {
		names = append(names, lane.Fields[2].Config.DisplayNameFromDS)
	}
	return names
}

func TestTimelineAgreesWithReference(t *testing.T) {
	from, to := now.Add(-31*time.Hour), now.Add(2*time.Hour)
	forSizes(t, func(t *testing.T, rng *rand.Rand, n int) {
		rows := randomTasks(rng, n)
		table := tasksTable(rows)
		shown := slices.DeleteFunc(rows, func(r task) bool {
			return r.dateStart == nil || !spanOf(runOf).touches(r, interval{begin: from, to: to})
		})
		for _, groupBy := range groupings[1:] {
			for _, state := range []string{"activityLabel", "finishStatus", "region"} {
				r := timelineOf(table, state, groupBy...)
				r.From, r.To = from, to
				got, lanes := map[string][]bar{}, map[string]int{}
				for _, lane := range mustTimeline(t, r) {
					if len(barsOf(t, lane)) == 0 {
						continue
					}
					k := key(lane.Fields[2].Labels)
					lanes[k]++
					got[k] = append(got[k], barsOf(t, lane)...)
					if i := lanes[k]; i > 1 {
						require.Equal(t, fmt.Sprintf(" (%d)", i), lane.Name[strings.LastIndex(lane.Name, " ("):])
					}
				}
				want := map[string][]bar{}
				for k, part := range partsOf(shown, groupBy) {
					want[k] = referenceBars(part, state)
					require.Equal(t, mostAtOnce(want[k]), lanes[k], "no more lanes than tasks at the same time")
				}
				for _, bars := range got {
					slices.SortFunc(bars, compareBars)
				}
				require.Equal(t, want, got, "%s by %v", state, groupBy)
			}
		}
	})
}

// referenceBars are the bars of tasks that have run, in order.
func referenceBars(rows []task, state string) []bar {
	var bars []bar
	for _, r := range rows {
		began, ended, _ := runOf(r)
		text, _ := r.cell(state).(string)
		if r.state != nil && state == "finishStatus" && text == "" {
			text = *r.state
		}
		from := began.Truncate(time.Millisecond)
		bars = append(bars, bar{from, later(ended.Truncate(time.Millisecond), from.Add(time.Millisecond)), text})
	}
	slices.SortFunc(bars, compareBars)
	return bars
}

func compareBars(a, b bar) int {
	return cmp.Or(a.from.Compare(b.from), a.to.Compare(b.to), strings.Compare(a.state, b.state))
}

func mostAtOnce(bars []bar) int {
	runs := make([][2]int64, len(bars))
	for i, b := range bars {
		runs[i] = [2]int64{b.from.UnixNano(), b.to.UnixNano()}
	}
	most := 0
	for _, b := range bars {
		most = max(most, runningAt(runs, b.from))
	}
	return most
}

// runFrom returns a task that started a number of minutes ago and ran for another.
func runFrom(machine, automation string, ago, minutes int) task {
	from := now.Add(-time.Duration(ago) * time.Minute)
	return task{state: ptr("FINISHED"), machineID: &machine, activityLabel: &automation, dateStart: &from, dateLastModified: ptr(from.Add(time.Duration(minutes) * time.Minute))}
}

// What people see are names; the values are the labels.
func TestNamesOfATimeline(t *testing.T) {
	r := timelineOf(tasksTable([]task{runFrom("robot", "refunds", 60, 5), runFrom("robot", "twin", 30, 5), runFrom("", "", 10, 5)}), "activityLabel", "machineId")
	r.Automations = map[string]string{"refunds": "Customer refunds", "twin": "Same", "sister": "Same"}
	frames := mustTimeline(t, r)
	require.Equal(t, []string{"(none)", "robot"}, laneNames(frames))
	mapper := frames[1].Fields[2].Config.Mappings[0].(data.ValueMapper)
	require.Equal(t, "Customer refunds", mapper["refunds"].Text)
	require.Empty(t, mapper["twin"].Text, "another automation has the same name")
	require.Equal(t, "(none)", frames[0].Fields[2].Config.Mappings[0].(data.ValueMapper)[""].Text)

	r.State, r.GroupBy, r.Language = "weekday", []string{"activityLabel"}, "pt-BR"
	frames = mustTimeline(t, r)
	require.Equal(t, []string{"(nenhum)", "Customer refunds", "twin"}, laneNames(frames))
	require.Equal(t, "Iniciada em", frames[0].Fields[0].Config.DisplayNameFromDS)

	r.Language = schema.API
	require.Equal(t, []string{"(none)", "refunds", "twin"}, laneNames(mustTimeline(t, r)))
}

// A lane colors its own states, and a state has the same color in each lane.
func TestColorsOfATimeline(t *testing.T) {
	color := func(lane *data.Frame, state string) string {
		return lane.Fields[2].Config.Mappings[0].(data.ValueMapper)[state].Color
	}
	status := func(r task, status string) task {
		r.finishStatus = &status
		return r
	}
	running := runFrom("b", "x", 20, 5)
	running.state = ptr("RUNNING")
	rows := tasksTable([]task{status(runFrom("a", "x", 60, 5), "FAILED"), status(runFrom("a", "y", 50, 5), "SUCCESS"), running})
	frames := mustTimeline(t, timelineOf(rows, "finishStatus", "machineId"))
	require.Equal(t, "red", color(frames[0], "FAILED"))
	require.Equal(t, "green", color(frames[0], "SUCCESS"))
	require.Equal(t, "blue", color(frames[1], "RUNNING"), "without a finish status, a bar shows the state")

	frames = mustTimeline(t, timelineOf(rows, "activityLabel", "machineId"))
	require.Equal(t, color(frames[0], "x"), color(frames[1], "x"))
	require.NotEqual(t, color(frames[0], "x"), color(frames[0], "y"))
	require.Len(t, frames[1].Fields[2].Config.Mappings[0], 1)

	var many []task
	r := timelineOf(nil, "activityLabel", "machineId")
	for i := range 12 {
		many = append(many, runFrom("robot", fmt.Sprint("automation ", i), 60-i, 1))
	}
	seen := map[string]bool{}
	r.Rows = tasksTable(many)
	for _, result := range mustTimeline(t, r)[0].Fields[2].Config.Mappings[0].(data.ValueMapper) {
		seen[result.Color] = true
	}
	require.Len(t, seen, 12)
}

// Of runners with overlapping tasks, the first screen shows all.
func TestFirstLanesComeFirst(t *testing.T) {
	rows := tasksTable([]task{runFrom("a", "x", 60, 30), runFrom("a", "y", 50, 30), runFrom("b", "x", 40, 5)})
	r := timelineOf(rows, "activityLabel", "machineId")
	require.Equal(t, []string{"a", "b", "a (2)"}, laneNames(mustTimeline(t, r)))
	r.Sort = &schema.Sort{Field: "machineId", Order: "desc"}
	require.Equal(t, []string{"b", "a", "a (2)"}, laneNames(mustTimeline(t, r)))
	r.Limit, r.Sort = 2, nil
	frames := mustTimeline(t, r)
	require.Equal(t, []string{"a", "b"}, laneNames(frames))
	require.Contains(t, frames[0].Meta.Notices[0].Text, "1 tasks are not shown, because they need more than 2 lanes")
}

// A runner that ran nothing in the time range keeps its lane, if it ran in the days that the query has.
func TestIdleLanes(t *testing.T) {
	waiting := task{state: ptr("START"), activityLabel: ptr("x"), dateCreation: ptr(now.Add(-time.Minute))}
	rows := tasksTable([]task{runFrom("busy", "x", 30, 5), runFrom("idle", "x", 600, 5), waiting})
	r := timelineOf(rows, "activityLabel", "machineId")
	r.From, r.To = now.Add(-time.Hour), now
	require.Equal(t, []string{"busy"}, laneNames(mustTimeline(t, r)))

	r.Idle = true
	frames := mustTimeline(t, r)
	require.Equal(t, []string{"busy", "idle"}, laneNames(frames), "what waits has no runner yet")
	require.Equal(t, data.Labels{"machineId": "idle"}, frames[1].Fields[2].Labels)
	require.Len(t, barsOf(t, frames[0]), 1)
	require.Empty(t, barsOf(t, frames[1]))
	require.Equal(t, []time.Time{r.From, r.To}, []time.Time{frames[1].Fields[0].At(0).(time.Time), frames[1].Fields[1].At(0).(time.Time)})

	r.Limit = 1
	require.Empty(t, mustTimeline(t, r)[0].Meta.Notices, "no task is left out")
}

func TestBoundsOfATimeline(t *testing.T) {
	var together []task
	for range 1003 {
		together = append(together, runFrom("robot", "x", 60, 30))
	}
	frames := mustTimeline(t, timelineOf(tasksTable(together), "activityLabel", "machineId"))
	require.Len(t, frames, 1000)
	require.Equal(t, "robot (1000)", frames[999].Name)
	require.Equal(t, []data.Notice{{Severity: data.NoticeSeverityWarning, Text: "3 tasks are not shown, because they need more than 1000 lanes: filter, or group by another field, to see them"}}, frames[0].Meta.Notices)

	// 500 machines, each with 30 tasks one after the other: 15,000 starts and ends in 500 lanes are too many.
	var many []task
	for machine := range 500 {
		for i := range 30 {
			many = append(many, runFrom(fmt.Sprint(machine), "x", i+1, 1))
		}
	}
	frames = mustTimeline(t, timelineOf(tasksTable(many), "activityLabel", "machineId"))
	shown := 0
	for _, lane := range frames {
		bars := barsOf(t, lane)
		require.Equal(t, now, bars[len(bars)-1].to, "the last ones to start")
		shown += len(bars)
	}
	require.Equal(t, 5000, shown)
	require.Equal(t, []data.Notice{{Severity: data.NoticeSeverityWarning, Text: "5000 of 15000 tasks are shown, the last ones to start: select a shorter time range, or filter, to see the rest"}}, frames[0].Meta.Notices)
}

func TestGoldenTimelines(t *testing.T) {
	for name, r := range map[string]*spec{
		"timeline_automations_by_machine": timelineOf(goldenTasks(), "activityLabel", "machineId"),
		"timeline_status_by_automation":   timelineOf(goldenTasks(), "finishStatus", "activityLabel"),
		"timeline_no_data":                timelineOf(tasksTable(nil), "activityLabel", "machineId"),
	} {
		t.Run(name, func(t *testing.T) {
			r.Automations = map[string]string{"invoices": "Invoices of suppliers"}
			experimental.CheckGoldenJSONResponse(t, "testdata", name, &backend.DataResponse{Frames: mustTimeline(t, r)}, *update)
		})
	}
}
