package schema

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNewFillsInValues(t *testing.T) {
	f := NewFinding("rows", Values{"set": "Tasks", "rows": 12345, "days": 30})
	assert.Equal(t, Finding{Key: "rows", Severity: SeverityOK, Text: "Tasks: 12,345 in the last 30 days.", Values: Values{"set": "Tasks", "rows": 12345, "days": 30}}, f)
	f = NewFinding("path-other", Values{"set": "Runners", "path": "/a", "found": "/b {{path}}"})
	assert.Equal(t, "Runners cannot be read at /a, but at /b {{path}}. Change the path in the settings.", f.Text, "a value is not a template")
	assert.Equal(t, "runnersPath", f.Setting)
}
