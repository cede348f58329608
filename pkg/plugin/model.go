package plugin

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
)

// The formats of a query.
const (
	formatTable      = "table"
	formatNumeric    = "numeric"
	formatTimeSeries = "timeseries"
)

var formats = []string{formatTable, formatTimeSeries, formatNumeric}

// model is the saved query, as dashboards and alert rules hold it.
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
	// Timezone is not saved: the editor sends the dashboard's, so that daily buckets begin at its midnight.
	Timezone string `json:"timezone"`
}

type sortModel struct {
	Field string `json:"field"`
	Order string `json:"order"`
}

type filterModel struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Value    string   `json:"value"`
	Values   []string `json:"values"`
}

// query is a checked query: the model with its defaults filled in.
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
	time     string
	location *time.Location
	interval time.Duration
	from, to time.Time
}

// parseQuery checks a saved query. Errors are frame.ErrInput: they name the value and what is allowed.
func parseQuery(q backend.DataQuery) (*query, error) {
	var m model
	if err := json.Unmarshal(q.JSON, &m); err != nil {
		return nil, frame.InputErrorf("the query cannot be read: %s", jsonReason(err))
	}
	if m.QueryType == "" {
		m.QueryType = q.QueryType
	}
	p := &query{from: q.TimeRange.From, to: q.TimeRange.To, interval: interval(q)}
	steps := []func(*model) error{
		p.setDataSet, p.setFormat, p.setNumbers, p.setSort, p.setFilters, p.setColumns, p.setMeasure, p.setTime,
	}
	for _, step := range steps {
		if err := step(&m); err != nil {
			return nil, err
		}
	}
	p.search = m.Search
	return p, nil
}

// jsonReason names the property that has the wrong type.
func jsonReason(err error) string {
	if e, ok := err.(*json.UnmarshalTypeError); ok && e.Field != "" {
		return fmt.Sprintf("%s is a %s, expected is a %s", e.Field, e.Value, e.Type)
	}
	return err.Error()
}

func (p *query) setDataSet(m *model) error {
	if m.QueryType == "" {
		m.QueryType = "tasks"
	}
	p.set = datasets.Get(m.QueryType)
	if p.set == nil {
		return frame.InputErrorf("unknown data set (queryType) %q: use one of %s", m.QueryType, datasets.List(datasets.Names()))
	}
	return nil
}

func (p *query) setFormat(m *model) error {
	p.format = m.Format
	if p.format == "" {
		p.format = formatTable
	}
	if !slices.Contains(formats, p.format) {
		return frame.InputErrorf("unknown format %q: use one of %s", m.Format, datasets.List(formats))
	}
	if p.format == formatTimeSeries && !p.set.HasHistory() {
		return frame.NoHistoryError(p.set)
	}
	return nil
}

func (p *query) setNumbers(m *model) (err error) {
	if p.days, err = count("days", m.Days, "leave it out to follow the time range"); err != nil {
		return err
	}
	p.limit, err = count("limit", m.Limit, "leave it out for no limit")
	return err
}

// count reads an optional whole number from 1 on; 0 where it is absent.
func count(name string, value any, absent string) (int, error) {
	if value == nil {
		return 0, nil
	}
	n, ok := value.(float64)
	if !ok || n != math.Trunc(n) || n < 1 || n > math.MaxInt32 {
		// What came out of JSON always marshals.
		shown, _ := json.Marshal(value)
		return 0, frame.InputErrorf("%s is %s: expected is a whole number from 1 on; %s", name, shown, absent)
	}
	return int(n), nil
}

func (p *query) setSort(m *model) error {
	if m.Sort == nil || m.Sort.Field == "" {
		return nil
	}
	p.sort = &datasets.Sort{Field: m.Sort.Field, Order: m.Sort.Order}
	if p.sort.Order == "" {
		p.sort.Order = "asc"
	}
	if p.sort.Order != "asc" && p.sort.Order != "desc" {
		return frame.InputErrorf("unknown sort order %q: use asc or desc", m.Sort.Order)
	}
	return nil
}

func (p *query) setFilters(m *model) error {
	for _, f := range m.Filters {
		values := f.Values
		if f.Operator != "=|" && f.Operator != "!=|" || values == nil {
			values = []string{f.Value}
		}
		if f.Key == "" {
			return frame.InputErrorf("a filter has no field (key): use one of %s", datasets.List(p.fieldNames()))
		}
		filter, err := frame.NewFilter(f.Key, f.Operator, values)
		if err != nil {
			return err
		}
		if field := p.set.Field(f.Key); field != nil {
			if err := filter.Check(field.Type); err != nil {
				return err
			}
		}
		p.filters = append(p.filters, filter)
	}
	return nil
}

func (p *query) fieldNames() []string {
	return p.set.FieldNames(func(datasets.Field) bool { return true })
}

func (p *query) setColumns(m *model) error {
	for i, name := range m.Columns {
		if slices.Contains(m.Columns[:i], name) {
			return frame.InputErrorf("column %q stands twice in columns", name)
		}
	}
	p.columns = m.Columns
	return nil
}

func (p *query) setMeasure(m *model) error {
	if p.format == formatTable {
		return nil
	}
	measures := p.set.Measures()
	names := make([]string, len(measures))
	for i := range measures {
		names[i] = measures[i].Name
	}
	if !slices.Contains(names, m.Measure) {
		return frame.InputErrorf("unknown measure %q of data set %s: use one of %s", m.Measure, p.set.Name, datasets.List(names))
	}
	for i, name := range m.GroupBy {
		if err := frame.CheckGroupBy(p.set, name); err != nil {
			return err
		}
		if slices.Contains(m.GroupBy[:i], name) || name == m.Measure {
			return frame.InputErrorf("groupBy %q stands twice, or is the measure itself", name)
		}
	}
	p.measure, p.groupBy = m.Measure, m.GroupBy
	return nil
}

func (p *query) setTime(m *model) error {
	if !p.to.After(p.from) {
		return frame.InputErrorf("the time range from %s to %s has no length: choose an end after its start",
			p.from.UTC().Format(time.RFC3339), p.to.UTC().Format(time.RFC3339))
	}
	if !p.set.HasHistory() {
		return nil
	}
	p.time = m.TimeField
	if p.time == "" {
		p.time = "dateCreation"
	}
	if !slices.Contains(p.set.TimeFields, p.time) {
		return frame.InputErrorf("unknown time field %q: use one of %s", m.TimeField, datasets.List(p.set.TimeFields))
	}
	return p.setLocation(m.Timezone)
}

func (p *query) setLocation(name string) error {
	if name == "" || strings.EqualFold(name, "utc") || name == "browser" {
		return nil
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return frame.InputErrorf("unknown time zone %q: expected is a name such as America/Sao_Paulo", name)
	}
	p.location = location
	return nil
}

// interval is the panel's interval; where there is none, the range in as many parts as the panel has points.
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
