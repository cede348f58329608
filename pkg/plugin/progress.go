package plugin

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

const (
	progressPath = "/progress"
	// maxProgressBytes and maxProgressQueries bound one request: a page sends one for all of its panels.
	maxProgressBytes   = 1 << 20
	maxProgressQueries = 100
	// maxElapsed exceeds the duration of any query.
	maxElapsed = time.Hour
)

// progressRequest requests the progress of queries: those that were sent to QueryData, with additional properties.
type progressRequest struct {
	Queries []json.RawMessage `json:"queries"`
}

// progressQuery holds the properties of a query outside its model. Times are milliseconds since the epoch.
type progressQuery struct {
	From          int64   `json:"from"`
	To            int64   `json:"to"`
	Elapsed       int32   `json:"elapsed"` // milliseconds since the query was sent, from which days are counted back
	IntervalMS    float64 `json:"intervalMs"`
	MaxDataPoints float64 `json:"maxDataPoints"`
	Rows          bool    `json:"rows"` // include the rows read so far if possible
}

// progress is the progress of one query.
type progress struct {
	Unit  string      `json:"unit"` // of Read and Of: pages or windows
	Read  int         `json:"read"`
	Of    int         `json:"of,omitempty"` // 0: not known
	Again bool        `json:"again,omitempty"`
	Rows  int         `json:"rows"`
	Frame *data.Frame `json:"frame,omitempty"`
	Error string      `json:"error,omitempty"`
}

// progress returns the progress of reads in flight, in the order of the queries; null for queries without one. It sends
// no request to the service, and does not change the cache.
func (i *Instance) progress(w http.ResponseWriter, r *http.Request) {
	if i.settingsErr != nil {
		i.writeError(w, i.settingsErr)
		return
	}
	var asked progressRequest
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxProgressBytes)).Decode(&asked); err != nil {
		i.writeError(w, frame.InputErrorf("the queries are not valid: %s", jsonReason(err)))
		return
	}
	if len(asked.Queries) > maxProgressQueries {
		i.writeError(w, frame.InputErrorf("%d queries: send at most %d at once", len(asked.Queries), maxProgressQueries))
		return
	}
	now := time.Now()
	answers := make([]*progress, len(asked.Queries))
	for n, query := range asked.Queries {
		answer, err := i.progressOf(r.Context(), query, now)
		if err != nil {
			answer = &progress{Error: i.sentence(err)}
		}
		answers[n] = answer
	}
	writeJSON(w, http.StatusOK, answers)
}

func (i *Instance) progressOf(ctx context.Context, raw json.RawMessage, now time.Time) (*progress, error) {
	var asked progressQuery
	if err := json.Unmarshal(raw, &asked); err != nil {
		return nil, frame.InputErrorf("the query is not valid: %s", jsonReason(err))
	}
	q, err := parseQuery(asked.dataQuery(raw))
	if err != nil {
		return nil, err
	}
	began := now.Add(-min(time.Duration(max(0, asked.Elapsed))*time.Millisecond, maxElapsed))
	q.followNow(began)
	w, err := q.windows(began)
	if err != nil {
		return nil, err
	}
	if w != nil {
		return i.windowsProgress(q, w, began), nil
	}
	found := i.reads.Progress(q.read(began))
	if found == nil {
		return nil, nil
	}
	answer := &progress{Unit: "pages", Read: found.Pages, Of: found.Of, Again: found.Again}
	if found.Table == nil || found.Table.Rows == 0 {
		return answer, nil
	}
	answer.Rows = found.Table.Rows
	if asked.Rows {
		answer.Frame, err = q.partial(ctx, found, i.settings, began)
	}
	return answer, err
}

// windowsProgress counts windows instead of pages, because several reads are involved.
func (i *Instance) windowsProgress(q *query, w *windows, began time.Time) *progress {
	days := w.steps.Windows()
	read, ok := i.reads.WindowsRead(q.read(began), days)
	if !ok || read == len(days) {
		return nil
	}
	return &progress{Unit: "windows", Read: read, Of: len(days)}
}

func (p *progressQuery) dataQuery(raw json.RawMessage) backend.DataQuery {
	return backend.DataQuery{
		JSON:          raw,
		TimeRange:     backend.TimeRange{From: time.UnixMilli(p.From), To: time.UnixMilli(p.To)},
		Interval:      time.Duration(p.IntervalMS * float64(time.Millisecond)),
		MaxDataPoints: int64(p.MaxDataPoints),
	}
}
