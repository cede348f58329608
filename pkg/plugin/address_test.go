package plugin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A host of one word is no part of a path.
func TestAPathIsNoAddress(t *testing.T) {
	i := create(t, source("http://insights"))
	require.Equal(t, "the service: /api/v1/insights/tasks returned 403", i.client.WithoutAddress("insights: /api/v1/insights/tasks returned 403"))
}
