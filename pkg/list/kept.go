package list

import (
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// kept is what is known of a list. It is immutable.
type kept struct {
	set       *schema.DataSet
	rows      []row
	proven    int            // leading rows that answer questions
	table     *columns.Table // of rows; nil: not assembled yet
	fieldsCut bool
	began     time.Time   // when the read that had the rows began
	at        time.Time   // since when they may be outdated; zero: they answer nothing
	wholeAt   time.Time   // when the last full read began
	days      int         // that were read
	ends      map[int]int // rows of so many days
	lackAt    int         // leading rows that lack nothing
	ordered   bool        // rows are newest first
	predicts  bool        // they predict the next read
	growing   bool        // the full read that has published them is still running
	texts     int64       // bytes of the texts of the rows
	result    Result      // without what depends on the goal
}

// answer returns the answer to a question, or nil.
func (k *kept) answer(goal Goal, since time.Time) *Result {
	if k == nil || k.at.IsZero() || k.at.Before(since) {
		return nil
	}
	if goal.Field != "" && !k.ordered {
		goal = goal.all()
	}
	need, enough := k.needed(goal)
	if enough && (goal.Days >= k.days || !goal.endsWithDays()) {
		return k.first(need, true)
	}
	end, known := k.ends[goal.Days]
	if !known || end > k.proven {
		return nil
	}
	return k.first(min(need, end), enough && need <= end)
}

// needed returns how many of the proven rows a goal needs, and whether they are enough.
func (k *kept) needed(goal Goal) (rows int, enough bool) {
	return goal.needed(k.proven, timesIn(k.rows, goal.Field), k.result.PageRows)
}

// first returns the first rows as a result. enough says that the goal needs no more, even if the list has more.
func (k *kept) first(rows int, enough bool) *Result {
	r := k.result
	r.ReadAt, r.WholeAt, r.FieldsCut = k.at, k.wholeAt, k.fieldsCut
	if k.at.IsZero() {
		r.ReadAt = k.began
	}
	if rows < k.lackAt || rows == k.lackAt && enough {
		r.Lack = Complete
	}
	r.AtEnd = !enough && r.Lack == Complete
	began := k.began.UnixNano()
	for _, row := range k.rows[:rows] {
		if row.problems != nil {
			r.Problems.Merge(*row.problems)
		}
		if row.at < began {
			r.Cost.Reused++
		}
	}
	if k.table == nil {
		r.Table, r.FieldsCut = tableOf(k.set, k.rows[:rows])
		return &r
	}
	r.Table = k.table
	if rows < k.table.Rows {
		r.Table = k.table.Head(rows)
		// Only rows show which unknown fields exist.
		r.Table.Columns = slices.DeleteFunc(r.Table.Columns, func(c *columns.Column) bool {
			return k.set.Field(c.Name) == nil && !slices.Contains(c.Valid, true)
		})
	}
	return &r
}

// behind returns the rows of an unfinished read as the prediction of the next one. What was an answer before it remains
// one: a caller that leaves while it extends the rows takes nothing from the others.
func (k *kept) behind(before *kept) *kept {
	if before == nil || before.proven > len(k.rows) || !slices.EqualFunc(before.rows[:before.proven], k.rows[:before.proven], sameKey) {
		return k
	}
	now := *before
	now.rows, now.texts, now.predicts = k.rows, k.texts, k.predicts
	return &now
}

// changedSettled reports whether a row that was settled has other values in a later reading of the list.
func (k *kept) changedSettled(later *kept) bool {
	if k == nil || k.result.Organization != later.result.Organization {
		return false
	}
	settled := make(map[key]row, len(k.rows))
	for _, r := range k.rows {
		if r.settled {
			settled[r.key] = r
		}
	}
	compared := map[*columns.Table]columns.Comparison{}
	for i, r := range later.rows {
		was, is := settled[r.key]
		if !is {
			continue
		}
		if compared[was.table] == nil {
			compared[was.table] = columns.Compare(later.table, was.table)
		}
		if !compared[was.table].Same(i, int(was.index)) {
			return true
		}
	}
	return false
}

// bytes returns the approximate memory.
func (k *kept) bytes() int64 {
	bytes := k.texts + int64(len(k.rows))*rowBytes
	counted := map[*columns.Table]bool{nil: true}
	count := func(t *columns.Table) {
		if !counted[t] {
			counted[t] = true
			bytes += t.Bytes()
		}
	}
	count(k.table)
	for _, r := range k.rows {
		count(r.table)
	}
	return bytes
}

// timesIn returns the times of rows, in nanoseconds since the epoch.
func timesIn(rows []row, field string) func(i int) int64 {
	var table *columns.Table
	var timeOf func(int) int64
	return func(i int) int64 {
		r := rows[i]
		if r.table != table {
			table, timeOf = r.table, timesOf(r.table, field)
		}
		return timeOf(int(r.index))
	}
}

func sameKey(a, b row) bool { return a.key == b.key }
