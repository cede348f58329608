package list

import (
	"maps"
	"slices"
	"time"
)

// known returns the rows that the look has.
func (k *look) known(lack Lack) *kept {
	return &kept{
		set: k.DataSet, rows: k.order, proven: len(k.order), lackAt: len(k.order) + 1, fieldsCut: k.fieldsCut, began: k.began, at: k.began,
		wholeAt: k.wholeAt, days: k.goal.Days, ends: map[int]int{}, ordered: k.ordered, texts: k.texts.Size() + k.earlierTexts, result: k.result(lack),
		predicts: k.Predicts && !k.keyless && !k.foreign && !k.broken && !k.listedTwice && k.total >= 0 && k.lackAt < 0,
	}
}

// unfinished returns what a look has received before an error, as the prediction of the next read.
func (k *look) unfinished() *kept {
	k.markLateShifts()
	now := k.known(Complete)
	now.at = time.Time{}
	return now
}

// markLateShifts marks the borders at which rows may be missing although no row is on two pages, because no confirmation
// followed: if the list moved after the second page was read, but before all pages between a gap and the first one, the
// repeated row would have been in the gap.
func (k *look) markLateShifts() {
	earliest := int64(0) // when the first of the pages behind the gap was received
	for _, b := range k.borders {
		switch {
		case b.page.number == 0:
			earliest = 0 // Nothing is in front of page 0.
		case k.pages[b.page.number-1] == nil:
			earliest = b.page.received
		default:
			earliest = min(earliest, b.page.received)
		}
		k.order[b.row].seam = k.order[b.row].seam || b.next.requested < earliest && !k.isPredicted(b)
	}
}

// publishRows publishes the rows so far, which answer questions that need less.
func (k *look) publishRows() {
	if k.publish == nil {
		return
	}
	k.assemble()
	if k.DataSet.HasTimes() {
		k.descends(len(k.order))
	}
	if now := k.known(Complete); now.predicts && k.still() {
		now.growing = true
		k.publish(now)
	}
}

// finished returns what the look has found, in one table.
func (k *look) finished() *kept {
	if k.DataSet.HasTimes() && !k.descends(k.need) && !k.enough {
		k.unordered = true
	}
	lack := k.lack()
	now := k.known(lack)
	now.proven, now.lackAt = k.need, k.need+1
	switch {
	case lack == Unstable:
		now.at, now.lackAt = time.Time{}, 0
	case lack == Cut:
		now.lackAt = k.need
	case lack != Complete:
		now.lackAt = k.lackAt
	}
	cut := false
	now.table, cut = tableOf(k.DataSet, k.order)
	now.fieldsCut = now.fieldsCut || cut
	oldest := now.at.UnixNano()
	for i := range now.rows {
		r := &now.rows[i]
		if i < k.need && !r.settled {
			oldest = min(oldest, r.at) // It was not requested again, because an answer may be that old.
		}
		r.table, r.index = now.table, int32(i)
	}
	if !now.at.IsZero() {
		now.at = time.Unix(0, oldest)
	}
	if !k.enough {
		now.ends[k.goal.Days] = k.need
	}
	now.join(k.reading.before, k.since)
	return now
}

// join adds the answers of rows that are fresh as well, and begin with the same rows.
func (k *kept) join(before *kept, since time.Time) {
	if before == nil || before.at.IsZero() || before.at.Before(since) || k.at.IsZero() || before.proven > len(k.rows) ||
		before.lackAt <= before.proven || before.result.Organization != k.result.Organization ||
		!slices.EqualFunc(before.rows[:before.proven], k.rows[:before.proven], sameKey) {
		return
	}
	if k.at.After(before.at) {
		k.at = before.at // Where fewer days end is as old as before.
	}
	if before.proven > k.proven {
		k.proven, k.lackAt, k.result.Lack = before.proven, before.lackAt, before.result.Lack
	}
	k.days = max(k.days, before.days)
	maps.Copy(k.ends, before.ends)
}

// lack says why rows may be missing.
func (k *look) lack() Lack {
	switch {
	case !k.still():
		return Unstable
	case k.stuck:
		k.lackAt = len(k.order)
		return SamePage
	case k.lackAt >= 0 && (k.need > k.lackAt || !k.enough):
		return ShortPage
	case k.listedTwice && !k.first.Bare && (k.need > k.twiceAt || !k.enough):
		k.lackAt = k.twiceAt // Other rows may be missing in their place.
		return FewerRows
	case k.enough && !k.unordered:
		return Complete
	case k.total > k.MaxRows || k.total < 0 && !k.ended || k.first.Left > 0:
		return Cut
	case k.need < min(k.first.Total, k.MaxRows) && !k.first.Bare:
		k.lackAt = k.need
		return FewerRows
	default:
		return Complete
	}
}

// result returns what is the same for all answers.
func (k *look) result(lack Lack) Result {
	r := Result{
		Organization: k.organization, Total: k.first.Total, Unordered: k.unordered, Lack: lack, PageRows: k.size, Understated: k.understated,
		Uncounted: k.total < 0 && !k.understated && !k.first.Bare && len(k.order) > k.size,
		Keyless:   k.keyless, Repeated: len(k.twice), Cost: k.cost,
	}
	if lack == ShortPage {
		r.LackPage, r.LackRows, r.LackExpected = k.short.number, len(k.short.rows), k.expectedRows
	}
	r.Cost.Took, r.Cost.Size = time.Since(k.began), k.sizeOf(PageRequest{})
	r.Cost.AllPages = max(k.cost.LastPage+1, pagesFor(min(k.total, k.MaxRows), k.size))
	return r
}
