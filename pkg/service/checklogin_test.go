package service

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

func htmlPage(status int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `<!doctype html><title>Welcome</title>`)
	}
}

// A wrong base URL is not reported as a wrong key.
func TestCheckLoginAtAnotherServer(t *testing.T) {
	for name, test := range map[string]struct {
		login, data http.HandlerFunc
		says        []string
		suggestsKey bool
	}{
		"no such route":    {nil, nil, []string{"there is no login route", "(404)", "base URL", "no such route"}, false},
		"another method":   {servicetest.Status(405, ``), nil, []string{"there is no login route", "(405)", "base URL"}, false},
		"a page":           {htmlPage(200), nil, []string{"expected JSON", "text/html", "an HTML page", "base URL"}, false},
		"a page with 404":  {htmlPage(404), nil, []string{"there is no login route", "Welcome"}, false},
		"a page with 403":  {htmlPage(403), nil, []string{"was answered by an HTML page instead of the service", "(403)", "base URL", "Welcome"}, false},
		"Grafana":          {servicetest.Status(401, `{"message":"Unauthorized","messageId":"auth.unauthorized","statusCode":401,"traceID":""}`), nil, []string{"was answered by a Grafana server instead of the service", "Unauthorized"}, false},
		"another API":      {servicetest.Status(401, `{"message":"Who are you?"}`), nil, []string{"no " + tasksPath, "base URL", "Who are you?"}, false},
		"another that 200": {servicetest.OK(`{"hello":"world"}`), nil, []string{"is missing", "hello", "check the base URL"}, false},
		"the service":      {servicetest.Status(401, `{"message":"Key revoked"}`), servicetest.Status(401, `{}`), []string{"Key revoked", "check the login and key"}, true},
		"a proxy of it":    {servicetest.Status(401, `{"message":"Key revoked"}`), servicetest.Status(503, `{}`), []string{"Key revoked", "check the login and key"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := servicetest.New().On(loginPath, test.login)
			if test.data != nil {
				f.On(tasksPath, test.data)
			}
			_, err := start(t, f).CheckLogin(t.Context(), Request{Route: "tasks", Path: tasksPath})
			require.Error(t, err)
			for _, word := range test.says {
				assert.ErrorContains(t, err, word)
			}
			if !test.suggestsKey {
				assert.NotContains(t, err.Error(), "check the login and key in the data source settings")
			}
			for _, r := range f.Requests(tasksPath) {
				assert.NotContains(t, r.Header, "Token")
				assert.NotContains(t, r.Header, "Organization")
			}
		})
	}
}

func TestCheckLoginSucceeds(t *testing.T) {
	f := servicetest.New()
	organization, err := start(t, f).CheckLogin(t.Context(), Request{Route: "tasks", Path: tasksPath})
	require.NoError(t, err)
	assert.Equal(t, servicetest.Organization, organization)
	assert.Equal(t, 1, f.Count(""))
}

// Responses of another server are redacted, too.
func TestCheckLoginKeepsTheKey(t *testing.T) {
	f := servicetest.New().On(loginPath, servicetest.Status(401, `{"message":"you said `+servicetest.Key+`"}`))
	_, err := start(t, f).CheckLogin(t.Context(), Request{Route: "tasks", Path: tasksPath})
	require.ErrorContains(t, err, "[secret]")
	assert.NotContains(t, err.Error(), servicetest.Key)
}
