package pages

import (
	"fmt"
	"slices"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Problem is a cell that became null because its value did not fit.
type Problem struct {
	Row           int // of the page
	field, reason string
	example       string // as received; "" if it is longer than exampleBytes
}

// exampleBytes is the longest example that is kept: an example is kept whole or not at all, because a part of a secret
// cannot be detected. Only the first problem of a field on a page has one.
const exampleBytes = 4096

func newProblem(row int, f *field, reason string, raw []byte) Problem {
	p := Problem{Row: row, field: f.column.Name, reason: reason}
	if len(raw) <= exampleBytes && !f.hasProblem {
		p.example = string(raw)
	}
	f.hasProblem = true
	return p
}

// Problems counts problems by field, with reason and example of the first.
type Problems []problems

type problems struct {
	Problem
	cells int
}

// Add adds a problem.
func (p *Problems) Add(problem Problem) {
	for i := range *p {
		if (*p)[i].field == problem.field {
			(*p)[i].cells++
			return
		}
	}
	*p = append(*p, problems{problem, 1})
}

// Unread describes the values of a field that became null because they could not be read.
type Unread struct {
	Field   string
	Count   int    // of values
	Example string // one as received, redacted and shortened; empty: none was kept
	Text    string // a sentence with all of this, and the reason
}

// Unread describes what became null, and why, for each field. quote redacts text of the service: it must run before the
// text is shortened.
func (p Problems) Unread(quote func(text string) string) []Unread {
	var all []Unread
	for _, f := range p {
		u := Unread{Field: f.field, Count: f.cells}
		u.Text = fmt.Sprintf("%s: %d values are shown as null, because the service's value %s", f.field, f.cells, f.reason)
		if f.example != "" {
			u.Example = fmt.Sprintf("%.60s", quote(f.example))
			u.Text += ", for example " + u.Example
		}
		all = append(all, u)
	}
	return all
}

// WithLacks adds the fields of a table without a value in some rows, although the specification says that each row has one, to those
// with values that could not be read.
func WithLacks(unread []Unread, set *schema.DataSet, rows *columns.Table) []Unread {
	for n, f := range set.Fields {
		isLabel := f.Name == set.AutomationField // A task may have none, but not all of them.
		if !f.NeverNull && !isLabel || slices.ContainsFunc(unread, func(u Unread) bool { return u.Field == f.Name }) {
			continue
		}
		lacks := 0
		for _, valid := range rows.Columns[n].Valid {
			if !valid {
				lacks++
			}
		}
		if lacks > 0 && (f.NeverNull || lacks == rows.Rows) {
			text := fmt.Sprintf("%s: %d rows have none, although the specification says that each row has one: the service may have renamed the field", f.Name, lacks)
			unread = append(unread, Unread{Field: f.Name, Count: lacks, Example: "null", Text: text})
		}
	}
	return unread
}
