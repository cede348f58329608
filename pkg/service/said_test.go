package service

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// What the service says is passed on by both kinds of routes, in whatever form, and of the other things nothing is.
func TestWhatTheServiceSays(t *testing.T) {
	for body, want := range map[string]string{
		`{"message":"Off","type":"error"}`: ": Off –",
		`{"Message":"Off"}`:                ": Off –",
		`{"type":"about:blank","title":"Unauthorized","status":401,"detail":"Off"}`: ": Off –",
		`{"error":"invalid_client","error_description":"Off"}`:                      ": Off –",
		`{"errorMessage":"Off"}`: ": Off –",
		`{"status":401,"error":"Unauthorized","message":"","detail":"Off"}`: ": Off –",
		`{"error":{"code":17,"message":"Off"}}`:                             ": Off –",
		`{"error":{"code":17}}`:                                             `: {"code":17} –`,
		`{"errors":["Off","Late"]}`:                                         ": Off; Late –",
		`{"errors":[{"field":"key","message":"Off"}]}`:                      ": Off –",
		`{"message":"Invalid","errors":{"days":["too many"]}}`:              `: Invalid ({"days":["too many"]}) –`,
		`{"message":"Invalid","details":{"days":"too many"}}`:               `: Invalid ({"days":"too many"}) –`,
		`[{"message":"Off"}]`:                                               ": Off –",
		`"Off"`:                                                             ": Off –",
		"  Off,\n until\tnoon ":                                             ": Off, until noon –",
		"\ufeff" + `{"message":"Off"}`:                                      ": Off –",
		`<html><title>Off &amp; on</title>`:                                 ": Off & on –",
		`{"accessToken":"v4lue"}`:                                           "401 Unauthorized –",
		`{"message":"Off","v4lue":`:                                         "401 Unauthorized –",
		"v4lue\x00\x01":                                                     "401 Unauthorized –",
		"v4lue\xff\xfe":                                                     "401 Unauthorized –",
		strings.Repeat("x", 300):                                            strings.Repeat("x", quotedCharacters) + "… –",
	} {
		for _, path := range []string{loginPath, tasksPath} {
			_, err := ask(t.Context(), start(t, servicetest.New().On(path, servicetest.Status(401, body))), 1)
			if !isPage([]byte(body)) || path == tasksPath {
				require.ErrorContains(t, err, want, body)
			}
			assert.ErrorContains(t, err, strings.Trim(want, ":– "), body)
			assert.NotContains(t, err.Error(), "v4lue")
		}
	}
	_, err := start(t, servicetest.New().On(loginPath, servicetest.OK(`{"message":"Off"}`))).Login(t.Context())
	require.ErrorContains(t, err, "the service rejected the login: Off –")
}

// A text is read in the charset that its bytes or the content type name. Bytes in none are up to who reads them.
func TestCharsets(t *testing.T) {
	for name, test := range map[string]struct{ contentType, sent, want string }{
		"UTF-8":                       {"application/json; charset=utf-8", `"câmbio"`, `"câmbio"`},
		"no charset":                  {"application/json", `"câmbio"`, `"câmbio"`},
		"a mark":                      {"application/json", "\ufeff" + `"câmbio"`, `"câmbio"`},
		"a mark beats a charset":      {"application/json;charset=ISO-8859-1", "\ufeff" + `"câmbio"`, `"câmbio"`},
		"Latin-1":                     {"application/json;charset=ISO-8859-1", "\"c\xe2mbio\"", `"câmbio"`},
		"windows-1252":                {`text/plain; charset="windows-1252"`, "\"\x80 c\xe2mbio\"", `"€ câmbio"`},
		"UTF-16":                      {"application/json", "\xff\xfe\"\x00\xe2\x00\"\x00", `"â"`},
		"UTF-16 by name":              {"application/json;charset=utf-16be", "\x00\"\x00\xe2\x00\"", `"â"`},
		"bytes in no charset":         {"application/json", "\"c\xe2mbio\"", "\"c\xe2mbio\""},
		"bytes that are not in UTF-8": {"application/json;charset=UTF8", "\"c\xe2mbio\"", "\"c\xe2mbio\""},
		"a charset that nobody knows": {"application/json;charset=x", "\"c\xe2mbio\"", "\"c\xe2mbio\""},
		"empty":                       {"application/json", "", ""},
	} {
		f := servicetest.New().On(tasksPath, servicetest.Status(200, test.sent, "Content-Type", test.contentType))
		err := start(t, f).Get(t.Context(), Request{Path: tasksPath}, func(body io.Reader) error {
			raw, err := io.ReadAll(body)
			assert.Equal(t, test.want, string(raw), name)
			return err
		})
		require.NoError(t, err, name)
	}
}

// A response without content is an answer, in which there is nothing to read.
func TestNoContent(t *testing.T) {
	f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	err := start(t, f).Get(t.Context(), Request{Path: tasksPath}, func(io.Reader) error { return ErrNotJSON })
	require.NoError(t, err)
}
