package pages

import (
	"context"
	"io"
	"net/url"
	"strconv"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// Question says which rows to ask a data route for.
type Question struct {
	DataSet *datasets.DataSet
	Days    int            // look back so many days; at least 1
	Search  string         // sent where the route has a search parameter; empty: all
	Sort    *datasets.Sort // sent where the route can sort by the field; nil: the service's order
	Size    int            // rows asked for in one page, where the route has pages; 0: as many as the service gives unasked
}

// Source asks the data routes of one service for pages.
type Source struct {
	Client      *service.Client
	RunnersPath string // path of the runners route; empty: the one of the description
}

// Bounds say how much of an answer to read, and keep.
type Bounds struct {
	Rows  int   // rows to keep
	Bytes int64 // bytes to read; 0: as many as the client reads of any answer
}

// Page reads one page of an answer.
//
// Errors are *service.Error, or those of a context that ended.
func (s Source) Page(ctx context.Context, q Question, number int, bounds Bounds, texts *Texts, usage *service.Usage) (*Page, error) {
	request := s.Route(q.DataSet)
	request.Query, request.Limit, request.Usage = q.query(number), bounds.Bytes, usage
	var p *Page
	err := s.Client.Get(ctx, request, func(body io.Reader) (err error) {
		p, err = Decode(body, q.DataSet, texts, bounds.Rows)
		return err
	})
	return p, err
}

// Route is a request to the route of a data set, without parameters.
func (s Source) Route(set *datasets.DataSet) service.Request {
	r := service.Request{Route: set.Name, Path: set.Path}
	if set.PathSetting != "runnersPath" {
		return r
	}
	r.NotFound = "the path of the runners route is not published: set Runners path (runnersPath) in the data source settings"
	if s.RunnersPath != "" {
		r.Path = s.RunnersPath
	}
	return r
}

// Describe names the request for page 0, without secrets.
func (s Source) Describe(q Question) string {
	return "GET " + s.Client.URL(s.Route(q.DataSet).Path, q.query(0))
}

func (q Question) query(page int) url.Values {
	names := q.DataSet.Parameters
	values := url.Values{names.Days: {strconv.Itoa(q.Days)}}
	if names.Page != "" || page > 0 {
		values.Set("page", strconv.Itoa(page))
	}
	if names.Size != "" && q.Size > 0 {
		values.Set(names.Size, strconv.Itoa(q.Size))
	}
	if names.Sort != "" && q.Sort != nil {
		values.Set(names.Sort, q.Sort.Field+","+q.Sort.Order)
	}
	if names.Search != "" && q.Search != "" {
		values.Set(names.Search, q.Search)
	}
	return values
}
