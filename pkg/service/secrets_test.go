package service

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/grafana/grafana-plugin-sdk-go/backend/harcapture"
	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// errorTexts returns whatever of an error may reach a log, a span or the details of a health check.
func errorTexts(err error) []string {
	texts := []string{err.Error(), fmt.Sprintf("%+v", err)}
	if e := (*Error)(nil); errors.As(err, &e) && e.Cause != nil {
		texts = append(texts, e.Cause.Error())
	}
	return texts
}

func requireNoSecrets(t *testing.T, err error) {
	t.Helper()
	for _, text := range errorTexts(err) {
		require.NotContains(t, text, servicetest.Key)
		require.NotContains(t, text, "token-that-nobody-may-see")
	}
}

func echo(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body := strings.NewReplacer("TOKEN", r.Header.Get("token"), "KEY", servicetest.Key).Replace(body)
		w.Header().Set("X-Echo", r.Header.Get("token"))
		servicetest.Status(code, body, "Content-Type", "text/plain")(w, r)
	}
}

func TestNoSecretInErrors(t *testing.T) {
	for _, code := range []int{200, 400, 401, 403, 404, 429, 500, 503} {
		for _, body := range []string{
			`{"message":"bad token TOKEN for key KEY"}`,
			`{"message":{"header":{"token":"TOKEN"}},"details":["KEY"]}`,
			`{"error":"TOKEN","TOKEN":"KEY"}`,
			`{"content":[],"totalElements":"TOKEN"}`,
			`{"content":[],"totalPages":"KEY"}`,
			`{"content":"TOKEN"}`,
			`{"error":"TOKEN KEY","details":"KEY"}`,
			`token: TOKEN, key: KEY`,
			`<html><title>TOKEN KEY</title>TOKEN KEY</html>`,
			`"TOKEN"`,
			`TOKEN`,
			`[{"TOKEN":TOKEN}]`,
		} {
			for _, path := range []string{loginPath, tasksPath} {
				bubble(t, fmt.Sprintf("%d %s %s", code, path, body), func(t *testing.T) {
					_, err := ask(t.Context(), startInBubble(t, servicetest.New().On(path, echo(code, body))), 1)
					require.Error(t, err)
					requireNoSecrets(t, err)
				})
			}
		}
	}
}

// Wherever a page or a message is cut, no part of a secret remains at its end.
func TestNoPartOfASecretWhereAnAnswerIsCut(t *testing.T) {
	f := servicetest.New()
	c := start(t, f)
	for _, format := range []string{`{"message":"%s"}`, `<html><title>%s</title>`, `{"error":{"text":"%s"}}`} {
		for _, length := range []int{0, 150, quotedCharacters - 10, quotedCharacters - 1, pageBytes - 30, pageBytes - 10, errorBytes - 30, errorBytes - 10} {
			text := strings.Repeat("x", length) + servicetest.Key + strings.Repeat("y", 300)
			f.On(tasksPath, servicetest.Status(http.StatusBadRequest, fmt.Sprintf(format, text)))
			_, err := ask(t.Context(), c, 1)
			require.Error(t, err)
			require.NotContains(t, err.Error(), servicetest.Key[:8], "after %d in %s", length, format)
		}
	}
}

// An error about a redirect names its host, which has only a part of a key that contains a slash, a question mark or an @.
func TestNoPartOfASecretInARedirect(t *testing.T) {
	for _, mark := range []string{"/", "?", "#", "@", `"`} {
		key := "b3ginning-of-it" + mark + "3nd-of-it"
		f := servicetest.New().On(loginPath, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://"+key+".invalid/login")
			w.WriteHeader(http.StatusFound)
		})
		_, err := start(t, f, func(c *Config) { c.Key = key }).Login(t.Context())
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "b3ginning", mark)
		assert.NotContains(t, err.Error(), "3nd-of", mark)
	}
}

// An error may be reported after a route rejected the token that it contains.
func TestNoRejectedTokenInErrors(t *testing.T) {
	c := start(t, servicetest.New())
	for n := range tokensKept + 1 {
		_, err := c.Login(t.Context())
		require.NoError(t, err)
		assert.Equal(t, "token "+secretMark, c.Redact("token "+servicetest.Token(n+1)))
	}
	assert.Equal(t, "token "+secretMark, c.Quote("token "+servicetest.Token(2)))
	assert.Len(t, c.session.tokens, tokensKept)
}

func contentOf(text string) string {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text)
	return out.String()[1 : out.Len()-len("\"\n")]
}

// escaping are the ways in which a service, or what is in front of it, may write a text into another.
var escaping = []func(string) string{
	strings.Clone,
	func(text string) string { raw, _ := json.Marshal(text); return string(raw[1 : len(raw)-1]) },
	func(text string) string { return strings.ReplaceAll(contentOf(text), "/", `\/`) },
	func(text string) string { // only ASCII
		var out strings.Builder
		for _, code := range utf16.Encode([]rune(contentOf(text))) {
			if code < utf8.RuneSelf {
				out.WriteByte(byte(code))
			} else {
				fmt.Fprintf(&out, `\u%04x`, code)
			}
		}
		return out.String()
	},
	url.QueryEscape,
	url.PathEscape,
	html.EscapeString,
	func(text string) string { return percent.ReplaceAllStringFunc(url.QueryEscape(text), strings.ToLower) },
	strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&apos;").Replace,
	func(text string) string {
		return other.ReplaceAllStringFunc(text, func(c string) string { return fmt.Sprintf("&#x%X;", []rune(c)[0]) })
	},
	func(text string) string { return contentOf(contentOf(text)) },
	func(text string) string { return contentOf(strings.ReplaceAll(contentOf(text), "/", `\u002F`)) },
	func(text string) string { // as JavaScript's escape()
		return other.ReplaceAllStringFunc(text, func(c string) (out string) {
			for _, unit := range utf16.Encode([]rune(c)) {
				out += fmt.Sprintf("%%u%04X", unit)
			}
			return out
		})
	},
	func(text string) string { // as Python writes bytes
		return other.ReplaceAllStringFunc(text, func(c string) string { return strings.ReplaceAll(fmt.Sprintf("% x", "\\"+c), " ", `\x`)[len("5c"):] })
	},
}

var percent, other = regexp.MustCompile(`%..`), regexp.MustCompile(`[^a-zA-Z0-9]`)

// FuzzMask checks that no secret remains in a text, whatever its characters and its context (after a space), as it is
// or escaped once. Directly after an unfinished escape, its first characters would belong to that.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{"s3cret", `ab/cd=ef"gh`, `+ij\kl<mn &`, "é🔑op'", "&amp;%2F", "100% \u0041", "aaaa", "+\\ \u2028~"} {
		for escape := range uint8(len(escaping)) {
			f.Add(seed, "the key ", " is wrong", escape)
			f.Add(seed, seed[:2], `\u00`, escape)
		}
	}
	f.Fuzz(func(t *testing.T, secret, before, after string, escape uint8) {
		if utf8.RuneCountInString(secret) < 4 || !utf8.ValidString(secret) || strings.Contains(secret, secretMark) || strings.ContainsFunc(secret, unicode.IsControl) {
			t.Skip("no secret that a request can have, or none that tells from other text")
		}
		form := escaping[int(escape)%len(escaping)](secret)
		masked := newSecrets("other", secret).Replace(before + " " + form + " " + after)
		require.Contains(t, masked, secretMark, "%q as %q", secret, form)
		for _, rest := range strings.Split(masked, secretMark) {
			require.NotContains(t, rest, form, "%q", secret)
			require.NotContains(t, rest, secret)
		}
	})
}

// A service that repeats the key as the organization gets it back, and nobody else does.
func TestNoSecretAsOrganization(t *testing.T) {
	f := servicetest.New().On(loginPath, servicetest.OK(`{"accessToken":"T","organizationLabel":"`+servicetest.Key+`"}`)).On(tasksPath, servicetest.OK(threeTasks))
	c, usage := start(t, f), Usage{}
	organization, err := c.Login(t.Context())
	require.NoError(t, err)
	require.Equal(t, secretMark, organization)
	require.NoError(t, c.Get(t.Context(), Request{Path: tasksPath, Usage: &usage}, func(io.Reader) error { return nil }))
	require.Equal(t, secretMark, usage.Organization)
	require.Equal(t, servicetest.Key, f.Requests(tasksPath)[0].Header.Get("organization"))
}

func TestMask(t *testing.T) {
	const key, slash = "k3y-of_a?robot~>", `k3y-of\`
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	for _, test := range []struct{ secrets, text, want string }{
		// A token may begin with the key, or with an earlier token.
		{"abc abc/def", "abc%2Fdef abc", secretMark},
		{"abc abc/def", "the abc/def abc", "the [secret] [secret]"},
		{key, `the k3y\x2dof_a\x3frobot~> is wrong`, secretMark},
		{key, `the k3y%u002Dof_a%u003Frobot~> is wrong`, secretMark},
		{key, "Authorization: Basic " + encoded(key), secretMark},
		{key, "Basic " + encoded("robot@example.com:"+key), secretMark},
		{key, "Basic " + encoded("robots@example.com:"+key+"!"), secretMark},
		{key, "Basic " + url.QueryEscape(encoded("robot2@example.com:"+key)), secretMark},
		{key, "jwt " + base64.RawURLEncoding.EncodeToString([]byte(`{"key":"`+key+`"}`)), secretMark},
		{key, "Basic " + encoded("robot@example.com:another"), "Basic " + encoded("robot@example.com:another")},
		{"k3y", encoded("k3y"), encoded("k3y")}, // Four characters are there by chance.
		{slash, `of k3y-of a & b`, `of k3y-of a & b`},
		{slash, `the k3y-of\ & b`, `the [secret] & b`},
		{slash, `{"key":"k3y-of\\"}`, `{"key":"[secret]\"}`},
		{slash, `{"key":"k3y\u002dof\\"}`, secretMark},
	} {
		assert.Equal(t, test.want, newSecrets(strings.Fields(test.secrets)...).Replace(test.text), "%s in %s", test.secrets, test.text)
	}
}

func TestQuote(t *testing.T) {
	s := newSecrets("s3cr3t/value")
	for length, end := range map[int]string{quotedCharacters - 1: "!", quotedCharacters: "…"} {
		text := strings.Repeat("é", length)
		assert.Equal(t, text+end, s.quote(text+"!"))
	}
	assert.Equal(t, strings.Repeat("x", quotedCharacters-3)+"[se…", s.quote(strings.Repeat("x", quotedCharacters-3)+"s3cr3t/value"))
	assert.Equal(t, "a b c s3cr", s.quote("a\r\n\tb\x00 c s3cr"))
}

// A service may insert the request into JSON or HTML without escaping. Decoded, some keys change slightly.
func TestNoSecretInAResponseThatIsNotEscaped(t *testing.T) {
	for key, format := range map[string]string{
		`k3y\\of\/some\nbody`: `{"message":"the key %s is wrong"}`,
		`k3y&amp;body`:        `<html><title>the key %s is wrong</title>`,
	} {
		f := servicetest.New().On(loginPath, servicetest.Status(http.StatusBadRequest, fmt.Sprintf(format, key)))
		_, err := start(t, f, func(c *Config) { c.Key = key }).Login(t.Context())
		require.Error(t, err)
		assert.NotContains(t, err.Error(), "k3y")
		assert.ErrorContains(t, err, "the key [secret] is wrong")
	}
}

func redirectTo(code int, target string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, target, code) }
}

// Go forwards custom headers to any redirect target, and with 307 and 308 the body, too. The same host with another scheme
// is another origin: http to https means that the base URL is wrong, https to http would send the token unencrypted.
func TestRedirectToAnotherOriginIsRefused(t *testing.T) {
	for _, code := range []int{301, 302, 303, 307, 308} {
		for _, path := range []string{loginPath, tasksPath} {
			thief := servicetest.New().On(loginPath, servicetest.OK(`{"accessToken":"T","organizationLabel":"O"}`)).On(tasksPath, servicetest.OK(threeTasks))
			f := servicetest.New().Data(tasksPath, servicetest.OK(threeTasks))
			server := f.Start(t)
			for tries, target := range []string{thief.Start(t).URL, "https://" + host(server)} {
				f.On(path, redirectTo(code, target+path))
				e := readFailing(t, newClient(t, server), ErrConnection)
				assert.Zero(t, thief.Count(""), "nothing at all is sent there: %d of %s", code, path)
				assert.Equal(t, tries+1, f.Count(path), "and it is not tried again")
				servicetest.RequireSays(t, e.Message, []string{target, "base URL"})
				requireNoSecrets(t, e)
			}
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
