package plugin

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// The formats of a query.
const (
	formatTable      = "table"
	formatNumeric    = "numeric"
	formatTimeSeries = "timeseries"
)

var formats = []string{formatTable, formatTimeSeries, formatNumeric}

// model is the query as dashboards and alert rules save it.
type model struct {
	QueryType string        `json:"queryType"`
	Days      any           `json:"days"`
	Search    string        `json:"search"`
	Sort      *sortModel    `json:"sort"`
	Filters   []filterModel `json:"filters"`
	Format    string        `json:"format"`
	Columns   []string      `json:"columns"`
	Limit     any           `json:"limit"`
	Measure   string        `json:"measure"`
	GroupBy   []string      `json:"groupBy"`
	TimeField string        `json:"timeField"`
	Compare   string        `json:"compare"`
	Per       string        `json:"per"`
	// Timezone is the dashboard's, sent with each query. A saved value takes precedence. Rules have only the saved one.
	Timezone string `json:"timezone"`
	// UntilNow is not saved. It says that the range ends at "now".
	UntilNow bool `json:"untilNow"`
	// Wide is not saved. The panel requests numeric-wide because it shows one value per field. Rules do not.
	Wide bool `json:"wide"`
	// PlainNames is not saved. The panel refers to fields by name, so names must not include their period.
	PlainNames bool `json:"plainNames"`
}

type sortModel struct {
	Field string `json:"field"`
	Order string `json:"order"`
}

type filterModel struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Value    *string  `json:"value"`
	Values   []string `json:"values"`
}

// query is a validated query: the model with its defaults applied.
type query struct {
	set      *datasets.DataSet
	format   string
	days     int // 0: follow the time range
	search   string
	sort     *datasets.Sort
	filters  []*frame.Filter
	columns  []string
	limit    int
	measure  string
	groupBy  []string
	wide     bool
	plain    bool // names
	time     string
	location *time.Location
	compare  string // empty: no comparison
	per      frame.Unit
	untilNow bool
	interval time.Duration
	from, to time.Time
}

// parseQuery validates a saved query. Errors are inputerror.Err: they name the value and the allowed values.
func parseQuery(q backend.DataQuery) (*query, error) {
	var m model
	if err := json.Unmarshal(q.JSON, &m); err != nil {
		return nil, inputerror.Errorf("the query is not valid: %s", jsonReason(err))
	}
	if m.QueryType == "" {
		m.QueryType = q.QueryType
	}
	p := &query{from: q.TimeRange.From, to: q.TimeRange.To, interval: interval(q)}
	steps := []func(*model) error{
		p.setDataSet, p.setFormat, p.setNumbers, p.setSort, p.setFilters, p.setColumns, p.setMeasure, p.setTime, p.setCompare, p.setPer,
	}
	for _, step := range steps {
		if err := step(&m); err != nil {
			return nil, err
		}
	}
	p.search, p.untilNow, p.wide, p.plain = m.Search, m.UntilNow, m.Wide, m.PlainNames
	return p, nil
}

// jsonReason names the property that has the wrong type.
func jsonReason(err error) string {
	if e, ok := err.(*json.UnmarshalTypeError); ok && e.Field != "" {
		return fmt.Sprintf("%s must be a %s, not a %s", e.Field, e.Type, e.Value)
	}
	return err.Error()
}

// interval returns the panel's interval or, without one, the range divided by the number of points.
func interval(q backend.DataQuery) time.Duration {
	if q.Interval > 0 {
		return q.Interval
	}
	points := q.MaxDataPoints
	if points <= 0 {
		points = 1000
	}
	return max(time.Second, q.TimeRange.Duration()/time.Duration(points))
}
