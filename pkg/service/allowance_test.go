package service

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestAllowanceCountsLoginsAndTries(t *testing.T) {
	f := servicetest.New().On(tasksPath, servicetest.InTurn(servicetest.Status(503, `{}`), servicetest.OK(threeTasks)))
	c := start(t, f)
	ctx := WithAllowance(t.Context(), 4)

	_, err := ask(ctx, c, 1) // a login and two tries
	require.NoError(t, err)
	sent, refused := Sent(ctx)
	assert.Equal(t, 3, sent)
	assert.False(t, refused)

	_, err = ask(ctx, c, 1)
	require.NoError(t, err)
	_, err = ask(ctx, c, 1)
	require.ErrorIs(t, err, ErrAllowance)
	require.ErrorContains(t, err, "4 requests")
	sent, refused = Sent(ctx)
	assert.Equal(t, 4, sent)
	assert.True(t, refused)
	assert.Equal(t, 4, f.Count(""))

	_, err = ask(t.Context(), c, 1)
	require.NoError(t, err, "others are free to ask")
	sent, refused = Sent(t.Context())
	assert.Zero(t, sent)
	assert.False(t, refused)
}
