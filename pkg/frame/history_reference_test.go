package frame_test

import (
	"cmp"
	"slices"
	"time"
)

// The reference for measures that other tasks decide, too: the earlier ones, and what is usual.

// referenceHistory return a value for the rows of a group, of all that were read, in a period.
var referenceHistory = map[string]func(rows []task, all *readTasks, in interval) *float64{
	"failureStreaks": func(rows []task, all *readTasks, in interval) *float64 {
		return ptr(float64(len(recoveries(rows, all, in))))
	},
	"recoveryTime": func(rows []task, all *readTasks, in interval) *float64 { return mean(recoveries(rows, all, in)) },
}

// readTasks are all tasks that were read, and how long those of an automation usually take.
type readTasks struct {
	rows  []task
	usual map[string]float64
}

// readAll finds the 95th percentile of the week that is a third from the shortest, of automations with five good tasks.
func readAll(all []task) *readTasks {
	own := map[string]float64{}
	for part, rows := range partsOf(all, []string{"activityLabel"}) {
		weeks, n := map[int64][]float64{}, 0
		for _, r := range rows {
			isGood := r.finishStatus != nil && (*r.finishStatus == "SUCCESS" || *r.finishStatus == "PARTIALLY_COMPLETED")
			if !isGood || r.dateCreation == nil || r.dateStart == nil || r.dateLastModified == nil || r.dateLastModified.After(now.Add(time.Hour)) {
				continue
			}
			if r.totalItems != nil && r.failedItems != nil && *r.failedItems*2 > *r.totalItems {
				continue
			}
			n++
			week := r.dateCreation.Unix() / (7 * 24 * 3600)
			weeks[week] = append(weeks[week], max(0, r.dateLastModified.Sub(*r.dateStart).Seconds()))
		}
		if n < 5 || part == key(map[string]string{"activityLabel": ""}) {
			continue
		}
		var of []float64
		for _, seconds := range weeks {
			slices.Sort(seconds)
			n := 0 // the first that 95 % don't exceed
			for 100*(n+1) < 95*len(seconds) {
				n++
			}
			of = append(of, seconds[n])
		}
		slices.Sort(of)
		own[part] = of[(len(of)-1)/3]
	}
	return &readTasks{all, own}
}

// usualOf is what is usual or, of an automation with fewer tasks, the median of the others.
func (all *readTasks) usualOf(label *string) *float64 {
	if label != nil {
		if usual, known := all.usual[key(map[string]string{"activityLabel": *label})]; known {
			return &usual
		}
	}
	var others []float64
	for _, usual := range all.usual {
		others = append(others, usual)
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	return mean([]float64{others[(len(others)-1)/2], others[len(others)/2]})
}

// openAt is what a task does at a moment; since is when it began to run. What has ended, has by now.
func openAt(r task, at time.Time) (waits, runs bool, since time.Time) {
	isAt := func(of spanOf) (bool, time.Time) {
		began, ended, ok := of(r)
		if ended != soon {
			ended = earlier(ended, now)
		}
		return ok && !began.After(at) && ended.After(at), began
	}
	waits, _ = isAt(waitOf)
	runs, since = isAt(runOf)
	return waits, runs, since
}

// momentOf is the end of a period, or now. ok is false if nothing of the period has passed.
func momentOf(in interval) (at time.Time, ok bool) {
	at = earlier(earlier(in.end, in.to.Add(1)), now)
	return at, at.After(in.begin)
}

func queuedWork(rows []task, all *readTasks, in interval) *float64 {
	at, ok := momentOf(in)
	if !ok {
		return nil
	}
	total := 0.0
	for _, r := range rows {
		waits, runs, since := openAt(r, at)
		usual := all.usualOf(r.activityLabel)
		if (waits || runs) && usual == nil {
			return nil
		}
		if waits {
			total += *usual
		}
		if runs {
			total += max(0, *usual-at.Sub(since).Seconds())
		}
	}
	return &total
}

// recoveries are the seconds from the first failure of each streak that began in a period with one of the rows to the next
// success of the automation, or now.
func recoveries(rows []task, all *readTasks, in interval) (seconds []float64) {
	for _, own := range partsOf(all.rows, []string{"activityLabel"}) {
		ends := endsOf(own)
		for i, end := range ends {
			isFirst := end.status == "FAILED" && (i == 0 || ends[i-1].status != "FAILED")
			began := earlier(end.at, now)
			if !isFirst || !in.holds(began) || !slices.Contains(rows, end.of) {
				continue
			}
			until := now
			for _, later := range ends[i:] {
				if later.status == "SUCCESS" {
					until = later.at
					break
				}
			}
			seconds = append(seconds, max(0, until.Sub(began).Seconds()))
		}
	}
	return seconds
}

// end is when and how a task ended.
type end struct {
	of     task
	at     time.Time
	status string
}

// endsOf returns what counts as an end, in order; of several at once, failures first.
func endsOf(rows []task) (ends []end) {
	for _, r := range rows {
		if status := outcomeOf(r); status != "" && hasCome(lastDate(r)) {
			ends = append(ends, end{r, lastDate(r), status})
		}
	}
	slices.SortStableFunc(ends, func(a, b end) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(len(a.status), len(b.status))) })
	return ends
}

func hasWork(r task, in interval) bool {
	return spanOf(waitOf).touches(r, in) || spanOf(runOf).touches(r, in)
}

func endsIn(r task, in interval) bool {
	at := earlier(lastDate(r), now)
	return !at.Before(in.begin) && !at.After(earlier(in.to, now))
}
