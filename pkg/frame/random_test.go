package frame_test

import (
	"math/rand"
	"time"
)

// sizes are the numbers of rows that are interesting with a page size of 20.
var sizes = []int{0, 1, 2, 19, 20, 21, 500}

// now is the current time of all tests, and the middle of the random dates.
var now = time.Date(2026, 11, 20, 14, 37, 11, 0, time.UTC)

// Labels that would be equal if joined naively, that are empty, or that need quoting.
var (
	someLabels       = []string{"", "a", "ab", "b", "bc", "abc", "a,b", `a"b`, "1:a", "invoices", "Relatório São Paulo", "日本"}
	someRepositories = []string{"", "a", "b", "bc", "c", "main"}
	someMachines     = []string{"", "7", "8", "robô-1"}
	someStates       = []string{"START", "RUNNING", "FINISHED", "CANCELED", "TIMEOUT", "PAUSED", ""}
	someStatuses     = []string{"SUCCESS", "SUCCESS", "SUCCESS", "FAILED", "PARTIALLY_COMPLETED", "REVIEWED", ""}
)

// randomTasks returns tasks with independent dates, so that some durations are negative, and with inconsistent state,
// finish status and items: the measures must hold for any input.
func randomTasks(rng *rand.Rand, n int) []task {
	rows := make([]task, n)
	for i := range rows {
		created := around(rng, now, 72*time.Hour)
		rows[i] = task{
			id:               ptr(rng.Int63n(1 << 40)),
			state:            sometimes(rng, 0.95, pick(rng, someStates)),
			finishStatus:     sometimes(rng, 0.7, pick(rng, someStatuses)),
			activityLabel:    sometimes(rng, 0.95, pick(rng, someLabels)),
			repositoryLabel:  sometimes(rng, 0.9, pick(rng, someRepositories)),
			machineID:        sometimes(rng, 0.8, pick(rng, someMachines)),
			dateCreation:     sometimes(rng, 0.95, created),
			dateStart:        sometimes(rng, 0.8, around(rng, created.Add(time.Hour), 3*time.Hour)),
			dateLastModified: sometimes(rng, 0.8, around(rng, created.Add(3*time.Hour), 5*time.Hour)),
			processedItems:   sometimes(rng, 0.7, float64(rng.Intn(50))),
			failedItems:      sometimes(rng, 0.7, float64(rng.Intn(5))),
			totalItems:       sometimes(rng, 0.7, float64(rng.Intn(3)*rng.Intn(60))),
			region:           sometimes(rng, 0.5, pick(rng, []string{"north", "south", ""})),
		}
	}
	return rows
}

func pick(rng *rand.Rand, from []string) string { return from[rng.Intn(len(from))] }

func sometimes[T any](rng *rand.Rand, chance float64, v T) *T {
	if rng.Float64() < chance {
		return &v
	}
	return nil
}

// around returns a time within spread of t, to the millisecond like the service. Some times are equal, and at an edge:
// of buckets of 37 minutes, or of a range that starts or ends whole hours from now.
func around(rng *rand.Rand, t time.Time, spread time.Duration) time.Time {
	ms := spread.Milliseconds()
	at := t.Add(time.Duration(rng.Int63n(2*ms)-ms) * time.Millisecond)
	switch rng.Intn(5) {
	case 0:
		return floorTo(at, 37*time.Minute)
	case 1:
		return now.Add(at.Sub(now).Round(time.Hour))
	default:
		return at
	}
}
