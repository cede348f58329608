package frame

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Earliest returns the earliest time of a field; zero if no row has one.
func Earliest(rows *columns.Table, field string) time.Time {
	c, first := rows.Column(field), -1
	for i := range rows.Rows {
		if c.Valid[i] && (first < 0 || c.Times[i] < c.Times[first]) {
			first = i
		}
	}
	if first < 0 {
		return time.Time{}
	}
	return c.Time(first)
}
