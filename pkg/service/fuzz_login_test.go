package service

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzLogin checks that any login response yields either a credential of texts in the response, or a short message that
// repeats neither token nor key. A value SECRET stands for a token, KEY anywhere for the key; name and times create a
// field with a name of any length.
func FuzzLogin(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `[]`, `{}`, `{"accessToken":"SECRET","organizationLabel":"O"}`, `{"token":"SECRET","organization":{"label":"O"}}`,
		`{"access_token":"SECRET","organizations":["O"]}`, `{"jwt":"SECRET","organizations":[{"organizationLabel":"O"}]}`, `{"accessToken":{"value":"SECRET"}}`,
		`{"accessToken":["SECRET"],"organization":7}`, `{"accessToken":"SECRET","organizations":[null]}`, `"SECRET"`, "{\"\xff\":\"SECRET\"}",
		`{"KEY":"SECRET","the KEY is":{"KEY":1}}`, `{"accessToken":"KEY"}`,
	} {
		f.Add([]byte(seed), "", "user", uint8(1))
		f.Add([]byte(seed), "acme", "é\n", uint8(2))
	}
	const token, key = "t0ken-that-nobody-may-see", "k3y-that-nobody-may-see"
	f.Fuzz(func(t *testing.T, raw []byte, organization, name string, times uint8) {
		text := strings.NewReplacer(`:"SECRET"`, `:"`+token+`"`, "KEY", key).Replace(string(raw))
		if strings.HasPrefix(text, "{") {
			member, err := json.Marshal(strings.Repeat(name, int(times)))
			require.NoError(t, err)
			text = "{" + string(member) + ":null," + strings.TrimPrefix(text, "{")
		}
		cred, err := workspaceLogin{organization: organization}.read([]byte(text), newSecrets(key))
		if err != nil {
			require.LessOrEqual(t, utf8.RuneCountInString(err.Error()), 1000)
			require.NotContains(t, err.Error(), token)
			require.NotContains(t, err.Error(), key)
			return
		}
		var answer map[string]any
		require.NoError(t, json.Unmarshal([]byte(text), &answer))
		require.NotEmpty(t, cred.token)
		require.Contains(t, []any{answer["accessToken"], answer["token"], answer["access_token"]}, any(cred.token))
		require.NotEmpty(t, cred.organization)
		if organization != "" {
			require.Equal(t, organization, cred.organization)
		}
	})
}
