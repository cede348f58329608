package reads

import (
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
