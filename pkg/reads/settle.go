package reads

import (
	"context"
	"slices"
)

const (
	// settleTries bounds the attempts to settle while the data keeps changing.
	settleTries = 3
	// settlePages bounds the pages that settling reads: beyond it, reading all of them again is as cheap.
	settlePages = 40
)

// settle completes a pass during which rows were added in front or removed at the end, as in a sliding window. It
// compares two readings of both ends:
//   - the rows of page 0 must still be there, contiguous, behind the new ones;
//   - the rows of the last page must have moved by the number of new rows. If they have not, rows were removed in the
//     middle, and any row may be missing.
//
// If both ends match, missing rows were shifted across the boundary between two pages that were read in the wrong
// order. They are found by bisection: all pages behind a missing row are shifted. settle returns false if the pages
// have to be read again.
func (r *reader) settle(ctx context.Context, p *pass) (bool, error) {
	if p.cut || p.rows.keyless || !r.endIsKnown(p) {
		return false, nil
	}
	s := &settling{reader: r, pass: p, rows: p.rows.table.Rows}
	for range settleTries {
		outcome, err := s.try(ctx)
		if err != nil || outcome != again {
			return outcome == settled, err
		}
	}
	return false, nil
}

type outcome int

const (
	broken  outcome = iota // the pages are inconsistent: rows were removed in the middle, or there is no order
	again                  // the data changed meanwhile
	settled                // the pass is complete
)

// settling repairs a pass whose pages are inconsistent.
type settling struct {
	reader *reader
	pass   *pass
	rows   int // of the pass, before settling added others

	total int           // total that every page of an attempt must report
	seen  map[int][]int // rows of the pages read by this attempt
	reads int           // pages read by all attempts
	moved bool          // two pages of this attempt report different totals
}

func (s *settling) try(ctx context.Context) (outcome, error) {
	s.total, s.moved, s.seen = -1, false, map[int][]int{}
	front, fits, err := s.front(ctx)
	if err != nil || !fits || repeats(front) {
		return s.verdict(broken), err
	}
	fits, err = s.tailFits(ctx, len(front)-len(s.pass.head))
	if err != nil || !fits {
		return s.verdict(broken), err
	}
	order := s.candidate(front)
	for range settlePages {
		missing, err := s.firstMisplaced(ctx, order)
		if err != nil {
			return broken, err
		}
		if missing < 0 {
			s.pass.order, s.pass.total = order[:s.total], s.total
			return s.verdict(settled), nil
		}
		repaired := s.insertPage(order, missing)
		if s.moved || s.reads >= settlePages || repeats(repaired) || slices.Equal(repaired, order) {
			break // The last case: the page has fewer rows than the totals say.
		}
		order = repaired
	}
	return s.verdict(broken), nil
}

// verdict returns the outcome, or again if the data changed meanwhile.
func (s *settling) verdict(o outcome) outcome {
	if s.moved {
		return again
	}
	return o
}

// page reads a page once per attempt, and returns its rows in the table.
func (s *settling) page(ctx context.Context, number int) ([]int, error) {
	if at, ok := s.seen[number]; ok {
		return at, nil
	}
	page, err := s.reader.page(ctx, number)
	if err != nil {
		return nil, err
	}
	s.reads++
	if s.total < 0 {
		s.total = page.Total
	}
	s.moved = s.moved || page.Total != s.total
	at := s.pass.rows.add(page)
	s.pass.pages++
	s.seen[number] = at
	return at, nil
}

// front reads from page 0 until it has found the rows of the original page 0. It returns all rows up to the last of
// these.
func (s *settling) front(ctx context.Context) (rows []int, fits bool, err error) {
	head := s.pass.head
	for number := 0; number*s.pass.size < max(s.total, 1) && number < settlePages; number++ {
		at, err := s.page(ctx, number)
		if err != nil || s.moved {
			return nil, false, err
		}
		rows = append(rows, at...)
		first := slices.Index(rows, head[0])
		if first >= 0 && len(rows) >= first+len(head) {
			rows = rows[:first+len(head)]
			return rows, slices.Equal(rows[first:], head), nil
		}
		if len(at) < s.pass.size {
			break
		}
	}
	return nil, false, nil
}

// tailFits reports whether the rows of the last page are where they must be after a shift by new rows in front. Some
// may have disappeared at the end, but not all, or there is nothing to compare.
func (s *settling) tailFits(ctx context.Context, shift int) (bool, error) {
	size := s.pass.size
	begin := s.pass.tailAt*size + shift
	end := min(begin+len(s.pass.tail), s.total)
	for place := begin; place < end; {
		number := place / size
		at, err := s.page(ctx, number)
		if err != nil || s.moved {
			return false, err
		}
		for ; place < end && place/size == number; place++ {
			if i := place % size; i >= len(at) || at[i] != s.pass.tail[place-begin] {
				return false, nil
			}
		}
	}
	return begin < end, nil
}

// candidate returns the order that the rows must have: those in front, then the others as they were read. Removed rows
// were at the end.
func (s *settling) candidate(front []int) []int {
	known := toSet(front)
	order := slices.Clone(front)
	for row := range s.rows {
		if !known[row] {
			order = append(order, row)
		}
	}
	return order
}

// firstMisplaced returns the number of the first page that differs from the candidate, or -1.
func (s *settling) firstMisplaced(ctx context.Context, order []int) (int, error) {
	last := pagesFor(s.total, s.pass.size) - 1
	fits, err := s.fits(ctx, order, last)
	if err != nil || fits && len(order) >= s.total {
		return -1, err
	}
	low, high := 0, last
	for low < high && !s.moved {
		middle := (low + high) / 2
		fits, err := s.fits(ctx, order, middle)
		if err != nil {
			return -1, err
		}
		if fits {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if s.moved {
		return low, nil
	}
	_, err = s.page(ctx, low)
	return low, err
}

func (s *settling) fits(ctx context.Context, order []int, number int) (bool, error) {
	at, err := s.page(ctx, number)
	if err != nil {
		return false, err
	}
	begin := number * s.pass.size
	end := min(begin+s.pass.size, s.total)
	return end <= len(order) && begin <= end && slices.Equal(order[begin:end], at), nil
}

// insertPage inserts the rows of a page at its place in the order and shifts the others.
func (s *settling) insertPage(order []int, number int) []int {
	at := s.seen[number]
	begin := min(number*s.pass.size, len(order))
	repaired := append(slices.Clone(order[:begin]), at...)
	known := toSet(repaired)
	for _, row := range order[begin:] {
		if !known[row] {
			repaired = append(repaired, row)
		}
	}
	return repaired
}

// repeats reports whether an order has duplicates: a row was added while another was removed, so the total did not
// change.
func repeats(order []int) bool { return len(toSet(order)) < len(order) }

func toSet(rows []int) map[int]bool {
	set := make(map[int]bool, len(rows))
	for _, row := range rows {
		set[row] = true
	}
	return set
}
