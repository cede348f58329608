package paging

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

// Sizes determines the page size to request, for each data set. The specification does not list the parameter, so the
// plugin relies only on the rows received, and stops sending it for a while once the service rejects it. It is safe for
// concurrent use.
type Sizes struct {
	size int

	mu       sync.Mutex
	verdicts map[string]verdictOnSize
}

type verdictOnSize struct {
	refused bool // false: rows are missing without the size, too
	until   time.Time
}

// NewSizes returns Sizes that request so many rows per page; 0: the parameter is not sent.
func NewSizes(size int) *Sizes { return &Sizes{size: size, verdicts: map[string]verdictOnSize{}} }

// Ask returns the size to request for page 0 if so many rows are needed; 0: none.
func (s *Sizes) Ask(set *datasets.DataSet, rows int) int {
	if v, ok := s.verdict(set); set.Parameters.Size == "" || ok && v.refused {
		return 0
	}
	return min(s.size, rows)
}

func (s *Sizes) verdict(set *datasets.DataSet) (verdictOnSize, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	v, ok := s.verdicts[set.Name]
	return v, ok && time.Now().Before(v.until)
}

func (s *Sizes) decide(set *datasets.DataSet, refused bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.verdicts[set.Name] = verdictOnSize{refused: refused, until: time.Now().Add(verdictTime)}
}

// Sized reads page 0 with a size, and without one if the service rejects it. Only a successful response proves that the
// size was the cause. used is the size of the successful request.
func (s *Sizes) Sized(set *datasets.DataSet, size int, read func(size int) (*pages.Page, error)) (page *pages.Page, used int, err error) {
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

// rejectsSize reports whether an error may be caused by the size: the parameter is unknown, or its value is not
// allowed.
func rejectsSize(err error) bool {
	var e *service.Error
	return errors.As(err, &e) && e.IsAboutRequest()
}
