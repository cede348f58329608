package reads

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// sizes is how many rows a page is asked for. The specification lists no such parameter, so a page is asked for a size,
// only its rows are believed, and a service that refuses the parameter is not asked again.
type sizes struct {
	want    int // Config.PageSize
	refused atomic.Bool
}

// ask returns the size to ask for where so many rows are wanted; 0: none.
func (s *sizes) ask(set *datasets.DataSet, most int) int {
	if set.Parameters.Size == "" || s.refused.Load() {
		return 0
	}
	return min(s.want, most)
}

// refusesSize says whether an error may be about the size: the parameter is unknown, or its value is not allowed.
func refusesSize(err error) bool {
	var e *service.Error
	return errors.As(err, &e) && e.IsAboutRequest()
}

// sized reads page 0 with a size, and without where the service refuses it. Only an answer shows that the size was to
// blame. used is the size that the answer was asked with.
func (s *sizes) sized(size int, read func(size int) (*pages.Page, error)) (page *pages.Page, used int, err error) {
	page, err = read(size)
	if size == 0 || !refusesSize(err) {
		return page, size, err
	}
	page, err = read(0)
	if err == nil {
		s.refused.Store(true)
	}
	return page, 0, err
}

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

// Probed is what a probe found.
type Probed struct {
	Total  int // matching records
	Paging Paging
	Size   int // rows of a page; 0 where it is not known
}

// probeRows is how many rows a probe keeps and asks for: it counts them, and shows none.
const probeRows = 1

// Probe reads one page, past cache and shared reads, and finds out what size pages have. It is the health check's
// question, and asks for one row. Where the service honors that, an empty page past the end tells how many rows it gives
// at the most.
//
// Errors are *service.Error, or those of a context that ended.
func (c *Reads) Probe(ctx context.Context, set *datasets.DataSet, days int) (Probed, error) {
	q := pages.Question{DataSet: set, Days: days}
	read := func(number, size int) (*pages.Page, error) {
		q.Size = size
		return c.source.Page(ctx, q, number, pages.Bounds{Rows: probeRows}, pages.NewTexts(), nil)
	}
	ask := c.sizes.ask(set, probeRows)
	p, used, err := c.sizes.sized(ask, func(size int) (*pages.Page, error) { return read(0, size) })
	if err != nil {
		return Probed{}, err
	}
	held := p.Table.Rows + p.Left
	found := Probed{Total: max(p.Total, held), Size: held}
	if p.Total < 0 && used > 0 && held == used {
		// Nothing else than a page as the service gives it tells how many there are, at the least.
		own, err := read(0, 0)
		if err != nil {
			return Probed{}, err
		}
		found.Total = own.Table.Rows + own.Left
	}
	switch {
	case found.Total <= 1:
		found.Size = 0
	case c.config.PageSize == 0:
		found.Paging = SizeNotAsked
	case used == 0:
		found.Paging = SizeRefused
	case held != used:
		found.Paging = SizeIgnored
	default:
		found.Paging, found.Size = SizeHonored, c.config.PageSize
		if past, err := read(found.Total, c.config.PageSize); err == nil && past.Envelope.Size > 0 {
			found.Size = min(past.Envelope.Size, c.config.PageSize)
		}
	}
	return found, nil
}
