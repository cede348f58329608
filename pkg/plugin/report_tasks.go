package plugin

import (
	"maps"
	"slices"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

func (r *report) tasks(s reads.Surveyed) {
	key := "tasks"
	if !s.Counted {
		key = "tasks-at-least"
	}
	r.say(key, findings.Values{"tasks": s.Total, "days": healthDays})
	r.paging(s)
	r.order(s)
	set := datasets.Get("tasks")
	for _, name := range []string{"state", "finishStatus"} {
		if unknown := unknownValues(set.Field(name), s.Table.Column(name)); len(unknown) > 0 {
			r.say("states-unknown", findings.Values{"field": name, "values": listed(unknown)})
		}
	}
	r.records(set, s.Table, s.Forms)
}

// paging reports the page size of tasks, and whether the service honors a requested size.
func (r *report) paging(s reads.Surveyed) {
	asked := r.instance.settings.Reads.PageSize
	values := findings.Values{"size": s.Size}
	switch s.Paging {
	case reads.SizeNotAsked:
		r.say("pages-not-asked", values)
	case reads.SizeRefused:
		r.suggest("pages-refused", values, "pageSize", 0)
	case reads.SizeIgnored:
		r.say("pages-ignored", values)
	case reads.SizeHonored:
		if s.Size < asked {
			r.say("pages-bounded", findings.Values{"size": s.Size, "asked": asked})
			return
		}
		r.say("pages", values)
	default:
		r.say("pages-unknown", nil)
	}
}

// order reports the order of tasks, and thus whether a repeated read can reuse rows.
func (r *report) order(s reads.Surveyed) {
	settings := r.instance.settings.Reads
	switch {
	case s.Order == reads.OtherOrder:
		r.say("order-other", nil)
	case s.Order == reads.OrderUnknown:
		r.say("order-unknown", nil)
	case settings.Incremental && settings.FullReadInterval > 0:
		r.say("order-newest", findings.Values{"field": s.By})
	default:
		r.say("order-newest-whole", findings.Values{"field": s.By})
	}
}

// unknownValues returns the values of a column that are not in the description of its field, which has a color for
// every known value.
func unknownValues(field *datasets.Field, c *columns.Column) []string {
	unknown := map[string]bool{}
	for row, valid := range c.Valid {
		if _, known := field.Colors[c.Text(row)]; valid && !known {
			unknown[c.Text(row)] = true
		}
	}
	return slices.Sorted(maps.Keys(unknown))
}
