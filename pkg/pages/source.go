package pages

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Source requests pages from the data routes of one service. It is safe for concurrent use.
type Source struct {
	Client   *service.Client
	Paths    map[string]string // the paths of data routes from the settings, by data set; without one, the description has it
	sizeless sync.Map          // until when no size is requested of a data set
}

const sizelessTime = time.Hour // how long no page size is requested after the service has refused it. A stray error looks the same

// Page reads one page, and keeps its first rows, up to most. If the service refuses page 0, it may be because of the size, which the
// specification does not list: only a successful response without one proves it. Errors are *service.Error, or why a context ended.
func (s *Source) Page(ctx context.Context, q schema.Question, number, most int, texts *Interner) (*Page, error) {
	var usage service.Usage
	p, err := s.page(ctx, q, number, most, texts, &usage)
	if number == 0 && s.Size(q) > 0 && IsRefused(err) {
		q.Size = 0
		if p, err = s.page(ctx, q, 0, most, texts, &usage); err == nil {
			s.sizeless.Store(q.DataSet, time.Now().Add(sizelessTime))
		}
	}
	if err != nil {
		return nil, err
	}
	p.Usage = usage
	return p, nil
}

func (s *Source) page(ctx context.Context, q schema.Question, number, most int, texts *Interner, usage *service.Usage) (*Page, error) {
	request := s.Route(q.DataSet)
	request.Query, request.Usage = s.query(q, number), usage
	texts.redactWith(s.Client.Redact)
	p := Empty(q.DataSet) // A response without content has no rows.
	p.Total = 0
	err := s.Client.Get(ctx, request, func(body io.Reader) (err error) {
		p, err = Decode(body, q.DataSet, texts, most)
		return err
	})
	return p, err
}

// Size returns the rows that are requested in a page; 0: the service's default, as its route has no size, or refuses it.
func (s *Source) Size(q schema.Question) int {
	until, isRefused := s.sizeless.Load(q.DataSet)
	if q.DataSet.Parameters.Size == "" || isRefused && time.Now().Before(until.(time.Time)) {
		return 0
	}
	return q.Size
}

// Route returns a request to the route of a data set, without parameters.
func (s *Source) Route(set *schema.DataSet) service.Request {
	r := service.Request{Path: cmp.Or(s.Paths[set.Name], set.Path)}
	if set.PathSetting != "" {
		r.NotFound = fmt.Sprintf("the path of the %s route is not published: set %s in the data source settings",
			set.Name, schema.GetSetting(set.PathSetting).Title())
	}
	return r
}

// Describe describes the request for page 0, without secrets.
func (s *Source) Describe(q schema.Question) string {
	return "GET " + s.Client.URL(s.Route(q.DataSet).Path, s.query(q, 0))
}

func (s *Source) query(q schema.Question, page int) url.Values {
	names := q.DataSet.Parameters
	values := url.Values{names.Days: {strconv.Itoa(q.Days)}}
	if names.Page != "" || page > 0 {
		values.Set("page", strconv.Itoa(page))
	}
	if size := s.Size(q); size > 0 {
		values.Set(names.Size, strconv.Itoa(size))
	}
	if names.Sort != "" && q.Sort != nil {
		values.Set(names.Sort, q.Sort.Field+","+q.Sort.Order)
	}
	if names.Search != "" && q.Search != "" {
		values.Set(names.Search, q.Search)
	}
	return values
}

// IsRefused reports whether the service refuses what was requested.
func IsRefused(err error) bool {
	e, isAnswer := errors.AsType[*service.Error](err)
	return isAnswer && (e.Status == 400 || e.Status == 422)
}
