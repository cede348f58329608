package reads

import (
	"fmt"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// warnings reports which matching rows are missing, and what could not be parsed. rows is the number of rows read.
func (c *Reads) warnings(r *reader, p *pass, rows int) []string {
	var warnings []string
	add := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	limited := r.read.Limit > 0 && r.read.Limit <= c.config.MaxRows
	missing := !p.early && (p.total > rows || p.missesPages()) && !(limited && rows >= r.most)
	switch {
	case p.unsettled:
		add("%s: the data changed during each of %d attempts to read it, and some rows may be missing. The next refresh reads it again", counted(rows, p.total), maxPasses)
	case c.cuts(r, p, rows):
		add("%s, the limit set by Max rows (maxRows) in the data source settings: increase it, or request fewer days", counted(r.most, p.total))
	case p.stuck && missing:
		add("%s: the route returns the rows of its first page for every page", counted(rows, p.total))
	case p.emptyPage >= 0 && missing:
		add("%s: page %d was empty although the service reports more rows, so reading stopped there", counted(rows, p.total), p.emptyPage)
	case missing:
		add("%s: the pages of the service contain fewer rows than it reports", counted(rows, p.total))
	}
	if p.repeated > 0 && p.order == nil && !p.unsettled && !p.stuck {
		add("%d rows were received more than once and are shown once", p.repeated)
	}
	if p.rows.folded {
		add("the service sends more than %d unknown fields: the first %d become columns, and the others are in column %s",
			pages.MaxUnknown, pages.MaxUnknown, pages.OtherFields)
	}
	for _, problem := range p.rows.problems {
		warnings = append(warnings, problem.Notice(c.source.Client.Quote))
	}
	return warnings
}

// cuts reports whether Config.MaxRows, not the limit of the read, omits rows.
func (c *Reads) cuts(r *reader, p *pass, rows int) bool {
	limited := r.read.Limit > 0 && r.read.Limit <= c.config.MaxRows
	return p.cut && !limited && rows >= r.most
}

// counted formats how many of the total rows were read.
func counted(rows, total int) string {
	if total <= rows {
		return fmt.Sprintf("read %d rows", rows)
	}
	return fmt.Sprintf("read %d of %d rows", rows, total)
}
