package frame

import (
	"context"
	"io"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// shortMatch is the product of text bytes and pattern instructions up to which a match takes at most about 3 ms. It is
// also where the library switches from its fast matchers to the one that can read from a reader.
const shortMatch = 1 << 18

// once tests each distinct text of a column once, instead of that of every row. Null is empty text.
func once(c *columns.Column, keeps func(text string) bool) test {
	known := map[string]bool{}
	return func(row int) bool {
		text := c.Text(row)
		answer, ok := known[text]
		if !ok {
			answer = keeps(text)
			known[text] = answer
		}
		return answer
	}
}

// matches reports whether the pattern matches the whole text. After the context has ended, it returns false
// immediately, and a running match ends soon: callers must check the context before they use the results.
func (p *pattern) matches(ctx context.Context, text string) bool {
	switch {
	case ctx.Err() != nil:
		return false
	case p.texts != nil:
		_, ok := p.texts[text]
		return ok
	case len(text) <= shortMatch/p.size:
		return p.regexp.MatchString(text)
	default:
		return p.regexp.MatchReader(&readerUntil{ctx: ctx, text: strings.NewReader(text)})
	}
}

// readerUntil reads a text until the context ends.
type readerUntil struct {
	ctx   context.Context
	text  *strings.Reader
	runes int
}

// ReadRune reads the next character. A pattern of maximum size takes about 3 ms for 16 of them.
func (r *readerUntil) ReadRune() (rune, int, error) {
	r.runes++
	if r.runes%16 == 0 && r.ctx.Err() != nil {
		return 0, 0, io.EOF
	}
	return r.text.ReadRune()
}
