package attention

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// pool makes the tasks of one of eight runners that share the work of an office: each task goes to one that is free.
func (w *world) pool(runner int, isDown func(at int64) bool) {
	var free [8]int64
	w.days(func(d time.Time, midnight int64) {
		for at := midnight + 8*hour; !weekend(d) && at < midnight+18*hour; at += w.upTo(4 * minute) {
			for _, one := range w.Perm(len(free)) {
				if free[one] > at || one == runner && isDown(at) {
					continue
				}
				if free[one] = at + 5*minute + w.upTo(10*minute); one == runner {
					w.add(at, free[one]-at)
				}
				break
			}
		}
	})
}

// A runner is dead or without work if it takes no task although it usually does. One that was down for a day and a half
// again and again, and came back each time, is not, however busy it is otherwise.
func TestRunnerOfAPool(t *testing.T) {
	dead := func(at int64) bool { return at >= incident }
	oftenDown := func(at int64) bool { return (at-origin.UnixNano())%(3*day) < 32*hour }
	silent := func(f Finding) bool { return f.Reason == Silent }
	for seed := range int64(5) {
		w := newWorld(seed, 1, nil)
		w.pool(6, dead)
		assert.Zero(t, w.run(silent, incident-8*day, incident, hour, true).episodes, "before")
		found := w.run(silent, incident, incident+7*day, hour, true)
		assert.InDelta(t, 13, hours(found.first-incident), 4, "8 hours of night, and some of the day")
		assert.Zero(t, found.ends)

		w = newWorld(seed, 1, nil)
		w.pool(6, oftenDown)
		assert.Zero(t, w.run(silent, incident-8*day, incident+7*day, hour, true).episodes, "often down")
	}
}
