package frame

import (
	"math/rand"
	"regexp/syntax"
	"testing"

	"github.com/stretchr/testify/require"
)

// The size of a pattern is counted without making its program. It bounds the program, and is not far from it.
func TestSizeOfPatternBoundsItsProgram(t *testing.T) {
	pieces := []string{"a", "bc", ".", "(", ")", "(?:", "|", "*", "+", "?", "{0,3}", "{2}", "{3,}", "[a-z]", `\d`, "^", "$", "(?i)", "é", "{0}", "*?"}
	rng := rand.New(rand.NewSource(1))
	tried := 0
	for range 50_000 {
		var pattern string
		for range 1 + rng.Intn(12) {
			pattern += pieces[rng.Intn(len(pieces))]
		}
		tree, err := syntax.Parse(pattern, syntax.Perl)
		if err != nil {
			continue
		}
		tried++
		counted := size(tree)
		program, err := syntax.Compile(tree.Simplify())
		require.NoError(t, err)
		// Each program has a way to fail and a way to match.
		require.GreaterOrEqual(t, counted+2, len(program.Inst), "%q", pattern)
		require.LessOrEqual(t, counted, 2*len(program.Inst)+20, "%q", pattern)
	}
	require.Greater(t, tried, 5000)
}
