package pages

import "fmt"

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

// Merge adds the problems of other cells.
func (p *Problems) Merge(others Problems) {
	for _, other := range others {
		for range other.cells {
			p.Add(other.Problem)
		}
	}
}

// Notice describes the problems of a field.
type Notice struct{ Field, Text string }

// Notices describes what became null, and why, for each field. quote redacts text of the service: it must run before the
// text is shortened.
func (p Problems) Notices(quote func(text string) string) []Notice {
	var notices []Notice
	for _, f := range p {
		notice := fmt.Sprintf("%s: %d values are shown as null, because the service's value %s", f.field, f.cells, f.reason)
		if f.example != "" {
			notice += fmt.Sprintf(", for example %.60s", quote(f.example))
		}
		notices = append(notices, Notice{f.field, notice})
	}
	return notices
}
