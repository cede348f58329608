package schema

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSettings(t *testing.T) {
	assert.NotEmpty(t, SettingNames())
	for _, name := range SettingNames() {
		t.Run(name, func(t *testing.T) {
			s := GetSetting(name)
			assert.Regexp(t, regexp.MustCompile(`^[a-z]+([A-Z]+[a-z]*)*$`), name)
			assert.Contains(t, []string{"root", "jsonData", "secureJsonData"}, s.In)
			assert.NotEmpty(t, s.Label)
			assert.NotEmpty(t, s.Description)
			assert.False(t, s.Required && s.Default != nil, "what is required has no default")
			assert.Equal(t, s.In == "secureJsonData", s.Example == nil, "secrets alone have no example")
			assert.True(t, s.Default == nil || s.Default != s.Example, "an example shows something else")
			for _, value := range []any{s.Default, s.Example} {
				s.check(t, value)
			}
		})
	}
}

// check validates a default or an example.
func (s Setting) check(t *testing.T, value any) {
	t.Helper()
	switch s.Type {
	case Integer, Number:
		assert.IsType(t, 0.0, value)
		assert.GreaterOrEqual(t, value, float64(s.Min))
		assert.LessOrEqual(t, value, float64(s.Max))
		assert.NotEmpty(t, s.Unit)
	case "boolean":
		assert.IsType(t, true, value)
	case "array":
		assert.True(t, value == nil || assert.IsType(t, []any{}, value))
	case "object":
		assert.True(t, value == nil || assert.IsType(t, map[string]any{}, value))
	case String:
		if value != nil && s.Values != nil {
			assert.Contains(t, s.Values, value)
		}
	default:
		assert.Fail(t, "unknown type", s.Type)
	}
}
