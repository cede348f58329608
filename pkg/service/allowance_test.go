package service

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func TestAllowanceCountsLoginsAndTries(t *testing.T) {
	f := servicetest.New().On(tasksPath, servicetest.InTurn(servicetest.Status(503, `{}`), servicetest.OK(threeTasks)))
	c := start(t, f)
	ctx := WithAllowance(t.Context(), 4)

	_, err := ask(ctx, c, 1) // a login and two attempts
	require.NoError(t, err)
	assert.Equal(t, 3, f.Count(""))

	_, err = ask(ctx, c, 1)
	require.NoError(t, err)
	_, err = ask(ctx, c, 1)
	require.ErrorIs(t, err, ErrAllowance)
	require.ErrorContains(t, err, "4 requests")
	assert.Equal(t, 4, f.Count(""))

	_, err = ask(t.Context(), c, 1)
	require.NoError(t, err, "others can send requests")
}

// A redirect is an additional request, and the service could redirect in a loop.
func TestAllowanceCountsRedirects(t *testing.T) {
	f := servicetest.New().On(tasksPath, redirectTo(http.StatusFound, tasksPath))
	c := start(t, f)
	ctx := WithAllowance(t.Context(), 4)
	_, err := ask(ctx, c, 1)
	require.ErrorIs(t, err, ErrAllowance)
	require.ErrorContains(t, err, "4 requests")
	assert.Equal(t, 4, f.Count(""))

	_, err = ask(t.Context(), c, 1)
	require.ErrorIs(t, err, ErrConnection, "others end where Go ends them")
}

// A login is shared: one whose allowance is used up must not fail the queries that wait for it.
func TestAllowanceIsPerCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New()
		f.On(loginPath, servicetest.InTurn(servicetest.Status(503, `{}`), f.LogIn))
		c := startInBubble(t, f)
		checked, asked := make(chan error), make(chan error)
		login := func(ctx context.Context, ended chan<- error) {
			_, err := c.Login(ctx)
			ended <- err
		}
		go login(WithAllowance(t.Context(), 1), checked)
		synctest.Wait() // it waits for its second attempt
		go login(t.Context(), asked)
		require.NoError(t, <-checked)
		require.NoError(t, <-asked)
		assert.Equal(t, 2, f.Count(loginPath))
	})
}
