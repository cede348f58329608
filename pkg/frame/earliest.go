package frame

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Earliest returns the earliest time of a field; zero if no row has one.
func Earliest(rows *columns.Table, field string) time.Time {
	c, first := rows.Column(field), time.Time{}
	for i, valid := range c.Valid {
		if valid && (first.IsZero() || c.Times[i] < first.UnixNano()) {
			first = c.Time(i)
		}
	}
	return first
}
