package plugin

import (
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
)

// The headers are those of Grafana 12.4, key by key.
func TestFromRule(t *testing.T) {
	for name, test := range map[string]struct {
		headers map[string]string
		want    bool
	}{
		"alert rule": {map[string]string{
			"FromAlert": "true", "X-Cache-Skip": "true", "X-Grafana-Org-Id": "1",
			"http_X-Rule-Name": "Failed+tasks", "http_X-Rule-Type": "alerting", "http_X-Rule-Source": "scheduler",
		}, true},
		"preview in the editor":   {map[string]string{"FromAlert": "true", "X-Cache-Skip": "true"}, true},
		"as an HTTP header":       {map[string]string{"http_FromAlert": "true"}, true},
		"as a canonical header":   {map[string]string{"http_Fromalert": "true"}, true},
		"panel with expression":   {map[string]string{"http_X-Dashboard-Uid": "d", "http_X-Grafana-From-Expr": "true"}, false},
		"nothing":                 {nil, false},
		"another value":           {map[string]string{"FromAlert": "false"}, false},
		"cache is skipped, alone": {map[string]string{"X-Cache-Skip": "true"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, test.want, fromRule(&backend.QueryDataRequest{Headers: test.headers}))
		})
	}
}
