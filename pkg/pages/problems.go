package pages

import "fmt"

// Problems counts, for each column, the cells that became null because their value did not fit. Reason and example are
// those of the first.
type Problems []Problem

// Problem is the cells of one column that did not fit.
type Problem struct {
	field, reason, example string
	cells                  int
}

func (p *Problems) add(field, reason, example string) {
	p.Merge(Problem{field: field, reason: reason, example: example, cells: 1})
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

// Notice says what became null, and why.
func (p Problem) Notice() string {
	return fmt.Sprintf("%s: %d values are shown as null, because the service's value %s, for example %.60s",
		p.field, p.cells, p.reason, p.example)
}
