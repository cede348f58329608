package reads

import (
	"context"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Paging is what the service does when it is asked for a page size.
type Paging int

// What asking for a size came to.
const (
	SizeUnknown  Paging = iota // there are too few rows to tell
	SizeNotAsked               // Config.PageSize is 0
	SizeRefused                // the service rejects the parameter
	SizeIgnored                // pages hold what they hold without it
	SizeHonored                // pages hold as many rows as asked for, up to a bound of the service
)

// Order is how rows follow one another.
type Order int

// What the times of the rows that were read say.
const (
	OrderUnknown Order = iota // there are too few of them to tell
	NewestFirst               // by one of the data set's times
	OtherOrder
)

// Surveyed is what a survey found.
type Surveyed struct {
	Total   int  // matching records
	Counted bool // false: the service did not say how many there are, and there are at least Total
	Paging  Paging
	Size    int // rows of a page; 0 where it is not known
	Order   Order
	By      string         // the time that rows are ordered by, where Order is NewestFirst
	Table   *columns.Table // the rows of page 0
	Forms   pages.Forms
}

// surveyRows is how many rows of a page a survey keeps.
const surveyRows = 2000

// Survey reads page 0 of a data set, past cache and shared reads, to learn how the service gives it: it is the health
// check's question. Where rows carry times it also finds out what size pages have, and in which order rows come, for at
// most two requests more.
//
// Errors are *service.Error, or those of a context that ended.
func (c *Reads) Survey(ctx context.Context, set *datasets.DataSet, days int, usage *service.Usage) (Surveyed, error) {
	s := &survey{reads: c, question: pages.Question{DataSet: set, Days: days}, usage: usage}
	first, used, err := c.sizes.sized(c.sizes.ask(set, c.config.PageSize), func(size int) (*pages.Page, error) {
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

// paging judges by page 0, which was asked for used rows, what size pages have. Where it holds fewer, only a page of one row
// tells a bound of the service from a service that does not listen.
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

// order judges by page 0 and the last page in which order rows come.
func (s *survey) order(ctx context.Context, first *pages.Page, used int) {
	held := first.Table.Rows + first.Left
	rows := newAssembly(s.question.DataSet)
	rows.add(first)
	if held > 0 && first.Total > held {
		size := min(used, held)
		if last, _, err := s.page(ctx, (first.Total-1)/held, size); err == nil {
			rows.add(last)
		}
	}
	table := rows.finish(nil, 2*surveyRows)
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

// differ says whether there are two times that are not one.
func differ(times *columns.Column) bool {
	first := slices.Index(times.Valid, true)
	for row := range times.Valid {
		if times.Valid[row] && times.Times[row] != times.Times[first] {
			return true
		}
	}
	return false
}
