package reads

import (
	"errors"
	"sync/atomic"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// sizes determines the page size to request. The specification does not list the parameter, so the plugin only relies
// on the rows received, and stops sending it once the service rejects it.
type sizes struct {
	want    int // Config.PageSize
	refused atomic.Bool
}

// ask returns the size to request if so many rows are needed; 0: none.
func (s *sizes) ask(set *datasets.DataSet, most int) int {
	if set.Parameters.Size == "" || s.refused.Load() {
		return 0
	}
	return min(s.want, most)
}

// rejectsSize reports whether an error may be caused by the size: the parameter is unknown, or its value is not
// allowed.
func rejectsSize(err error) bool {
	var e *service.Error
	return errors.As(err, &e) && e.IsAboutRequest()
}

// sized reads page 0 with a size, and without one if the service rejects it. Only a successful response proves that the
// size was the cause. used is the size of the successful request.
func (s *sizes) sized(size int, read func(size int) (*pages.Page, error)) (page *pages.Page, used int, err error) {
	page, err = read(size)
	if size == 0 || !rejectsSize(err) {
		return page, size, err
	}
	page, err = read(0)
	if err == nil {
		s.refused.Store(true)
	}
	return page, 0, err
}
