package pages

import (
	"fmt"
	"strings"
)

// Problems counts, for each column, the cells that became null because their value did not fit. Reason and example are
// those of the first.
type Problems []Problem

// Problem is the cells of one column that did not fit.
type Problem struct {
	field, reason, example string
	cut                    bool // the example went on
	cells                  int
}

const (
	// keptBytes of an example are kept: a secret in it must be whole, or it would not be found.
	keptBytes = 1 << 10
	// shownCharacters of it are shown.
	shownCharacters = 60
)

func (p *Problems) add(field, reason, example string) {
	cut := len(example) > keptBytes
	p.Merge(Problem{field: field, reason: reason, example: strings.Clone(example[:min(len(example), keptBytes)]), cut: cut, cells: 1})
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

// Notice says what became null, and why. quote makes a text of the service fit to show; cut says that it went on.
func (p Problem) Notice(quote func(text string, cut bool) string) string {
	return fmt.Sprintf("%s: %d values are shown as null, because the service's value %s, for example %.*s",
		p.field, p.cells, p.reason, shownCharacters, quote(p.example, p.cut))
}
