package filter

import (
	"cmp"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// maxPatternLength bounds a regular expression, in characters. Grafana makes long ones from variables with many values.
// What is costly in a short one, such as counts within counts, is bounded by Go's library.
const maxPatternLength = 100_000

// newPattern compiles the regular expression of a filter, which must match the whole text. As in
// Prometheus, a dot matches a line break, too. Errors are inputerror.Err.
func newPattern(key, text string) (*regexp.Regexp, error) {
	if n := utf8.RuneCountInString(text); n > maxPatternLength {
		return nil, inputerror.Errorf("the filter on %s has a regular expression of %d characters, and the maximum is %d: select fewer values, or use =| or !=|",
			key, n, maxPatternLength)
	}
	// It is parsed without anchors first: "a)|(b" would be valid between them, but not anchored.
	_, err := regexp.Compile(text)
	whole, tooDeep := regexp.Compile("^(?s:" + text + ")$")
	if err = cmp.Or(err, tooDeep); err == nil {
		return whole, nil
	}
	return nil, inputerror.Errorf("the filter on %s has the regular expression %.200q, which is not valid RE2: %.200s",
		key, text, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
}

// Contains keeps rows whose text contains another one, case-insensitively.
func Contains(c *columns.Column, text string) Test {
	wanted := strings.ToLower(text)
	return distinctTexts(c, func(text string) bool { return strings.Contains(strings.ToLower(text), wanted) })
}

// distinctTexts tests each distinct text of a column once, instead of the text of every row. Null is empty text.
func distinctTexts(c *columns.Column, keeps func(text string) bool) Test {
	answers := map[string]bool{}
	return func(row int) bool {
		text := c.Text(row)
		answer, ok := answers[text]
		if !ok {
			answer = keeps(text)
			answers[text] = answer
		}
		return answer
	}
}
