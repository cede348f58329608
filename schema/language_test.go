package schema

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Names are offered in the languages that have the words around them. Without a reason's sentence, there would be none.
func TestLanguages(t *testing.T) {
	for _, value := range GetSetting("names").Values {
		language := Language(value)
		if language == API {
			continue
		}
		assert.Contains(t, words, language)
		for _, reason := range Attention.Reasons {
			assert.NotEmpty(t, reason.Why[language], "%s in %s", reason.Name, language)
		}
	}
}
