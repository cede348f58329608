package service

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// What decides which failure another token may explain waits for nothing.
func TestMayRenew(t *testing.T) {
	young, old := use{age: youngAge - 1}, use{age: youngAge}
	with := func(u use, change func(*use)) use { change(&u); return u }
	replaced := func(u *use) { u.isReplaced = true }
	vain := func(u *use) { u.isVain = true }
	once := func(u *use) { u.renewals = 1 }
	last := func(u *use) { u.renewals = maxRenewals }
	for name, test := range map[string]struct {
		status int
		use    use
		want   bool
	}{
		"401 to an old token":                        {401, old, true},
		"401 to a young one: others log in, too":     {401, young, true},
		"401 to a young one, in vain lately":         {401, with(young, vain), false},
		"401 to an old one, in vain lately":          {401, with(old, vain), true},
		"401 late, to one that has been replaced":    {401, with(with(young, vain), replaced), true},
		"401 once more":                              {401, with(young, once), true},
		"401 to the last":                            {401, with(with(old, replaced), last), false},
		"403 to an old token":                        {403, old, true},
		"403 to a young one":                         {403, young, false},
		"500 to an old token":                        {500, old, true},
		"500 to an old token, in vain lately":        {500, with(old, vain), false},
		"500 to one that has been replaced":          {500, with(young, replaced), true},
		"500 once more":                              {500, with(with(young, replaced), once), false},
		"200 that cannot be read, with an old token": {200, old, true},
		"a redirect to a login page":                 {302, old, true},
		"too many requests":                          {429, old, false},
		"the edge of a network":                      {522, old, false},
		"no answer":                                  {0, old, false},
	} {
		assert.Equal(t, test.want, mayRenew(&Error{Kind: ErrRejected, Status: test.status}, test.use), name)
	}
	assert.False(t, mayRenew(&Error{Kind: ErrTooLarge, Status: 200}, old))
	assert.False(t, mayRenew(&Error{Kind: ErrUnreadable, Status: 200, broken: true}, old))
}

// ways are the ways in which services tell that a token has expired.
var ways = map[string]http.HandlerFunc{
	"400":               servicetest.Status(400, `{"message":"Token expired"}`),
	"401":               servicetest.Status(401, `{"message":"Token expired"}`),
	"403":               servicetest.Status(403, `{"message":"Access Denied"}`),
	"404":               servicetest.Status(404, `{"message":"No such session"}`),
	"419":               servicetest.Status(419, ``),
	"440":               servicetest.Status(440, `Login Time-out`),
	"498":               servicetest.Status(498, `{"message":"Invalid token"}`),
	"500":               servicetest.Status(500, `{"message":"ExpiredJwtException"}`),
	"a login page":      servicetest.OK(`<html><title>Sign in</title></html>`),
	"an error with 200": servicetest.OK(`{"error":"Token expired"}`),
	"a redirect":        redirectTo(302, "/signin"),
	"a redirect away":   redirectTo(302, "https://sso.invalid/signin"),
	"redirects forever": redirectTo(302, tasksPath),
}

// A board that runs for days gets its rows, with one login for all of its panels, whatever says that the token has expired.
func TestSessionThatDied(t *testing.T) {
	for way, told := range ways {
		t.Run(way, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dead := ""
				f := servicetest.New().On("/signin", servicetest.OK(`<html>`))
				f.On(tasksPath, func(w http.ResponseWriter, r *http.Request) {
					if r.Header.Get("token") == dead {
						told(w, r)
						return
					}
					servicetest.OK(threeTasks)(w, r)
				})
				c := startInBubble(t, f)
				requireNoErrors(t, askAtOnce(c, 1))
				for expiry := range 3 {
					time.Sleep(youngAge)
					dead = servicetest.Token(1 + expiry)
					requireNoErrors(t, askAtOnce(c, panels))
					requireNoErrors(t, askAtOnce(c, panels))
					require.Equal(t, 2+expiry, f.Count(loginPath))
				}
			})
		})
	}
}

// A service that keeps failing is not logged in to for each panel and each look, and a route that does is not in the way of
// the others.
func TestServiceThatKeepsFailing(t *testing.T) {
	for way, told := range ways {
		t.Run(way, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().On(tasksPath, told).On("/signin", servicetest.OK(`<html>`)).Data(runnersPath, servicetest.OK(threeTasks))
				c := startInBubble(t, f)
				look := func() {
					for _, err := range askAtOnce(c, panels) {
						require.Error(t, err)
					}
				}
				look()
				first := 1
				if way == "401" {
					first += maxRenewals
				}
				require.Equal(t, first, f.Count(loginPath))
				for range 10 {
					look()
				}
				require.Equal(t, first, f.Count(loginPath))
				for range 9 {
					time.Sleep(youngAge)
					look()
				}
				if way != "401" {
					require.Equal(t, 2, f.Count(loginPath), "once for each, until it may have been mended")
				}
				f.Expire()
				_, err := askFor(t.Context(), c, Request{Path: runnersPath})
				require.NoError(t, err)
			})
		})
	}
}

// Whoever tests a login wants to know whether it works now.
func TestLoginAlwaysLogsIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
		c := startInBubble(t, f)
		for n := range 3 {
			_, err := c.Login(t.Context())
			require.NoError(t, err)
			requireNoErrors(t, askAtOnce(c, panels))
			assert.Equal(t, n+1, f.Count(loginPath))
		}
		f.On(loginPath, servicetest.InTurn(servicetest.Status(401, ``), f.LogIn))
		_, err := c.Login(t.Context())
		require.ErrorIs(t, err, ErrLogin)
		requireNoErrors(t, askAtOnce(c, panels))
		_, err = c.Login(t.Context())
		require.NoError(t, err)
	})
}
