package reads

import (
	"errors"
	"sync"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// verdictTime is how long a verdict about the page size of a data set holds. It may be wrong: a stray error looks like a
// rejected size.
const verdictTime = time.Hour

// sizes determines the page size to request, for each data set. The specification does not list the parameter, so the
// plugin only relies on the rows received, and stops sending it for a while once it costs rows or is rejected.
type sizes struct {
	want int // Config.PageSize

	mu       sync.Mutex
	verdicts map[string]sizeVerdict // by the name of the data set
}

// sizeVerdict is what a reading without a size showed.
type sizeVerdict struct {
	refused bool // false: rows are missing without a size, too
	until   time.Time
}

// ask returns the size to request if so many rows are needed; 0: none.
func (s *sizes) ask(set *datasets.DataSet, most int) int {
	if v, _ := s.verdict(set); set.Parameters.Size == "" || v.refused {
		return 0
	}
	return min(s.want, most)
}

// verdict returns what is known about the size; ok is false if nothing is.
func (s *sizes) verdict(set *datasets.DataSet) (v sizeVerdict, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok = s.verdicts[set.Name]
	if !ok || !time.Now().Before(v.until) {
		return sizeVerdict{}, false
	}
	return v, true
}

func (s *sizes) decide(set *datasets.DataSet, refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.verdicts == nil {
		s.verdicts = map[string]sizeVerdict{}
	}
	s.verdicts[set.Name] = sizeVerdict{refused: refused, until: time.Now().Add(verdictTime)}
}

// rejectsSize reports whether an error may be caused by the size: the parameter is unknown, or its value is not
// allowed.
func rejectsSize(err error) bool {
	var e *service.Error
	return errors.As(err, &e) && e.IsAboutRequest()
}

// sized reads page 0 with a size, and without one if the service rejects it. Only a successful response proves that the
// size was the cause. used is the size of the successful request.
func (s *sizes) sized(set *datasets.DataSet, size int, read func(size int) (*pages.Page, error)) (page *pages.Page, used int, err error) {
	page, err = read(size)
	if size == 0 || !rejectsSize(err) {
		return page, size, err
	}
	page, err = read(0)
	if err == nil {
		s.decide(set, true)
	}
	return page, 0, err
}
