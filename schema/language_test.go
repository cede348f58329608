package schema

import (
	"strings"
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
		assert.Len(t, language.Words().Severities, 3, language)
		for _, reason := range Attention.Reasons {
			for which, texts := range reason.Why {
				assert.NotEmpty(t, texts[language], "%s (%s) in %s", reason.Name, which, language)
				assert.Equal(t, strings.Count(texts[English], "%"), strings.Count(texts[language], "%"), texts[language])
			}
		}
	}
}
