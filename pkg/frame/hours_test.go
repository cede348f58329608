package frame_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/filter"
)

func ranOn(runner string, from, to time.Time) task {
	return task{state: ptr("FINISHED"), machineID: &runner, activityLabel: ptr("a"), dateCreation: &from, dateStart: &from, dateLastModified: &to}
}

// byHour returns a measure by hour of the day over a range in a zone.
func byHour(t *testing.T, measure, zone string, from, to time.Time, rows []task, filters ...*filter.Filter) map[string]float64 {
	t.Helper()
	location, err := time.LoadLocation(zone)
	require.NoError(t, err)
	r := request("tasks", tasksTable(rows))
	r.Measure, r.GroupBy, r.Location, r.From, r.To, r.Now, r.Filters = measure, []string{"hour"}, location, from, to.Add(-time.Millisecond), to.Add(time.Hour), filters
	found := map[string]float64{}
	for _, field := range mustMake(t, makeNumeric, r).Fields {
		found[field.Labels["hour"]] = *field.At(0).(*float64)
	}
	return found
}

// A run counts in every hour that it touches, with its part, and an hour is divided by how often it occurred.
func TestBusyRunnersByHour(t *testing.T) {
	midnight := time.Date(2026, 11, 16, 0, 0, 0, 0, time.UTC) // a Monday
	at := func(hour, minute int) time.Time {
		return midnight.Add(time.Duration(hour)*time.Hour + time.Duration(minute)*time.Minute)
	}
	rows := []task{
		ranOn("1", at(9, 50), at(11, 10)), ranOn("1", at(10, 0), at(10, 30)), // by mistake, two at the same time
		ranOn("2", at(10, 0), at(10, 15)), {state: ptr("FINISHED"), dateCreation: ptr(at(10, 0)), dateStart: ptr(at(10, 0)), dateLastModified: ptr(at(11, 0))},
		ranOn("1", at(33, 30), at(33, 45)), // on Tuesday
	}
	for _, days := range []int{1, 2, 28} {
		got := byHour(t, "busyRunners", "UTC", midnight, midnight.AddDate(0, 0, days), rows)
		require.Len(t, got, 24, "also hours in which nothing ran")
		nine := 10.0 / 60
		if days > 1 {
			nine += 15.0 / 60
		}
		for hour, want := range map[string]float64{"08": 0, "09": nine, "10": 1.25, "11": 10.0 / 60, "12": 0} {
			assert.InDelta(t, want/float64(days), got[hour], 1e-6, "%s of %d days", hour, days)
		}
	}
	got := byHour(t, "busyRunners", "UTC", midnight, midnight.AddDate(0, 0, 14), rows, where(t, "weekday", "=", "Monday"))
	assert.InDelta(t, 1.25/2, got["10"], 1e-6, "filters choose hours, of which there are two")
	assert.InDelta(t, 10.0/60/2, got["09"], 1e-6)
	got = byHour(t, "busyRunners", "America/Sao_Paulo", midnight, midnight.AddDate(0, 0, 1), rows)
	assert.InDelta(t, 1.25, got["07"], 1e-6)

	occupied := byHour(t, "occupancy", "UTC", midnight, midnight.AddDate(0, 0, 2), rows)
	assert.InDelta(t, 0.5, occupied["10"], 1e-6, "of the hour, and not of the whole range")
	most := byHour(t, "concurrency", "UTC", midnight, midnight.AddDate(0, 0, 2), rows)
	assert.Equal(t, []float64{1, 4, 1, 0}, []float64{most["09"], most["10"], most["11"], most["12"]})
}

// Where clocks change, an hour occurs twice, never, or by half.
func TestHoursWhereClocksChange(t *testing.T) {
	for _, test := range []struct {
		name, zone, from string // midnight
		length           time.Duration
		run              [2]time.Duration // after midnight
		want             map[string]float64
		hours            int
	}{
		{"02 twice: 30 minutes of each", "Europe/Berlin", "2026-10-24T22:00:00Z", 25 * time.Hour, [2]time.Duration{150 * time.Minute, 210 * time.Minute}, map[string]float64{"01": 0, "02": 0.5, "03": 0}, 24},
		{"02 never", "Europe/Berlin", "2026-03-28T23:00:00Z", 23 * time.Hour, [2]time.Duration{90 * time.Minute, 150 * time.Minute}, map[string]float64{"01": 0.5, "03": 0.5, "04": 0}, 23},
		{"01 and a half", "Australia/Lord_Howe", "2026-04-04T13:00:00Z", 24*time.Hour + 30*time.Minute, [2]time.Duration{60 * time.Minute, 105 * time.Minute}, map[string]float64{"00": 0, "01": 0.5, "02": 0}, 24},
		{"half of 02", "Australia/Lord_Howe", "2026-10-03T13:30:00Z", 23*time.Hour + 30*time.Minute, [2]time.Duration{120 * time.Minute, 135 * time.Minute}, map[string]float64{"01": 0, "02": 0.5, "03": 0}, 24},
	} {
		t.Run(test.name, func(t *testing.T) {
			from, err := time.Parse(time.RFC3339, test.from)
			require.NoError(t, err)
			to := from.Add(test.length)
			got := byHour(t, "busyRunners", test.zone, from, to, []task{ranOn("1", from.Add(test.run[0]), from.Add(test.run[1]))})
			require.Len(t, got, test.hours)
			for hour, want := range test.want {
				assert.InDelta(t, want, got[hour], 1e-6, hour)
			}
			for hour, busy := range byHour(t, "busyRunners", test.zone, from, to, []task{ranOn("1", from.Add(-time.Hour), to.Add(time.Hour))}) {
				assert.InDelta(t, 1, busy, 1e-6, "a runner that never rests is busy at %s", hour)
			}
		})
	}
}

// The hours make up the whole: of random runs, the time of a total is that of all hours, and its maximum that of one of them.
func TestHoursAddUp(t *testing.T) {
	rows := tasksTable(randomTasks(rand.New(rand.NewSource(3)), 400))
	for _, zone := range []string{"UTC", "Asia/Kolkata", "America/Sao_Paulo"} {
		location, err := time.LoadLocation(zone)
		require.NoError(t, err)
		r := request("tasks", rows)
		r.Now = now.Truncate(time.Minute)
		r.Location, r.From, r.To = location, r.Now.Add(-60*time.Hour), r.Now.Add(5*time.Hour)
		lengths := map[string]float64{} // minutes of the hours of each name
		for at := r.From; at.Before(r.Now); at = at.Add(time.Minute) {
			local := at.In(location)
			lengths[key(map[string]string{"weekday": local.Weekday().String(), "hour": local.Format("15")})]++
		}
		for _, measure := range []string{"busyRunners", "occupancy", "concurrency", "queued"} {
			r.Measure, r.GroupBy = measure, nil
			total := *readNumeric(t, mustMake(t, makeNumeric, r), measure)[key(nil)]
			r.GroupBy = []string{"weekday", "hour"}
			of := readNumeric(t, mustMake(t, makeNumeric, r), measure)
			sum, most, hours := 0.0, 0.0, 0
			for k, value := range of {
				if value == nil {
					continue // to come
				}
				sum, most, hours = sum+*value*lengths[k], max(most, *value), hours+1
			}
			require.Len(t, lengths, hours)
			if measure == "concurrency" || measure == "queued" {
				assert.Equal(t, total, most, "%s, %s", measure, zone)
			} else {
				assert.InDelta(t, total, sum/r.Now.Sub(r.From).Minutes(), 1e-9, "%s, %s", measure, zone)
			}
		}
	}
}
