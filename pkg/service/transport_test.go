package service

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend/harcapture"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func redirectTo(code int, target string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, code) }
}

// Go forwards custom headers to any redirect target, and with 307 and 308 the body, too. The same host with another scheme
// is another origin: http to https means that the base URL is wrong, https to http would send the token unencrypted.
func TestRedirectToAnotherOriginIsRefused(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, path := range []string{loginPath, tasksPath} {
			t.Run(http.StatusText(code)+" "+path, func(t *testing.T) {
				thief := servicetest.New().On(loginPath, servicetest.OK(`{"accessToken":"T","organizationLabel":"O"}`)).On(tasksPath, servicetest.OK(threeTasks))
				f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
				server := f.Start(t)
				for _, target := range []string{thief.Start(t).URL, "https://" + host(server)} {
					f.On(path, redirectTo(code, target+path))
					before := f.Count(path)
					e := readFailing(t, newClient(t, server), ErrConnection)
					assert.Zero(t, thief.Count(""), "nothing at all is sent there")
					assert.Equal(t, before+1, f.Count(path), "and it is not tried again")
					assert.Contains(t, e.Message, target)
					assert.Contains(t, e.Message, "base URL")
					requireNoSecrets(t, e)
				}
			})
		}
	}
}

// 301, 302 and 303 would make a GET of the login.
func TestRedirectWithinTheService(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		t.Run(http.StatusText(code), func(t *testing.T) {
			f := servicetest.New().On(tasksPath, redirectTo(code, "/moved/tasks?page=0&days=1")).Data("/moved/tasks", servicetest.OK(threeTasks))
			c := start(t, f)
			ids, err := ask(t.Context(), c, 1)
			require.NoError(t, err)
			assert.Len(t, ids, 3)
			sent := f.Requests("/moved/tasks")
			require.Len(t, sent, 1)
			assert.Equal(t, servicetest.Token(1), sent[0].Header.Get("token"))
			assert.Equal(t, servicetest.Organization, sent[0].Header.Get("organization"))

			f.On(loginPath, redirectTo(code, loginPath+"/")).On(loginPath+"/", f.LogIn)
			_, err = c.Login(t.Context())
			if code >= 307 {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, ErrConnection)
			require.ErrorContains(t, err, loginPath+"/, which would lose the login")
			assert.Zero(t, f.Count(loginPath+"/"))
		})
	}
}

// A reset stream is the broken connection of HTTP/2.
func TestBrokenStreamIsTriedAgain(t *testing.T) {
	for name, broken := range map[string]http.HandlerFunc{
		"before the answer": servicetest.Drop, "in the middle of the answer": servicetest.CutChunks(threeTasks), "short of its length": servicetest.CutLength(threeTasks),
	} {
		t.Run(name, func(t *testing.T) {
			f := servicetest.New().Data(tasksPath, servicetest.InTurn(broken, servicetest.OK(threeTasks)))
			server := httptest.NewUnstartedServer(f)
			server.EnableHTTP2 = true
			server.Config.ErrorLog = servicetest.Quiet
			server.StartTLS()
			t.Cleanup(server.Close)
			ids, err := ask(t.Context(), newClient(t, server), 1)
			require.NoError(t, err)
			assert.Len(t, ids, 3)
			assert.Equal(t, 2, f.Count(tasksPath))
		})
	}
}

// Grafana captures what is above the transport, for somebody to hand on: also what the service repeats.
func TestNoSecretInACapture(t *testing.T) {
	f := servicetest.New().Data(tasksPath, servicetest.InTurn(echo(302, ``), echo(400, `{"message":"token TOKEN, key KEY"}`), echo(500, `TOKEN`), echo(200, threeTasks)))
	c, capture := start(t, f), harcapture.NewBuffer()
	ctx := httpclient.WithContextualMiddleware(t.Context(), httpclient.MiddlewareFunc(func(_ httpclient.Options, next http.RoundTripper) http.RoundTripper {
		return roundTripper(func(r *http.Request) (*http.Response, error) {
			body, isCut := capture.DrainRequestBody(r)
			resp, err := next.RoundTrip(r)
			capture.AddEntry(r, body, isCut, resp, err, time.Now(), 0)
			return resp, err
		})
	}))
	for range 4 {
		_, _ = ask(ctx, c, 1)
	}
	har, err := capture.ToHARString()
	require.NoError(t, err)
	assert.Equal(t, 4, strings.Count(har, tasksPath+"?days"), "the rows' requests are in it")
	for _, secret := range []string{servicetest.Key, servicetest.TokenPrefix, loginPath} {
		assert.NotContains(t, har, secret)
	}
}
