package plugin

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// The steps of parseQuery. Each validates a part of the model. Errors are inputerror.Err.

func (p *query) setDataSet(m *model) error {
	if m.QueryType == "" {
		m.QueryType = "tasks"
	}
	p.set = datasets.Get(m.QueryType)
	if p.set == nil {
		return inputerror.Errorf("unknown data set (queryType) %q: use one of %s", m.QueryType, datasets.List(datasets.Names()))
	}
	return nil
}

func (p *query) setFormat(m *model) error {
	p.format = m.Format
	if p.format == "" {
		p.format = formatTable
	}
	if !slices.Contains(formats, p.format) {
		return inputerror.Errorf("unknown format %q: use one of %s", m.Format, datasets.List(formats))
	}
	return nil
}

func (p *query) setNumbers(m *model) (err error) {
	if p.days, err = count("days", m.Days, "omit it to follow the time range"); err != nil {
		return err
	}
	p.limit, err = count("limit", m.Limit, "omit it for no limit")
	return err
}

// count reads an optional whole number of at least 1; 0 if absent.
func count(name string, value any, absent string) (int, error) {
	if value == nil {
		return 0, nil
	}
	n, ok := wholeNumber(value, 1, math.MaxInt32)
	if !ok {
		// A value decoded from JSON always marshals.
		shown, _ := json.Marshal(value)
		return 0, inputerror.Errorf("%s is %s: must be a whole number of at least 1; %s", name, shown, absent)
	}
	return n, nil
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
		return inputerror.Errorf("unknown sort order %q: use asc or desc", m.Sort.Order)
	}
	return nil
}

func (p *query) setFilters(m *model) error {
	for _, f := range m.Filters {
		if f.Key == "" {
			return inputerror.Errorf("a filter has no field (key): use one of %s", datasets.List(p.fieldNames()))
		}
		filter, err := frame.NewFilter(f.Key, f.Operator, f.compared())
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

// compared returns the values that a filter compares with: the operators "one of" use Values, all others Value.
func (f *filterModel) compared() []string {
	oneOf := f.Operator == "=|" || f.Operator == "!=|"
	if oneOf && f.Values != nil || f.Value == nil {
		return f.Values
	}
	return []string{*f.Value}
}

func (p *query) fieldNames() []string {
	return p.set.FieldNames(func(datasets.Field) bool { return true })
}

func (p *query) setColumns(m *model) error {
	for i, name := range m.Columns {
		if slices.Contains(m.Columns[:i], name) {
			return inputerror.Errorf("column %q is listed twice in columns", name)
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
		return inputerror.Errorf("unknown measure %q of data set %s: use one of %s", m.Measure, p.set.Name, datasets.List(names))
	}
	if p.format == formatTimeSeries && !p.set.HasHistory() && !p.set.Measure(m.Measure).Additive {
		return frame.NoHistoryError(p.set, m.Measure)
	}
	for i, name := range m.GroupBy {
		if err := frame.CheckGroupBy(p.set, name); err != nil {
			return err
		}
		if slices.Contains(m.GroupBy[:i], name) || name == m.Measure {
			return inputerror.Errorf("groupBy %q is listed twice or is the measure itself", name)
		}
	}
	p.measure, p.groupBy = m.Measure, m.GroupBy
	return nil
}

func (p *query) setTime(m *model) error {
	if !p.to.After(p.from) {
		return inputerror.Errorf("the time range from %s to %s is empty: select an end after its start",
			p.from.UTC().Format(time.RFC3339), p.to.UTC().Format(time.RFC3339))
	}
	if err := p.setLocation(m.Timezone); err != nil || !p.set.HasHistory() {
		return err
	}
	p.time = m.TimeField
	if p.time == "" {
		p.time = "dateCreation"
	}
	if !slices.Contains(p.set.TimeFields, p.time) {
		return inputerror.Errorf("unknown time field %q: use one of %s", m.TimeField, datasets.List(p.set.TimeFields))
	}
	return nil
}

func (p *query) setLocation(name string) error {
	if name == "" || strings.EqualFold(name, "utc") || name == "browser" {
		return nil
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return inputerror.Errorf("unknown time zone %q: use a name such as America/Sao_Paulo", name)
	}
	p.location = location
	return nil
}

func (p *query) setCompare(m *model) error {
	if m.Compare != "" && !slices.Contains(comparisons, m.Compare) {
		return inputerror.Errorf("unknown compare %q: use one of %s, or omit it", m.Compare, datasets.List(comparisons))
	}
	p.compare = m.Compare
	return p.checkCompare()
}

// perAuto uses the panel's interval.
const perAuto = "auto"

var units = []string{perAuto, string(frame.Hour), string(frame.Day), string(frame.Week), string(frame.Month)}

func (p *query) setPer(m *model) error {
	if m.Per == "" || m.Per == perAuto {
		return nil
	}
	if !slices.Contains(units, m.Per) {
		return inputerror.Errorf("unknown per %q: use one of %s", m.Per, datasets.List(units))
	}
	if p.format != formatTimeSeries {
		return inputerror.Errorf("per %q: only a time series has points per %s. Use format timeseries, or omit per", m.Per, m.Per)
	}
	p.per = frame.Unit(m.Per)
	return nil
}
