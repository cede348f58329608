package reads

import (
	"context"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Paging is the service's reaction to a requested page size.
type Paging int

// The reactions.
const (
	SizeUnknown  Paging = iota // too few rows to determine it
	SizeNotAsked               // Config.PageSize is 0
	SizeRefused                // the service rejects the parameter
	SizeIgnored                // the size has no effect
	SizeHonored                // pages have the requested size, up to a limit of the service
)

// Order is the order of rows.
type Order int

// The orders.
const (
	OrderUnknown Order = iota // too few rows to determine it
	NewestFirst               // by one of the data set's times
	OtherOrder
)

// Surveyed is the result of a survey.
type Surveyed struct {
	Total   int  // matching records
	Counted bool // false: the service reports no total, and there are at least Total
	Paging  Paging
	Size    int // rows of a page; 0 if unknown
	Order   Order
	By      string         // the time that rows are ordered by if Order is NewestFirst
	Table   *columns.Table // the rows of page 0
	Forms   pages.Forms
}

// surveyRows is how many rows of a page a survey keeps.
const surveyRows = 2000

// Survey reads page 0 of a data set, bypassing cache and shared reads, to find out how the service returns it. It is
// used by the health check. For rows with times, it also determines the page size and the order of rows, with at most
// two more requests.
//
// Errors are *service.Error, or those of a context that ended.
func (c *Reads) Survey(ctx context.Context, set *datasets.DataSet, days int, usage *service.Usage) (Surveyed, error) {
	s := &survey{reads: c, question: pages.Question{DataSet: set, Days: days}, usage: usage}
	first, used, err := c.sizes.Sized(set, c.sizes.Ask(set, c.config.PageSize), func(size int) (*pages.Page, error) {
		p, forms, err := s.page(ctx, 0, size)
		s.found.Forms = forms
		return p, err
	})
	if err != nil {
		return Surveyed{}, err
	}
	held := first.Table.Rows + first.Left
	s.found.Total, s.found.Counted, s.found.Table = max(first.Total, held), first.Total >= 0 || first.Bare, first.Table
	if set.HasHistory() {
		s.paging(ctx, first, used)
		s.order(ctx, first, used)
	}
	return s.found, nil
}

type survey struct {
	reads    *Reads
	question pages.Question
	usage    *service.Usage
	found    Surveyed
}

func (s *survey) page(ctx context.Context, number, size int) (*pages.Page, pages.Forms, error) {
	q := s.question
	q.Size = size
	return s.reads.source.Survey(ctx, q, number, pages.Bounds{Rows: surveyRows}, s.usage)
}

// paging determines the page size from page 0, which was requested with size used. If page 0 has fewer rows, a page of
// one row distinguishes a limit of the service from an ignored parameter.
func (s *survey) paging(ctx context.Context, first *pages.Page, used int) {
	held := first.Table.Rows + first.Left
	size := held
	if s.found.Total <= held && first.Size > 0 {
		size = first.Size
	}
	switch {
	case s.found.Total <= 1:
	case s.reads.config.PageSize == 0:
		s.found.Paging, s.found.Size = SizeNotAsked, size
	case used == 0:
		s.found.Paging, s.found.Size = SizeRefused, size
	case size == used:
		s.found.Paging, s.found.Size = SizeHonored, size
	default:
		one, _, err := s.page(ctx, 0, 1)
		if err != nil {
			return
		}
		s.found.Paging, s.found.Size = SizeIgnored, size
		if one.Table.Rows+one.Left == 1 {
			s.found.Paging = SizeHonored
		}
	}
}

// order determines the order of rows from page 0 and the last page.
func (s *survey) order(ctx context.Context, first *pages.Page, used int) {
	held := first.Table.Rows + first.Left
	table := columns.Table{Columns: slices.Clone(first.Table.Columns), Rows: first.Table.Rows}
	if held > 0 && first.Total > held {
		size := min(used, held)
		if last, _, err := s.page(ctx, (first.Total-1)/held, size); err == nil {
			table.Append(last.Table, nil)
		}
	}
	s.found.Order = OrderUnknown
	for _, name := range s.question.DataSet.TimeFields {
		times := table.Column(name)
		if newestFirst(times) {
			s.found.Order, s.found.By = NewestFirst, name
			return
		}
		if differ(times) {
			s.found.Order = OtherOrder
		}
	}
}

// newestFirst reports whether times are descending and not all equal. Rows without a time are allowed before all
// others.
func newestFirst(times *columns.Column) bool {
	first := slices.Index(times.Valid, true)
	if first < 0 {
		return false
	}
	for row := first + 1; row < len(times.Valid); row++ {
		if !times.Valid[row] || times.Times[row] > times.Times[row-1] {
			return false
		}
	}
	return times.Times[first] > times.Times[len(times.Times)-1]
}

// differ reports whether there are two different times.
func differ(times *columns.Column) bool {
	first := slices.Index(times.Valid, true)
	for row := range times.Valid {
		if times.Valid[row] && times.Times[row] != times.Times[first] {
			return true
		}
	}
	return false
}
