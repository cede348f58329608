package attention

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A letter is a task that ends an hour after the one before: Success, Failed, Partial, Timed out, Canceled, Running.
func ending(letters string) (tasks []Task) {
	for i, letter := range letters {
		end := int64(i+1) * hour
		t := Task{Row: i, Created: end - minute, Started: end - minute, Ended: end, State: Finished}
		switch letter {
		case 'S':
			t.Status = Success
		case 'F':
			t.Status = Failed
		case 'P':
			t.Status = Partial
		case 'T':
			t.State = TimedOut
		case 'C':
			t.State = Canceled
		case 'R':
			t.State = Running
		}
		tasks = append(tasks, t)
	}
	return tasks
}

func TestStreaks(t *testing.T) {
	for _, test := range []struct {
		ends string
		want []Streak // hours
		name string
	}{
		{"", nil, "no task"},
		{"SSPS", nil, "no failure"},
		{"SFFS", []Streak{{1, 2, 4}}, "one streak, however many failures"},
		{"FS", []Streak{{0, 1, 2}}, "nothing is known before it"},
		{"SFSTS", []Streak{{1, 2, 3}, {3, 4, 5}}, "two, one of them a timeout"},
		{"SFCRFS", []Streak{{1, 2, 6}}, "canceled and running tasks neither end nor begin one"},
		{"SFF", []Streak{{1, 2, 0}}, "not over"},
		{"SFPS", []Streak{{1, 2, 4}}, "a partial success is no recovery"},
		{"SFPFS", []Streak{{1, 2, 5}, {3, 4, 5}}, "but after it, failures are counted anew"},
		{"PFPFP", []Streak{{1, 2, 0}, {3, 4, 0}}, "never wholly well"},
	} {
		tasks := ending(test.ends)
		for i := range test.want {
			test.want[i].Began *= hour
			test.want[i].Recovered *= hour
		}
		now := int64(len(tasks)+1) * hour
		assert.Equal(t, test.want, Streaks(tasks, now), "%s: %s", test.ends, test.name)

		// The measure failuresInARow says the same: a streak begins where it becomes 1.
		began := 0
		for n := range tasks {
			was, is := FailuresInARow(tasks[:n], now), FailuresInARow(tasks[:n+1], now)
			began += int(truth(was == 0 && is == 1))
		}
		assert.Len(t, test.want, began, test.ends)
	}
}
