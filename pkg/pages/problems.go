package pages

import "fmt"

// Problems counts, per column, the cells that became null because their value did not fit. Reason and example are those
// of the first.
type Problems []Problem

// Problem describes the cells of one column that did not fit.
type Problem struct {
	field, reason string
	example       string // as received, possibly truncated
	cut           bool   // the example was truncated
	cells         int
}

// exampleBytes is how much of an example is kept: more than a notice shows, because a truncated token can only be
// detected by most of its characters.
const exampleBytes = 4096

func (p *Problems) add(field, reason string, raw []byte) {
	example := raw[:min(len(raw), exampleBytes)]
	p.Merge(Problem{field: field, reason: reason, example: string(example), cut: len(raw) > len(example), cells: 1})
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

// Notice describes what became null, and why. quote redacts text of the service, cut says that it was truncated: it
// must run before the text is shortened, because half a secret cannot be detected.
func (p Problem) Notice(quote func(text string, cut bool) string) string {
	return fmt.Sprintf("%s: %d values are shown as null, because the service's value %s, for example %.60s",
		p.field, p.cells, p.reason, quote(p.example, p.cut))
}
