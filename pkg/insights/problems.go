package insights

import "fmt"

// problems counts, for each column, the cells that became null because their value did not fit. Reason and example are
// those of the first.
type problems []problem

type problem struct {
	field, reason, example string
	cells                  int
}

func (p *problems) add(field, reason, example string) {
	p.merge(problem{field: field, reason: reason, example: example, cells: 1})
}

func (p *problems) merge(other problem) {
	for i := range *p {
		if (*p)[i].field == other.field {
			(*p)[i].cells += other.cells
			return
		}
	}
	*p = append(*p, other)
}

func (p problem) notice() string {
	return fmt.Sprintf("%s: %d values are shown as null, because the service's value %s, for example %.60s",
		p.field, p.cells, p.reason, p.example)
}
