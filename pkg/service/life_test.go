package service

import (
	"io"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// get sends a request and discards the response.
func get(t *testing.T, c *Client, r Request) error {
	t.Helper()
	return c.Get(t.Context(), r, func(body io.Reader) error {
		_, err := io.Copy(io.Discard, body)
		return err
	})
}

func TestSessionFacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		// A separate login, because token lives outlast the client.
		of := func(c *Config) { c.BaseURL += "/life"; c.Login = t.Name() }
		f.On("/life"+loginPath, f.LogIn).Data("/life"+tasksPath, servicetest.OK(threeTasks))
		f.On("/life"+loginPath, servicetest.OK(`{"token":"T","organization":{"label":"acme"}}`)).On("/life"+tasksPath, servicetest.OK(threeTasks))
		c := startInBubble(t, f, of)
		assert.Equal(t, SessionFacts{}, c.SessionFacts(), "before any login")

		for range 2 {
			require.NoError(t, get(t, c, tasksRequest(1, 0)))
			time.Sleep(20 * time.Minute)
		}
		assert.Equal(t, SessionFacts{TokenField: "token", OrganizationField: "organization", Lived: 20 * time.Minute}, c.SessionFacts())

		f.On("/life"+tasksPath, servicetest.InTurn(servicetest.Status(401, `{}`), servicetest.OK(threeTasks)))
		require.NoError(t, get(t, c, tasksRequest(1, 0)))
		assert.Equal(t, 40*time.Minute, c.SessionFacts().Ended)
		assert.Equal(t, 20*time.Minute, c.SessionFacts().Lived)
	})
}

// Saving the settings creates a new client, and the token life is of interest right then.
func TestLifeOutlastsTheClient(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
	server := f.Start(t)
	before := newClient(t, server)
	require.NoError(t, get(t, before, tasksRequest(1, 0)))
	lived := before.SessionFacts().Lived
	assert.Positive(t, lived)
	assert.Equal(t, lived, newClient(t, server).SessionFacts().Lived)
	assert.Zero(t, newClient(t, server, func(c *Config) { c.Login = "somebody else" }).SessionFacts().Lived)
}

// The setting is not part of the login response.
func TestSessionFactsWithAnOrganizationOfTheSettings(t *testing.T) {
	f := servicetest.New()
	c := start(t, f, func(c *Config) { c.Organization = "other" })
	_, err := c.Login(t.Context())
	require.NoError(t, err)
	assert.Equal(t, "accessToken", c.SessionFacts().TokenField)
	assert.Empty(t, c.SessionFacts().OrganizationField)
}

// A route that never accepts a token says nothing about the lifetime of tokens.
func TestLifeIgnoresARouteThatRejectsEveryToken(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks)).On(runnersPath, servicetest.Status(401, `{}`))
	c := start(t, f)
	require.NoError(t, get(t, c, tasksRequest(1, 0)))
	require.ErrorIs(t, get(t, c, Request{Route: "runners", Path: runnersPath}), ErrUnauthorized)
	assert.Zero(t, c.SessionFacts().Ended)
}
