package paging

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/schema"
)

var tasks = schema.All().Get("tasks")

// created is long enough ago for a task that has ended not to change anymore.
var created = time.Now().Add(-24*time.Hour - time.Hour)

// written is a list of tasks in text: "3! 2 1" has 3 to 1, of which 3 is running.
type written string

func (w written) page(number, size int, at time.Time) *Page {
	rows := strings.Fields(string(w))
	begin := min(number*size, len(rows))
	p := pages.Empty(tasks)
	p.Total = len(rows)
	rows = rows[begin:min(begin+size, len(rows))]
	p.Table.Rows = len(rows)
	for _, c := range p.Table.Columns {
		c.Resize(len(rows))
	}
	set := func(i int, name string) *columns.Column {
		c := p.Table.Column(name)
		c.Valid[i] = true
		return c
	}
	for i, word := range rows {
		_, _ = fmt.Sscan(strings.TrimSuffix(word, "!"), &set(i, "id").Integers[i])
		set(i, "state").Strings[i] = "RUNNING"
		set(i, "dateCreation").Times[i] = created.UnixNano()
		if !strings.HasSuffix(word, "!") {
			set(i, "state").Strings[i], set(i, "finishStatus").Strings[i] = "FINISHED", "SUCCESS"
		}
	}
	p.Usage.Organization = "acme"
	return NewPage(tasks, number, p, at)
}

// What a look asks for, one batch after the other, and what it finds.
func TestLooks(t *testing.T) {
	const before = "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1"
	without := func(ids ...string) string {
		return strings.Join(slices.DeleteFunc(strings.Fields(before), func(id string) bool { return slices.Contains(ids, id) }), " ")
	}
	open := func(ids ...string) string {
		list := strings.Fields(before)
		for i, id := range list {
			if slices.Contains(ids, id) {
				list[i] += "!"
			}
		}
		return strings.Join(list, " ")
	}
	moved := func(ids ...string) string {
		return strings.Replace(without(append(ids, "24", "23")...), " 19 ", " 99 19 ", 1)
	}
	for _, test := range []struct {
		name     string
		before   string
		now      string
		after    time.Duration  // since the prediction
		allowed  time.Duration  // age of rows that may still change
		reversed bool           // pages of a batch are received in reverse order, all requested before the first one
		later    map[int]string // what the list is from a page on, counted from 1
		pages    string
		rows     string
		lack     Lack
		reused   int
		age      time.Duration
	}{
		{name: "no prediction, a total that ends with a full page", now: before, pages: "[0] [1 2 3 4 5 6 7 8]"},
		{name: "no prediction, one page", now: "2 1", pages: "[0]"},
		{name: "empty", now: "", pages: "[0]"},
		{name: "nothing changed", before: before, now: before, pages: "[0] [7] [0]", reused: 18},
		{name: "one is running", before: open("18"), now: before, pages: "[0] [2 7] [0]", reused: 15},
		{name: "two are new", before: before, now: "26 25 " + before, pages: "[0] [8] [0]", reused: 21},
		{name: "the last page has one row", before: before, now: "25 " + before, pages: "[0] [8] [0]", reused: 21},
		{name: "a page and more is new", before: before, now: "28 27 26 25 " + before, pages: "[0] [1 9] [0]", reused: 21},
		{name: "some left at the end", before: before, now: strings.TrimSuffix(before, " 3 2 1"), pages: "[0] [6 7] [0]", reused: 15},
		{name: "one was removed", before: before, now: without("10"), pages: "[0] [7] [3] [5] [4] [0]", reused: 9},
		{
			name: "one that changed came in front of a new one, and one was removed", before: "24! " + before[3:], now: "28 27 24 26 " + without("24", "10"),
			pages: "[0] [1 8] [4] [6] [5] [0]", reused: 9,
		},
		{name: "one came, one was removed", before: before, now: "25 " + without("10"), pages: "[0] [7 8] [3] [5] [4] [0]", reused: 9},
		{name: "short lists are read whole", before: "9 8 7 6 5 4 3 2 1", now: "9 8 7 6 5 4 3 2 1", pages: "[0] [1 2]"},
		{name: "two pages are due", before: before, now: before, after: 20 * time.Minute, pages: "[0] [1 2 7] [0]", reused: 12},
		{name: "all pages are older than the interval", before: before, now: before, after: time.Hour, pages: "[0] [1 2 3 4 5 6 7]"},
		{name: "one is running, and may be a minute old", before: open("18"), now: before, allowed: time.Minute, pages: "[0] [7] [0]", reused: 18, age: time.Minute},
		{
			name: "a row moved between two pages, and page 0 has changed in the end", before: open("12", "9"), now: before, reversed: true,
			later: map[int]string{4: "24 23 " + moved("5"), 7: "25 24 23 " + moved("5")}, pages: "[0] [4 5 7] [2] [1] [0] [2 5 8] [6] [7] [0]", rows: "25 24 23 " + moved("5"), reused: 3,
		},
		{
			name: "rows move back and forth", before: open("12", "9", "6"), now: before,
			later: map[int]string{3: "25 " + without("2"), 4: "25 " + without("2", "20") + " 88"}, pages: "[0] [4 5 6 7] [0] [4 5 6 7] [2] [1] [0]", rows: "25 " + without("2", "20") + " 88", reused: 3,
		},
		{
			name: "a new row is missed in front of those that are known", before: before, now: "31 30 29 28 27 26 25 " + before,
			later: map[int]string{3: "30 29 28 27 26 25 " + without("10") + " 88"}, pages: "[0] [1 2 10] [0] [1 2 9 10] [3 5] [7] [6] [0]", rows: "30 29 28 27 26 25 " + without("10") + " 88", reused: 6,
		},
		{
			name: "two came behind the last row of a page, one was removed", before: open("12"), now: strings.Replace(without("6"), " 10", " 99 98 10", 1), pages: "[0] [4 7 8] [5] [6] [0]", reused: 9,
		},
		{
			name: "two came in front of the first row of a page, one was removed", before: open("6"), now: strings.Replace(without("8"), " 6", " 98 99 6", 1), pages: "[0] [6 7 8] [3] [4] [5] [0]", reused: 6,
		},
		{name: "one comes at last while all pages are read", now: without("24"), later: map[int]string{8: before}, pages: "[0] [1 2 3 4 5 6 7] [0] [5 6 7] [0]", rows: before},
		{name: "one comes while all pages are read", now: without("24"), later: map[int]string{4: before}, pages: "[0] [1 2 3 4 5 6 7] [0] [1 2 3 4 5 6 7]", reused: 0, rows: before},
	} {
		t.Run(test.name, func(t *testing.T) {
			now := time.Now()
			r := Rules{Set: tasks, MaxRows: 1000, Concurrent: 2, Now: now, Since: now.Add(-test.allowed), Interval: time.Hour}
			var known *Prediction
			var batches []string
			world, n := test.before, 0
			read := func(now time.Time) *Result {
				r.Now = now
				reading := New(r, known)
				for numbers := reading.Next(); len(numbers) > 0; numbers = reading.Next() {
					batches = append(batches, fmt.Sprint(numbers))
					received, asked := make([]*Page, len(numbers)), n
					for i := range numbers {
						if test.reversed {
							i = len(numbers) - 1 - i
						} else {
							asked = n
						}
						if n++; test.later[n] != "" {
							world = test.later[n]
						}
						received[i] = written(world).page(numbers[i], 3, now)
						received[i].Asked, received[i].Got = int64(asked), int64(n)
					}
					for _, p := range received {
						reading.Take(p)
					}
				}
				result, next := reading.Result(now)
				known = next
				return result
			}
			if test.before != "" {
				later := test.later
				test.later = nil
				read(now.Add(-max(test.after, time.Minute)))
				batches, n, test.later = nil, 0, later
			}
			world = test.now
			result := read(now)
			assert.Equal(t, test.pages, strings.Join(batches, " "))
			want := test.now
			if test.rows != "" {
				want = test.rows
			}
			assert.Equal(t, strings.ReplaceAll(want, "!", ""), strings.Trim(fmt.Sprint(result.Table.Column("id").Integers), "[]"))
			assert.Equal(t, test.lack, result.Lack)
			assert.Equal(t, test.reused, result.Cost.Reused)
			assert.Equal(t, test.age, now.Sub(result.AsOf))
			assert.Equal(t, test.reused > 0, result.OldestAt.Before(now), "age of all rows")
			assert.Zero(t, result.Cost.Corrected, "only rows that were open have changed")
		})
	}
}

// Which rows may still change: those that have not ended, however old they are, or not long ago, or whose end is not known.
func TestOpenRows(t *testing.T) {
	now := time.Now()
	for _, test := range []struct {
		state, status string
		changed       time.Duration // ago; 0: unknown
		open          bool
		ahead         time.Duration // of the service's clock
	}{
		{"FINISHED", "SUCCESS", time.Hour, false, 0},
		{"FINISHED", "SUCCESS", time.Minute, true, 0},
		{"FINISHED", "SUCCESS", 0, true, 0},
		{"FINISHED", "", time.Hour, true, 0},
		{"RUNNING", "", time.Hour, true, 0},
		{"RUNNING", "", 49 * time.Hour, true, 0},
		{"", "", time.Hour, true, 0},
		{"FINISHED", "SUCCESS", time.Hour, true, -55 * time.Minute},
		{"FINISHED", "SUCCESS", time.Minute, false, 20 * time.Minute},
	} {
		p := written("1").page(0, 1, now).response
		set := func(name, value string) {
			c := p.Table.Column(name)
			c.Valid[0], c.Strings[0] = value != "", value
		}
		set("state", test.state)
		set("finishStatus", test.status)
		at := p.Table.Column("dateCreation")
		at.Valid[0], at.Times[0], p.Usage.Ahead = test.changed > 0, now.Add(-test.changed).UnixNano(), test.ahead
		assert.Equal(t, test.open, len(NewPage(tasks, 0, p, now).origin.unsettled) > 0, "%+v", test)
	}
}

// A page that was refused once may no longer exist, because the list became shorter. Only in two looks, one after the
// other, the service refuses a page that must exist.
func TestRefusedPages(t *testing.T) {
	const list = "9 8 7 6 5 4 3 2 1"
	refused := errors.New("refused")
	for _, test := range []struct {
		name  string
		looks string // what happens to page 1 in each look: r: it is refused, m: it has moved
		err   error
	}{
		{"once", "r", nil},
		{"in two looks", "rr", refused},
		{"in two looks that are not neighbors", "rmr", nil},
		{"after another look", "mrr", refused},
	} {
		reading, look := New(Rules{Set: tasks, MaxRows: 1000, Concurrent: 2, Now: time.Now()}, nil), 0
		for numbers := reading.Next(); len(numbers) > 0; numbers = reading.Next() {
			for _, number := range numbers {
				p := written(list).page(number, 3, time.Now())
				switch {
				case number == 1 && look < len(test.looks) && test.looks[look] == 'r':
					p = RefusedPage(tasks, 1, refused)
				case number == 1 && look < len(test.looks):
					p = written("10 "+list).page(1, 3, time.Now())
				}
				reading.Take(p)
			}
			if slices.Contains(numbers, 1) {
				look++
			}
		}
		assert.Equal(t, test.err, reading.Err(), test.name)
		if test.err == nil {
			result, _ := reading.Result(time.Now())
			assert.Equal(t, 9, result.Table.Rows, test.name)
			assert.Equal(t, Complete, result.Lack, test.name)
		}
	}
}

// A route without a page parameter returns all its rows, in an envelope of any kind, unless that says that there are more.
func TestRouteWithoutPages(t *testing.T) {
	no := false
	for _, test := range []struct {
		envelope pages.Envelope
		lack     Lack
	}{
		{pages.Envelope{Total: -1, Pages: -1, Size: -1}, Complete},
		{pages.Envelope{Total: 3, Pages: 1, Size: 3}, Complete},
		{pages.Envelope{Total: 3, Pages: 1, Size: 20}, Complete},
		{pages.Envelope{Total: -1, Pages: -1, Size: -1, Bare: true}, Complete},
		{pages.Envelope{Total: 9, Pages: 3, Size: 3}, SamePage},
		{pages.Envelope{Total: -1, Pages: -1, Size: 3, Last: &no}, SamePage},
	} {
		runners := schema.All().Get("runners")
		reading, asked := New(Rules{Set: runners, MaxRows: 1000, Concurrent: 2, Now: time.Now()}, nil), 0
		for numbers := reading.Next(); len(numbers) > 0; numbers = reading.Next() {
			asked++
			for _, number := range numbers {
				p := pages.Empty(runners)
				p.Envelope, p.Table.Rows = test.envelope, 3
				for _, c := range p.Table.Columns {
					c.Resize(3)
				}
				for i, c := 0, p.Table.Column(runners.Key); i < 3; i++ {
					c.Valid[i], c.Strings[i] = true, fmt.Sprint("runner-", i)
				}
				reading.Take(NewPage(runners, number, p, time.Now()))
			}
		}
		result, _ := reading.Result(time.Now())
		assert.Equal(t, test.lack == Complete, asked == 1, "%+v", test.envelope)
		assert.Equal(t, test.lack, result.Lack, "%+v", test.envelope)
		assert.Equal(t, 3, result.Table.Rows)
	}
}
