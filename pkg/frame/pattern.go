package frame

import (
	"context"
	"io"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

const (
	// maxPatternLength bounds a regular expression, in characters. Long ones are usually lists of texts, which are not
	// limited here (plainTexts); others are written by hand: an IPv6 address has 380.
	maxPatternLength = 1000
	// maxPatternSize bounds the compiled instructions, and with them the time per character of a text. Counted
	// repetitions are expanded: 23 characters can make 11,000 (7 ms for a text of 40 characters), 991 a million (0.9
	// s). At 5,000 it is 2 ms. The largest realistic pattern, a host name with all its counts, has 1,417.
	maxPatternSize = 5000
)

// pattern is a regular expression that must match the whole text.
type pattern struct {
	texts  map[string]struct{} // set if it is a list of texts; the other fields are unused then
	regexp *regexp.Regexp
	size   int
}

// newPattern compiles the regular expression of a filter and rejects one that is too large. Errors are inputerror.Err.
func newPattern(key, text string) (*pattern, error) {
	if texts, ok := plainTexts(text); ok {
		return &pattern{texts: texts}, nil
	}
	if n := utf8.RuneCountInString(text); n > maxPatternLength {
		return nil, inputerror.Errorf("the filter on %s has a regular expression of %d characters, and the maximum is %d: select fewer values, or use =| or !=|",
			key, n, maxPatternLength)
	}
	// It is parsed without anchors: "a)|(b" would be valid between them, but not anchored.
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, inputerror.Errorf("the filter on %s has the regular expression %q, which is not valid RE2: %s", key, text, regexpReason(err))
	}
	n := size(tree)
	if n > maxPatternSize {
		return nil, inputerror.Errorf("the filter on %s has the regular expression %q, which compiles to %d instructions, and the maximum is %d: use smaller counts in {}, or use * and +",
			key, text, n, maxPatternSize)
	}
	whole, err := regexp.Compile("^(?:" + text + ")$")
	if err != nil {
		return nil, inputerror.Errorf("the filter on %s has the regular expression %q, which is not valid RE2: %s", key, text, regexpReason(err))
	}
	return &pattern{regexp: whole, size: n}, nil
}

// regexpReason returns a parse error without its common prefix.
func regexpReason(err error) string {
	return strings.TrimPrefix(err.Error(), "error parsing regexp: ")
}

// size returns an upper bound, close to the number of compiled instructions. It is computed before compilation, because
// compiling a million of them takes 40 MB.
func size(re *syntax.Regexp) int {
	inner := 0
	for _, sub := range re.Sub {
		inner += size(sub)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return len(re.Rune)
	case syntax.OpConcat:
		return inner
	case syntax.OpAlternate:
		return inner + len(re.Sub) - 1
	case syntax.OpStar, syntax.OpCapture:
		return inner + 2
	case syntax.OpRepeat:
		// x{2,4} is expanded to xx(x(x)?)?, and x{2,} to xx+.
		return inner*max(re.Max, re.Min, 1) + max(re.Max-re.Min, 2)
	default:
		return inner + 1
	}
}

// A list of texts consists of characters without a special meaning, and escaped ones. A backslash before a letter or
// digit has other meanings.
var (
	list    = regexp.MustCompile(`^(?s:[^.+*?()\[\]{}^$\\]|\\[^0-9A-Za-z\x{80}-\x{10ffff}])*$`)
	listed  = regexp.MustCompile(`(?s:[^|\\]|\\.)*`)
	escaped = regexp.MustCompile(`(?s)\\(.)`)
)

// plainTexts returns the texts that a pattern matches if it is just a list of them. Grafana creates such patterns of
// any length from multi-value variables: (a|b\.c|d).
func plainTexts(pattern string) (map[string]struct{}, bool) {
	// U+FFFD also represents invalid bytes.
	if strings.ContainsRune(pattern, utf8.RuneError) {
		return nil, false
	}
	if strings.HasPrefix(pattern, "(") && strings.HasSuffix(pattern, ")") {
		pattern = pattern[1 : len(pattern)-1]
	}
	if !list.MatchString(pattern) {
		return nil, false
	}
	texts := map[string]struct{}{}
	for _, text := range listed.FindAllString(pattern, -1) {
		texts[escaped.ReplaceAllString(text, "$1")] = struct{}{}
	}
	return texts, true
}

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
