package frame_test

import (
	"math/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
