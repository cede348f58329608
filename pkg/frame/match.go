package frame

import (
	"context"
	"io"
	"math"
	"strings"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// shortMatch is the product of text bytes and pattern instructions up to which a match takes at most about 3 ms. It is
// also where the library switches from its fast matchers to the one that can read from a reader.
const shortMatch = 1 << 18

// test binds the pattern to a column. It runs once per distinct value instead of once per row.
func (p *pattern) test(ctx context.Context, c *columns.Column) test {
	try := func(row int) bool { return p.matches(ctx, c.Text(row)) }
	null := p.matches(ctx, "")
	switch c.Type {
	case datasets.Integer:
		return once(c, null, func(i int) int64 { return c.Integers[i] }, try)
	case datasets.Number:
		// 0 and -0 are equal but differ as text.
		return once(c, null, func(i int) uint64 { return math.Float64bits(c.Numbers[i]) }, try)
	case datasets.Time:
		return once(c, null, func(i int) int64 { return c.Times[i] }, try)
	default:
		return once(c, null, c.Text, try)
	}
}

// once caches the result per value; null is the result for rows without one.
func once[T comparable](c *columns.Column, null bool, cell func(row int) T, try test) test {
	known := map[T]bool{}
	return func(row int) bool {
		if !c.Valid[row] {
			return null
		}
		value := cell(row)
		answer, ok := known[value]
		if !ok {
			answer = try(row)
			known[value] = answer
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
