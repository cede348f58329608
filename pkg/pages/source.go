package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"

	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Question describes which rows to request from a data route.
type Question struct {
	DataSet *schema.DataSet
	Days    int          // days to look back; at least 1
	Search  string       // sent if the route has a search parameter; empty: all
	Sort    *schema.Sort // sent if the route can sort by the field; nil: the service's order
	Size    int          // requested rows per page if the route has pages; 0: the service's default
}

// Source requests pages from the data routes of one service.
type Source struct {
	Client *service.Client
	// Paths are the paths of data routes from the settings, by data set; without one, the description has it.
	Paths map[string]string
}

// Page reads one page, and keeps its first rows, up to most.
//
// Errors are *service.Error, or the cause of a context that ended.
func (s Source) Page(ctx context.Context, q Question, number, most int, texts *Interner, usage *service.Usage) (*Page, error) {
	request := s.Route(q.DataSet)
	request.Query, request.Usage = q.query(number), usage
	texts.redactWith(s.Client.Redact)
	p := Empty(q.DataSet) // A response without content has no rows.
	p.Total = 0
	err := s.Client.Get(ctx, request, func(body io.Reader) (err error) {
		p, err = Decode(body, q.DataSet, texts, most)
		return err
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Route returns a request to the route of a data set, without parameters.
func (s Source) Route(set *schema.DataSet) service.Request {
	r := service.Request{Path: cmp.Or(s.Paths[set.Name], set.Path)}
	if set.PathSetting != "" {
		r.NotFound = fmt.Sprintf("the path of the %s route is not published: set %s in the data source settings",
			set.Name, schema.GetSetting(set.PathSetting).Title())
	}
	return r
}

// Describe describes the request for page 0, without secrets.
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

// Sized reads page 0 with a size, which the specification does not list, and without one if the service refuses the
// request. Only a successful response proves that the size was the cause. used is the size of the last request.
func Sized[T any](size int, read func(size int) (T, error)) (page T, used int, err error) {
	page, err = read(size)
	if size == 0 || !IsRefused(err) {
		return page, size, err
	}
	page, err = read(0)
	return page, 0, err
}

// IsRefused reports whether the service refuses what was requested.
func IsRefused(err error) bool {
	e, isAnswer := errors.AsType[*service.Error](err)
	return isAnswer && (e.Status == 400 || e.Status == 422)
}
