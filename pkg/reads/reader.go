package reads

import (
	"context"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// reader reads the pages of one Read.
type reader struct {
	reads *Reads
	read  Read
	texts *pages.Texts
	usage service.Usage

	total    int // the largest total that a page reported
	first    int // the total that page 0 reported
	lowest   int // the smallest
	lastPage int
	wanted   int // pages that hold the rows asked for
}

// all reads page 0, learns how many there are, and reads the rest side by side. The service's pages are offsets over
// live data: where the total moved meanwhile, it reads what is missing.
func (r *reader) all(ctx context.Context) ([]*pages.Page, error) {
	first, err := r.page(ctx, 0)
	if err != nil {
		return nil, err
	}
	r.first, r.total, r.lowest = first.Total, first.Total, first.Total
	r.wanted = r.pagesFor(first, r.reads.most(r.read))
	rest, err := r.pages(ctx, 1, min(first.TotalPages, r.wanted))
	if err != nil {
		return nil, err
	}
	read := append([]*pages.Page{first}, rest...)
	tail, err := r.grown(ctx, read)
	if err != nil {
		return nil, err
	}
	head, err := r.head(ctx, append(read, tail...))
	if err != nil {
		return nil, err
	}
	read = append(append(head, read...), tail...)
	r.lastPage = len(rest) + len(tail)
	return read, nil
}

// pagesFor says how many pages hold so many rows. The size is the envelope's own, whatever was asked for.
func (r *reader) pagesFor(p *pages.Page, rows int) int {
	size := p.Size
	if size <= 0 {
		size = max(p.Rows, 1)
	}
	return (rows + size - 1) / size
}

// pages reads pages from to to-1, as many at once as the data source may have in flight.
func (r *reader) pages(ctx context.Context, from, to int) ([]*pages.Page, error) {
	read := make([]*pages.Page, max(0, to-from))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.reads.config.MaxConcurrent)
	for i := range read {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() (err error) {
			defer flight.Recover(&err)
			read[i], err = r.page(ctx, from+i)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	// The caller may have left before every page was asked for.
	if err := ctx.Err(); err != nil && len(read) > 0 && read[len(read)-1] == nil {
		return nil, context.Cause(ctx)
	}
	for _, p := range read {
		r.total = max(r.total, p.Total)
		r.lowest = min(r.lowest, p.Total)
	}
	return read, nil
}

// grown reads the pages that came into being behind the last one: rows that were new pushed others there.
func (r *reader) grown(ctx context.Context, read []*pages.Page) ([]*pages.Page, error) {
	most := 0
	for _, p := range read {
		most = max(most, p.TotalPages)
	}
	return r.pages(ctx, len(read), min(most, r.wanted))
}

// head reads again from page 0 what came in front while the rest was read, until a page has nothing new.
func (r *reader) head(ctx context.Context, read []*pages.Page) ([]*pages.Page, error) {
	if r.total <= r.first || r.first >= r.reads.most(r.read) {
		return nil, nil
	}
	known := newSeen(r.read.DataSet)
	for _, p := range read {
		known.add(p)
	}
	var head []*pages.Page
	for number := 0; number < len(read); number++ {
		p, err := r.page(ctx, number)
		if err != nil {
			return nil, err
		}
		r.total = max(r.total, p.Total)
		// A page with nothing new counts too: it says where the rows of the first reading belong.
		head = append(head, p)
		if known.add(p) == 0 {
			break
		}
	}
	return head, nil
}

// page reads one page, logging in and trying again as needed.
func (r *reader) page(ctx context.Context, number int) (*pages.Page, error) {
	return r.reads.source.Page(ctx, r.read.Question, number, r.texts, &r.usage)
}

// warnings says what of the matching rows is not there. rows is how many different ones were read.
func (r *reader) warnings(rows, repeated int) []string {
	var warnings []string
	most := r.reads.most(r.read)
	limited := r.read.Limit > 0 && r.read.Limit <= r.reads.config.MaxRows
	switch {
	case limited && rows >= min(most, r.total):
		return nil
	case limited:
		return []string{fmt.Sprintf("read %d of the %d rows that the limit asks for: the data moved while it was read, and the rest could not be found", rows, min(most, r.total))}
	case r.total > most:
		return []string{fmt.Sprintf("read %d of %d rows, the most that Max rows (maxRows) in the data source settings allows: raise it, or ask for fewer days", min(rows, most), r.total)}
	case rows < r.total:
		warnings = append(warnings, fmt.Sprintf("read %d of %d rows: the data moved while it was read, and the rest could not be found", rows, r.total))
	case r.lowest < r.first:
		warnings = append(warnings, fmt.Sprintf("the number of rows fell from %d to %d while they were read: some may be missing", r.first, r.lowest))
	}
	if repeated > 0 && r.total == r.first && r.lowest == r.first {
		warnings = append(warnings, fmt.Sprintf("%d rows came twice and are shown once", repeated))
	}
	return warnings
}
