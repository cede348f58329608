package plugin

import (
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
)

// The headers are those of Grafana 12.4, key by key.
func TestFromRule(t *testing.T) {
	for name, want := range map[string]bool{"FromAlert": true, "http_FromAlert": true, "http_Fromalert": true, "X-Cache-Skip": false, "http_X-Grafana-From-Expr": false} {
		assert.Equal(t, want, fromRule(&backend.QueryDataRequest{Headers: map[string]string{name: "true"}}), name)
	}
	assert.False(t, fromRule(&backend.QueryDataRequest{Headers: map[string]string{"FromAlert": "false"}}))
	assert.False(t, fromRule(&backend.QueryDataRequest{}))
}
