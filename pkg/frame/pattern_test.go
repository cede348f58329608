package frame_test

import (
	"fmt"
	"math/rand"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// A pattern that is too large is rejected with its size, the limit, and advice.
func TestPatternThatIsTooLarge(t *testing.T) {
	tests := []struct {
		name, pattern string
		says          []string
	}{
		{"long", strings.Repeat("a", 1000) + ".", []string{"1001 characters", "1000", "=|"}},
		{"long, of letters of several bytes", strings.Repeat("é", 1000) + ".", []string{"1001 characters", "1000", "=|"}},
		{"long list with a rest", "(" + strings.Repeat("invoice-intake|", 100) + ").*", []string{"1504 characters", "1000", "=|"}},
		{"written out it is large", "(?:" + strings.Repeat(".?", 490) + "){1000}", []string{"instructions", "5000", "{}"}},
		{"counts within counts", "(?:.?.?.?.?.?){0,1000}x", []string{"11001 instructions", "5000", "{}"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, operator := range []string{"=~", "!~"} {
				_, err := frame.NewFilter("activityLabel", operator, of(test.pattern))
				require.ErrorIs(t, err, inputerror.Err)
				for _, text := range append(test.says, "activityLabel") {
					require.ErrorContains(t, err, text)
				}
				require.Less(t, len(err.Error()), 1500)
			}
		})
	}
}

// Realistic patterns are far below the limits.
func TestPatternsOfAllDays(t *testing.T) {
	for pattern, text := range map[string]string{
		strings.Repeat("a", 1000):                   strings.Repeat("a", 1000),
		strings.Repeat(".", 1000):                   strings.Repeat("é", 1000),
		`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`: "123e4567-e89b-12d3-a456-426614174000",
		`([a-z0-9-]{1,63}\.){1,10}[a-z]{2,63}`:      "runner-01.robots.example.com",
		`(?:.{0,30}){0,33}x`:                        "box",
		`bot-(north|south|east|west)-\d{1,4}`:       "bot-east-17",
	} {
		c := column("field", datasets.String, text, text+"\n")
		require.Equal(t, []int64{0}, kept(t, c, "=~", of(pattern)), pattern)
	}
}

// variable returns the pattern that Grafana creates for a multi-value variable.
func variable(values []string) string {
	escaped := make([]string, len(values))
	for i, value := range values {
		// @grafana/data, escapeRegex
		escaped[i] = regexp.MustCompile(`[\\^$*+?.()|[\]{}\/]`).ReplaceAllString(value, `\$0`)
	}
	return "(" + strings.Join(escaped, "|") + ")"
}

// A multi-value variable may have any number of values.
func TestPatternOfAVariableWithManyValues(t *testing.T) {
	var names []string
	var cells []any
	for i := range 5000 {
		names = append(names, fmt.Sprintf("invoice.intake (%d) [C:\\robots/%d] a|b*", i, i))
		cells = append(cells, names[i])
	}
	cells = append(cells, nil, "", "invoice", names[0]+" ", strings.Join(names[:2], "|"))
	c := column("field", datasets.String, cells...)
	require.Len(t, kept(t, c, "=~", of(variable(names))), 5000)
	require.Equal(t, []int64{5000, 5001, 5002, 5003, 5004}, kept(t, c, "!~", of(variable(names))))
}

// Lists of texts are looked up. The regexp library is the reference, also for what only resembles a list.
func TestListsOfTextsMatchLikeTheirPatterns(t *testing.T) {
	texts := []any{nil, "", "a", "b", "ab", "a|b", "(a)", "a.", "a\n", `a\`, "a b", "{a", "]", "A", "�", "\xff", "?:a"}
	pieces := []string{"a", "b", "|", "|", "(", ")", `\`, ".", "?", "*", "[", "]", "{", "}", "^", "$", "\n", " ", "�", "\xff", "(?i)", "?:", "d", "-"}
	rng := rand.New(rand.NewSource(1))
	c := column("field", datasets.String, texts...)
	tried := 0
	for range 20_000 {
		var pattern string
		for range rng.Intn(6) {
			pattern += pieces[rng.Intn(len(pieces))]
		}
		if rng.Intn(2) == 0 {
			pattern = "(" + pattern + ")"
		}
		_, err := regexp.Compile(pattern)
		_, own := frame.NewFilter("field", "=~", of(pattern))
		require.Equal(t, err == nil, own == nil, "%q: %v", pattern, own)
		if err != nil {
			continue
		}
		tried++
		whole := regexp.MustCompile("^(?:" + pattern + ")$")
		want := []int64{}
		for i, text := range texts {
			if text == nil {
				text = ""
			}
			if whole.MatchString(text.(string)) {
				want = append(want, int64(i))
			}
		}
		require.Equal(t, want, kept(t, c, "=~", of(pattern)), "%q", pattern)
	}
	require.Greater(t, tried, 2000)
}

// Texts that are so long that they are streamed match like others.
func TestPatternOverLongTexts(t *testing.T) {
	long := strings.Repeat("abcé\xff", 1<<14)
	c := column("field", datasets.String, long+"x", long+"y", long+"x\n", "x")
	require.Equal(t, []int64{0, 3}, kept(t, c, "=~", of(".*x")))
	require.Equal(t, []int64{1, 2}, kept(t, c, "!~", of(".*x")))
	require.Equal(t, []int64{0, 1, 2, 3}, kept(t, c, "=~", of("(?s).*(x|y).*")))
}

// Cached values are distinguished from similar ones: -0 from 0, null from empty.
func TestPatternMatchesEveryValueSeparately(t *testing.T) {
	negative := 0.0
	negative *= -1
	require.Equal(t, []int64{1, 3}, kept(t, column("field", datasets.Number, 0.0, negative, nil, negative, 0.0), "=~", of("-.+")))
	require.Equal(t, []int64{0, 4}, kept(t, column("field", datasets.Integer, int64(0), nil, int64(1), nil, int64(0)), "=~", of("0+")))
	require.Equal(t, []int64{1, 3}, kept(t, column("field", datasets.Time, jan31, nil, jan31, nil), "!~", of("2026.*")))
}

// Matches are cached: each match checks the context, which counts.
func TestPatternIsMatchedOncePerText(t *testing.T) {
	r := request("tasks", labelledTasks(10, 9000, time.Hour))
	r.Filters = []*frame.Filter{filter(t, "activityLabel", "=~", ".*[0-4]")}
	ctx := watch(t, 0)
	f, err := frame.Table(ctx, r)
	require.NoError(t, err)
	require.Equal(t, 4500, f.Rows())
	require.Less(t, ctx.looks, 100)
}
