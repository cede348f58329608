package frame

import (
	"math/rand"
	"regexp/syntax"
	"testing"

	"github.com/stretchr/testify/require"
)

// The size of a pattern is computed without compiling it. It is a close upper bound.
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
		// Each program has an instruction to fail and one to match.
		require.GreaterOrEqual(t, counted+2, len(program.Inst), "%q", pattern)
		require.LessOrEqual(t, counted, 2*len(program.Inst)+20, "%q", pattern)
	}
	require.Greater(t, tried, 5000)
}
