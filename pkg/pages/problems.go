package pages

import "fmt"

// Problems counts, per column, the cells that became null because their value did not fit. Reason and example are those
// of the first.
type Problems []Problem

// Problem describes the cells of one column that did not fit.
type Problem struct {
	field, reason string
	example       string // as received; "" if it is longer than exampleBytes
	cells         int
}

// exampleBytes is the longest example that is kept: an example is kept whole or not at all, because a part of a secret
// cannot be detected.
const exampleBytes = 4096

func (p *Problems) add(field, reason string, raw []byte) {
	problem := Problem{field: field, reason: reason, cells: 1}
	if len(raw) <= exampleBytes {
		problem.example = string(raw)
	}
	p.Merge(problem)
}

// Merge adds the cells of another page.
func (p *Problems) Merge(other Problem) {
	for i := range *p {
		if (*p)[i].field == other.field {
			(*p)[i].cells += other.cells
			return
		}
	}
	*p = append(*p, other)
}

// Notice describes what became null, and why. quote redacts text of the service: it must run before the text is
// shortened.
func (p Problem) Notice(quote func(text string) string) string {
	notice := fmt.Sprintf("%s: %d values are shown as null, because the service's value %s", p.field, p.cells, p.reason)
	if p.example != "" {
		notice += fmt.Sprintf(", for example %.60s", quote(p.example))
	}
	return notice
}
