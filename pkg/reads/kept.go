package reads

import (
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// kept is what is kept of a list. It is immutable; nil is nothing.
type kept struct {
	results []*Result // of the last Config.CacheTTL, the newest first

	known   *paging.Known // the prediction of the next read; nil: none
	days    int           // requested for the prediction
	atEnd   bool          // the prediction has all rows of these days
	wholeAt time.Time     // when the last full read started
	audited time.Time     // when the last audit started
	texts   int64         // bytes of the texts of the prediction

	sampledAt   time.Time // when the last read ended that had no prediction, or looked at a page at random
	sampledDays int       // requested for it

	deepest   *Read     // the question that needs most rows, of those asked lately; nil: none
	deepestAt time.Time // when it was asked

	until time.Time // until when this is of use
}

// fewPages is how many pages a prediction must have to save requests.
const fewPages = 5

// maxResults bounds the results of one list: every range that a user drags is another one.
const maxResults = 16

// answer returns the newest answer to a question among the usable results, or nil.
func (k *kept) answer(r Read, usable func(*Result) bool) *Result {
	if k == nil {
		return nil
	}
	for _, result := range k.results {
		if !usable(result) {
			continue
		}
		if answer := result.answer(r); answer != nil {
			return answer
		}
	}
	return nil
}

// reaches reports whether the prediction probably has all rows that a question needs.
func (k *kept) reaches(r Read) bool {
	if k.known == nil {
		return false
	}
	_, enough := r.Goal.Needed(k.known.Table.Rows, paging.TimesOf(k.known.Table, r.Goal.Field))
	return enough || k.atEnd && r.Days <= k.days
}

// with returns what is kept with another result, without those that are not fresh anymore.
func (k kept) with(result *Result, ttl time.Duration) kept {
	k.results = slices.DeleteFunc(slices.Clone(k.results), func(r *Result) bool { return time.Since(r.ReadAt) >= ttl || r == result })
	if time.Since(result.ReadAt) < ttl {
		k.results = slices.Insert(k.results, 0, result)
	}
	slices.SortStableFunc(k.results, func(a, b *Result) int { return b.ReadAt.Compare(a.ReadAt) })
	k.results = k.results[:min(len(k.results), maxResults)]
	return k
}

// asked returns what is kept after another question. One that needs more rows counts for a while.
func (k kept) asked(r Read, lately time.Duration) kept {
	if k.deepest == nil || compareExtent(r, *k.deepest) >= 0 || time.Since(k.deepestAt) > lately {
		k.deepest, k.deepestAt = &r, time.Now()
	}
	return k
}

// size returns the memory in bytes. Results may share their tables with one another and with the prediction.
func (k *kept) size() int64 {
	size, tables := k.texts, map[*columns.Table]bool{}
	if k.known != nil {
		tables[k.known.Table] = true
		size += k.known.Table.Bytes()
	}
	for _, r := range k.results {
		size += r.size()
		if !tables[r.Table] {
			tables[r.Table] = true
			size += r.Table.Bytes() + r.texts
		}
	}
	return size
}

func (k *kept) usefulUntil() time.Time { return k.until }

// resultBytes is the size of a result in addition to its table and texts.
const resultBytes = 512

func (r *Result) size() int64 {
	n := resultBytes + int64(len(r.Executed))
	for _, warning := range r.Warnings {
		n += int64(len(warning))
	}
	return n
}

// answer returns the result of a question from the rows of another one about the same list, or nil if these are not
// enough.
func (r *Result) answer(q Read) *Result {
	sameDays := q.Days == r.days
	if !sameDays && q.Goal.From.IsZero() {
		return nil
	}
	isAll := r.atEnd || r.incomplete != paging.Complete // There is nothing more to get.
	if q.Goal.Field != "" && !r.ordered {
		q.Goal = paging.Goal{}
	}
	rows, enough := q.Goal.Needed(r.Table.Rows, paging.TimesOf(r.Table, q.Goal.Field))
	switch {
	case enough && rows < r.Table.Rows:
		return r.part(rows)
	case enough, isAll && sameDays, isAll && q.Days < r.days && r.ordered, r.incomplete == paging.Cut && r.ordered:
		return r
	default:
		return nil
	}
}

// part returns the result of a question that needs only the first rows.
func (r *Result) part(rows int) *Result {
	first := *r
	first.Table, first.atEnd = r.Table.Head(rows), false
	first.Stats.Rows, first.Stats.Kept = rows, min(rows, r.Stats.Kept)
	if r.incomplete != paging.Complete && r.incomplete != paging.Moved {
		first.Warnings, first.incomplete = r.Warnings[1:], paging.Complete
	}
	// Only rows show which unknown fields exist.
	first.Table.Columns = slices.DeleteFunc(first.Table.Columns, func(c *columns.Column) bool {
		return r.set.Field(c.Name) == nil && !slices.Contains(c.Valid, true)
	})
	return &first
}

// kept returns what is kept of a list, or nil.
func (c *Reads) kept(key string) *kept {
	k, _ := c.cache.get(key).(*kept)
	return k
}

// update replaces what is kept of a list: the zero value if that was nothing.
func (c *Reads) update(key string, change func(k kept) kept) {
	c.cache.update(key, func(before entry) entry {
		var next kept
		if k, ok := before.(*kept); ok {
			next = *k
		}
		next = change(next)
		next.until = c.until(next)
		return &next
	})
}

// keep keeps a result, and the prediction of the next read. A result with rows that may be missing only shows that an
// earlier prediction was wrong.
func (c *Reads) keep(r *reading, result *Result, l *paging.Listing) {
	if result.incomplete == paging.Moved {
		return
	}
	key := c.key(Read{Question: r.question})
	c.update(key, func(k kept) kept {
		if l.Sampled || r.Known == nil {
			k.sampledAt, k.sampledDays = result.ReadAt, result.days
		}
		if r.Known != nil && r.isOutdated(k) {
			return k.with(result, c.config.CacheTTL)
		}
		if r.Known == nil {
			k.wholeAt, k.texts, k.days, k.atEnd = r.Began, 0, 0, false
		}
		before := k.known
		k.known = nil
		if c.predicts(r.DataSet) && l.Known != nil && l.Known.Table.Rows > (fewPages-1)*l.PageRows {
			k.known = l.Known
		}
		if k.known != nil && (before == nil || k.known.Table != before.Table) {
			k.texts += result.texts
		}
		// Behind the rows of a shorter read, the prediction has those of a longer one before.
		if k.known != nil && (k.known.Table.Rows == result.Table.Rows || result.days > k.days) {
			k.days, k.atEnd = result.days, l.AtEnd
		}
		return k.with(result, c.config.CacheTTL)
	})
}

// isOutdated reports whether another full read has replaced what is kept since a read began, which reuses older rows.
func (r *reading) isOutdated(now kept) bool {
	return r.before != nil && now.wholeAt.After(r.before.wholeAt) && !now.wholeAt.Equal(r.Began)
}

// until returns until when something is of use: to answer questions, and to predict reads.
func (c *Reads) until(k kept) time.Time {
	until := time.Now()
	if len(k.results) > 0 {
		until = k.results[0].ReadAt.Add(c.config.CacheTTL)
	}
	if lately := time.Now().Add(c.lately()); k.known != nil && until.Before(lately) {
		until = lately
	}
	return until
}

// lately is how long a prediction and the questions about it are of use.
func (c *Reads) lately() time.Duration { return 2 * c.config.FullReadInterval }

// keepPartial keeps what a read knew that was canceled or failed, as the prediction of the next one.
func (c *Reads) keepPartial(r *reading) {
	known := r.Partial()
	if known == nil || !c.predicts(r.DataSet) {
		return
	}
	c.update(c.key(Read{Question: r.question}), func(k kept) kept {
		if r.isOutdated(k) {
			return k
		}
		if k.wholeAt.IsZero() {
			k.wholeAt = r.Began
		}
		k.known, k.texts, k.atEnd = known, k.texts+r.Texts.Size(), false
		return k
	})
}
