package findings

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNewFillsInValues(t *testing.T) {
	f := New("tasks", Values{"tasks": 12345, "days": 30})
	assert.Equal(t, Finding{Key: "tasks", Severity: OK, Text: "Tasks: 12,345 in the last 30 days.", Values: Values{"tasks": 12345, "days": 30}}, f)
	f = New("runners-elsewhere", Values{"path": "/a", "found": "/b {{path}}"}).Suggest("runnersPath", "/b")
	assert.Equal(t, "Runners cannot be read at /a. /b {{path}} returns runners: set Runners path to it.", f.Text, "a value is not a template")
	assert.Equal(t, "runnersPath", f.Setting)
	assert.Equal(t, "/b", f.Value)
}

func TestDescription(t *testing.T) {
	key := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	for name, s := range sentences {
		assert.Regexp(t, key, name)
		assert.Contains(t, []Severity{OK, Info, Warning, Error}, s.Severity, name)
		assert.NotEmpty(t, s.Text, name)
	}
}
