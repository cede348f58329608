package insights

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/sync/errgroup"
)

// reader reads the pages of one Read.
type reader struct {
	client  *Client
	read    Read
	texts   *interner
	counter counter

	total    int // the largest total that a page reported
	first    int // the total that page 0 reported
	lowest   int // the smallest
	lastPage int
	wanted   int // pages that hold the rows asked for
}

// all reads page 0, learns how many there are, and reads the rest side by side. The service's pages are offsets over
// live data: where the total moved meanwhile, it reads what is missing.
func (r *reader) all(ctx context.Context) ([]*page, error) {
	first, err := r.page(ctx, 0)
	if err != nil {
		return nil, err
	}
	r.first, r.total, r.lowest = first.total, first.total, first.total
	r.wanted = r.pagesFor(first, r.client.most(r.read))
	rest, err := r.pages(ctx, 1, min(first.totalPages, r.wanted))
	if err != nil {
		return nil, err
	}
	pages := append([]*page{first}, rest...)
	tail, err := r.grown(ctx, pages)
	if err != nil {
		return nil, err
	}
	head, err := r.head(ctx, append(pages, tail...))
	if err != nil {
		return nil, err
	}
	pages = append(append(head, pages...), tail...)
	r.lastPage = len(rest) + len(tail)
	return pages, nil
}

// pagesFor says how many pages hold so many rows. The size is the envelope's own, whatever was asked for.
func (r *reader) pagesFor(p *page, rows int) int {
	size := p.size
	if size <= 0 {
		size = max(p.rows, 1)
	}
	return (rows + size - 1) / size
}

// pages reads pages from to to-1, as many at once as the data source may have in flight.
func (r *reader) pages(ctx context.Context, from, to int) ([]*page, error) {
	pages := make([]*page, max(0, to-from))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(r.client.config.MaxConcurrent)
	for i := range pages {
		if ctx.Err() != nil {
			break
		}
		g.Go(func() (err error) {
			defer recoverTo(&err)
			pages[i], err = r.page(ctx, from+i)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	// The caller may have left before every page was asked for.
	if err := ctx.Err(); err != nil && len(pages) > 0 && pages[len(pages)-1] == nil {
		return nil, context.Cause(ctx)
	}
	for _, p := range pages {
		r.total = max(r.total, p.total)
		r.lowest = min(r.lowest, p.total)
	}
	return pages, nil
}

// grown reads the pages that came into being behind the last one: rows that were new pushed others there.
func (r *reader) grown(ctx context.Context, pages []*page) ([]*page, error) {
	most := 0
	for _, p := range pages {
		most = max(most, p.totalPages)
	}
	return r.pages(ctx, len(pages), min(most, r.wanted))
}

// head reads again from page 0 what came in front while the rest was read, until a page has nothing new.
func (r *reader) head(ctx context.Context, pages []*page) ([]*page, error) {
	if r.total <= r.first || r.first >= r.client.most(r.read) {
		return nil, nil
	}
	known := newSeen(r.read.DataSet)
	for _, p := range pages {
		known.add(p)
	}
	var head []*page
	for number := 0; number < len(pages); number++ {
		p, err := r.page(ctx, number)
		if err != nil {
			return nil, err
		}
		r.total = max(r.total, p.total)
		// A page with nothing new counts too: it says where the rows of the first reading belong.
		head = append(head, p)
		if known.add(p) == 0 {
			break
		}
	}
	return head, nil
}

// page reads one page, logging in and trying again as needed.
func (r *reader) page(ctx context.Context, number int) (*page, error) {
	c := r.client
	var p *page
	err := c.session.authorized(ctx, func(cred *credential) error {
		return c.retry(ctx, func() error {
			return c.send(ctx, &call{
				route: r.read.DataSet.Name, method: http.MethodGet, path: c.path(r.read.DataSet),
				query: c.query(r.read, number), cred: cred, stats: &r.counter,
				read: func(body io.Reader) (err error) {
					p, err = decodePage(body, r.read.DataSet, r.texts)
					return err
				},
			})
		})
	})
	if err != nil {
		return nil, err
	}
	// A bare array says nothing of totals: it is all there is.
	if p.total < 0 {
		p.total = p.rows
	}
	if p.totalPages < 0 {
		p.totalPages = 1
	}
	return p, nil
}

// warnings says what of the matching rows is not there. rows is how many different ones were read.
func (r *reader) warnings(rows, repeated int) []string {
	var warnings []string
	most := r.client.most(r.read)
	limited := r.read.Limit > 0 && r.read.Limit <= r.client.config.MaxRows
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
