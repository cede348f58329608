// Package paging decides how to read a list that a service pages by offset while it moves. Pages and a prediction come in; page
// numbers, or rows and what they may lack, go out. It waits for nothing, and knows neither requests nor callers.
//
//	Reading       one look after the other, until the list stands still            reading.go
//	 ├ look       which pages next? what do they show?                             look.go, oddities.go
//	 │  └ merged  pages and prediction → stretches, unclear gaps, seams            merge.go, stretch.go
//	 └ Result     stretches → one table, and what it may lack                      merge.go
//
// Words. A place is how many rows are in front of a row. A stretch is neighboring rows of one page. A look is one attempt:
// page 0, some pages, page 0 again. A gap is the pages between two that a look has read. A seam is where rows may be missing.
//
// Prediction. Whatever was read before, of this list or of one over other days, predicts the list. A look reads page 0, the
// last page, the pages with rows that may still change, and a few that were read longest ago. Either the prediction has as
// many rows for a gap as fit, and then nothing was added or removed there, or it has not, and then the page in its middle is
// read, which shows in which half. Without a prediction, all pages are read, side by side.
//
//	prediction   1 2 3   4 5 6   7 8 9   10 11 12
//	service      0 1 2   3 4 6   7 8 9   10 11 12     0 came, 5 was removed
//	first        0 1 2   . . .   . . .   10 11 12     a gap of 6 rows, but the prediction has 7 for it, 3 to 9
//	then         0 1 2   3 4 6   . . .   10 11 12     a gap of 3 rows, for which it has 7 8 9: 5 is gone
//
// Proof. The list must stand still during a look: all pages report the same total, no row is on two of them, and page 0 is
// the same when it is read again at the end. If all pages are read, newest first, a row that comes in front shows as a row that is
// on two pages, so page 0 is not read again. If the list has moved, what the look knows is the prediction of the next look. Such a
// prediction may be wrong in two ways. It may have rows that are gone: counting finds them. And it may miss a row:
//
//	page 1 is read       4 5 6 | 7 8 9
//	then 2 is removed    5 6 7 | 8 9 10
//	page 2 is read               8 9 10     7 is on neither page; as 2 is still predicted, the count is right
//
// So a border at which this may have happened is a seam, and the pages on both sides of it are read again. Hence the
// invariant: a prediction misses rows only next to seams, and where the list has grown.
//
// What cannot be seen at once: between two reads, a row appears in the middle while another one behind it is removed, a row
// without a change jumps over others, or a row changes that was not expected to. That is corrected when the page is read
// again: each look reads the pages that are due, so that none gets older than Rules.Interval. And in a list that is not in the
// order of a time, rows appear and disappear anywhere, where one makes up for another: it is always read whole.
package paging

import (
	"math"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Prediction is what is known of a list when it is read again. It is not modified once a reading has returned it.
type Prediction struct {
	stretches    []stretch
	organization string
	firstNumber  int // see Reading.Number
}

// Reading brings a prediction up to date: each look is the prediction of the next one, until the list stands still during one.
type Reading struct {
	Rules
	before       Prediction
	look         *look
	last         *look
	looks, alike int // looks that were begun; those in a row that have failed in the same way
	gathered     gathered
	firstNumber  int // see Number
	cost         Cost
	tables       map[*columns.Table]bool // with the rows that were received
	collected    *columns.Table          // the rows of a look without a prediction
	err          error
}

// New begins to read a list with a prediction, of this list or of one over other days; nil: nothing is known.
func New(rules Rules, before *Prediction) *Reading {
	r := &Reading{Rules: rules, tables: map[*columns.Table]bool{}}
	if before != nil {
		r.before, r.firstNumber = *before, before.firstNumber
	}
	r.begin(r.before)
	return r
}

// begin begins a look with a prediction, unless its rows are not in the order of a time.
func (r *Reading) begin(before Prediction) {
	if !r.isInOrder(before.stretches) {
		before = Prediction{}
	}
	proven := 0
	if r.looks++; r.look != nil {
		proven = r.look.proven
	}
	r.look = &look{
		Rules: r.Rules, organization: before.organization, mayShift: r.firstNumber == 0, proven: proven, size: 1,
		pages: map[int]*Page{}, received: map[key]spot{}, moves: moves{twice: map[key]bool{}},
	}
	if len(before.stretches) > 0 {
		r.look.before = newOrder(r.Set.Key, before.stretches)
	}
	r.collected = nil
}

// isInOrder reports whether rows are in an order that lets a prediction prove something: of one of their times, or of the latest.
// By last change, rows of other days may be anywhere between these, where counting does not show them.
func (r *Reading) isInOrder(stretches []stretch) bool {
	times := r.Set.TimeFields
	if r.Other {
		return areInOrder(stretches, times[:1])
	}
	return areInOrder(stretches, times) || slices.ContainsFunc(times, func(field string) bool { return areInOrder(stretches, []string{field}) })
}

// Number returns the number with which to request a page. Services that count from 1 return the first page for 0, too.
func (r *Reading) Number(page int) int {
	if page == 0 {
		return 0
	}
	return page + r.firstNumber
}

const attempts = 16 // how often the list may move while it is looked at

func (r *Reading) isEnough() bool {
	all := pagesFor(r.look.rows(), r.look.size)
	if r.gathered.rows != nil { // Each look has some of the rows that the others have missed.
		return r.looks == 2*attempts || r.cost.Pages > 6*all+250
	}
	return r.looks >= attempts || r.cost.Pages > 3*all+50
}

// Next returns the pages to read next; none if the reading has ended.
func (r *Reading) Next() []int {
	for {
		k := r.look
		if numbers := k.next(); len(numbers) > 0 {
			return numbers
		}
		if k.oddities.shifted {
			r.firstNumber = 1
			r.begin(Prediction{})
			r.retake(k.first)
			continue
		}
		k.moves.unknown = r.isUnknown()
		if r.alike++; r.last == nil || !k.failsLike(r.last) {
			r.alike = 0
		}
		k.moves.listed = r.alike > 1 // The third look shows the same.
		switch {
		case !k.hasMoved() && k.before != nil && !r.isInOrder(k.found.stretches):
			k.moves.broken = true
		case !k.hasMoved() || r.gathered.add(k) || r.isEnough():
			return nil
		case r.alike > 0 && k.moves.refused != nil:
			r.err = k.moves.refused
			return nil
		}
		r.lookAgain()
	}
}

// Err returns why the reading has failed: the error with which the service refuses a page that must exist.
func (r *Reading) Err() error { return r.err }

// lookAgain begins another look. It has read page 0 if the last one ended with that.
func (r *Reading) lookAgain() {
	k := r.look
	r.last, k.moves.left = k, k.firstAgain == nil
	k.merge() // It has moved, which shows where rows may be missing.
	// Nothing shows whether the first row left while the pages were read, as one came at the end.
	isUnproven := k.firstAgain == nil && !k.moves.differ && rises(k.found.stretches, r.Set)
	if !k.counts() || isUnproven || r.gathered.rows != nil && r.looks > 2 {
		r.begin(Prediction{})
	} else {
		r.begin(Prediction{stretches: k.found.stretches, organization: k.organization})
	}
	if k.firstAgain != nil {
		r.retake(k.firstAgain)
	}
}

// retake takes page 0 of the look before, as older than all other pages of this look.
func (r *Reading) retake(first *Page) {
	first.Asked, first.Got = 0, 0
	r.look.take(first)
}

// Take adds a page, and returns whether those behind it are needed.
func (r *Reading) Take(p *Page) (more bool) {
	r.cost.Requests += p.response.Usage.Requests
	r.cost.Bytes += p.response.Usage.Bytes
	more = r.look.take(p)
	if p.number < r.End() {
		r.cost.Pages++
	}
	if r.look.before == nil && p != r.look.firstAgain {
		r.collect(p)
	}
	r.tables[p.table] = true
	return more
}

// collect moves the rows of a page to one table, so that a list is not in memory twice while it is read for the first time.
func (r *Reading) collect(p *Page) {
	if len(r.look.pages) == 1 {
		return
	}
	if r.collected == nil {
		r.collected = pages.NewTable(r.Set, r.look.capacity())
		r.move(r.look.first)
	}
	r.move(p)
}

func (r *Reading) move(p *Page) {
	p.begin = r.collected.Rows
	r.collected.Append(p.table, nil)
	p.table, p.response.Table = r.collected, nil
}

// Size returns the number of rows of a page; 1 before page 0 was received.
func (r *Reading) Size() int { return r.look.size }

// End returns the number of the page behind the last one, as far as it is known.
func (r *Reading) End() int {
	if r.look.total < 0 || r.look.first == nil {
		return math.MaxInt
	}
	return pagesFor(r.look.total, r.look.size)
}

const largePages = 8 // how many pages may be read for the first time without waiting for others

// IsLarge reports whether pages are many of which nothing is known.
func (r *Reading) IsLarge(numbers []int) bool {
	return len(r.look.pages)+len(numbers)-pagesFor(r.look.before.rows(), r.look.size) > largePages
}

// Bytes returns the approximate memory of an answer, a prediction, and a stopped reading, which share columns. Each may be nil.
func Bytes(answer *Result, p *Prediction, stopped *Reading) (bytes int64) {
	counted := map[*columns.Column]bool{}
	count := func(t *columns.Table) {
		for _, c := range t.Columns {
			if !counted[c] {
				counted[c] = true
				bytes += c.Bytes()
			}
		}
	}
	if answer != nil {
		count(answer.Table)
	}
	if p != nil {
		bytes += int64(len(p.stretches)) * stretchBytes
		for _, s := range p.stretches {
			bytes += int64(len(s.problems())) * problemBytes
			count(s.table)
		}
	}
	if stopped != nil {
		for t := range stopped.tables {
			count(t)
		}
	}
	return bytes
}

// UnknownFields returns the names of the fields of the prediction that are not in the description.
func (r *Reading) UnknownFields() (names []string) {
	for i, s := range r.before.stretches {
		if i == 0 || s.table != r.before.stretches[i-1].table {
			names = append(names, s.table.Names()[len(r.Set.Fields):]...)
		}
	}
	return names
}
