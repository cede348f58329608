package frame

import (
	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// withoutIdleRates returns the request on rows in which the rates of an automation or runner without tasks are null:
// the service reports them as 0, as if everything had failed. The rows themselves are shared and not modified.
func (r *Request) withoutIdleRates() *Request {
	count := r.Rows.Column(r.DataSet.CountField)
	if count == nil || count.Type != datasets.Number {
		return r
	}
	rows := &columns.Table{Rows: r.Rows.Rows}
	for _, c := range r.Rows.Columns {
		if f := r.DataSet.Field(c.Name); f != nil && f.Rate {
			c = whereRun(c, count)
		}
		rows.Columns = append(rows.Columns, c)
	}
	out := *r
	out.Rows = rows
	return &out
}

// whereRun returns a rate that is null where a count is 0.
func whereRun(c, count *columns.Column) *columns.Column {
	rate := *c
	rate.Valid = make([]bool, len(c.Valid))
	for i, valid := range c.Valid {
		rate.Valid[i] = valid && !(count.Valid[i] && count.Numbers[i] == 0)
	}
	return &rate
}
