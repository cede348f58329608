package service

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMaskFindsEveryForm(t *testing.T) {
	const secret = "ab/cd=ef\"gh+ij\\kl<mn\té🔑 op"
	inJSON := escapeJSON(t, secret)
	for name, form := range map[string]string{
		"as it is":              secret,
		"JSON":                  inJSON,
		"JSON, < as it is":      strings.ReplaceAll(inJSON, `\u003c`, "<"),
		"JSON, slashes escaped": strings.ReplaceAll(strings.ReplaceAll(inJSON, `\u003c`, "<"), "/", `\/`),
		"JSON in JSON":          escapeJSON(t, inJSON),
		"all \\u":               escapeAll(secret, `\u%04x`),
		"all \\U in capitals":   escapeAll(secret, `\u%04X`),
		"URL query":             url.QueryEscape(secret),
		"URL path":              url.PathEscape(secret),
		"URL component":         strings.ReplaceAll(url.QueryEscape(secret), "+", "%20"),
		"URL, small letters":    strings.ToLower(url.QueryEscape(secret)),
		"URL twice":             url.QueryEscape(url.PathEscape(secret)),
		"HTML":                  html.EscapeString(secret),
		"HTML in a URL":         url.PathEscape(html.EscapeString(secret)),
		"HTML in JSON":          escapeJSON(t, html.EscapeString(secret)),
		"HTML twice":            html.EscapeString(html.EscapeString(secret)),
		"HTML, all numbers":     escapeAll(secret, "&#%d;"),
		"HTML, all hexadecimal": escapeAll(secret, "&#x%X;"),
		"small letters":         strings.ToLower(secret),
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, "key: "+secretMark+", said the service", newSecrets(secret).Replace("key: "+form+", said the service"))
			assert.Equal(t, secretMark+secretMark, newSecrets("other", secret).Replace(form+form))
		})
	}
}

// A token may begin with the key, or with an earlier token.
func TestMaskOfASecretThatBeginsWithAnother(t *testing.T) {
	assert.Equal(t, secretMark+" "+secretMark, newSecrets("abc", "abc/def").Replace("abc%2Fdef abc"))
}

// escapeJSON returns a text as the content of a JSON string.
func escapeJSON(t *testing.T, text string) string {
	t.Helper()
	raw, err := json.Marshal(text)
	require.NoError(t, err)
	return string(raw[1 : len(raw)-1])
}

// escapeAll writes the number of every character; those beyond 16 bits take two.
func escapeAll(text, format string) string {
	var out strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		fmt.Fprintf(&out, format, unit)
	}
	return out.String()
}

func TestMaskLeavesOtherTextAlone(t *testing.T) {
	for _, text := range []string{"", "nothing", `{"message":"a\/b"}`, "50%", "a&b", "tok", "%2", `\u00`, "\xff\xfe", "secre"} {
		assert.Equal(t, text, newSecrets("secret", "").Replace(text))
	}
	assert.Equal(t, "nothing %", newSecrets().Replace("nothing %"))
}

// Where a long text is cut, a part of a secret remains, which cannot be detected: it is not quoted.
func TestQuoteOfALongText(t *testing.T) {
	const secret = "s3cr3t/value"
	for _, filler := range []string{"x", "é", " ", "\n", secret, escapeAll(secret, `\u%04x`)} {
		for _, form := range []string{secret, url.QueryEscape(secret), html.EscapeString(secret)} {
			for shift := range len(form) {
				text := strings.Repeat("y", shift) + strings.Repeat(filler, 200) + strings.Repeat(form, 1_000)
				require.NotContains(t, newSecrets(secret).quote(text), "s3c", "%q, %q, %d", filler, form, shift)
			}
		}
	}
	assert.Equal(t, "token s3cr", newSecrets(secret).quote("token s3cr"), "a whole text ends where it ends")
}

func TestQuoteIsShortAndOnOneLine(t *testing.T) {
	long := strings.Repeat("é", 1000)
	assert.Equal(t, strings.Repeat("é", quotedCharacters)+"…", newSecrets("x").quote(long))
	assert.Equal(t, "a b c", newSecrets().quote("a\r\n\tb\x00 c"))
}

// Whatever the characters and the context of a secret, no escaped form of it remains.
func TestMaskOfRandomSecrets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("abcXYZ0129/+=\\\"'<>&%#; .-_~é🔑u25")
	text := func(n int) string {
		out := make([]rune, n)
		for i := range out {
			out[i] = alphabet[random.IntN(len(alphabet))]
		}
		return string(out)
	}
	secrets := 200
	if testing.Short() {
		secrets = 10
	}
	for range secrets {
		secret := text(6 + random.IntN(20))
		masked := newSecrets(secret)
		for _, escape := range fuzzEscapes {
			form := escape(secret)
			text := masked.Replace("(" + form + ")")
			require.NotContains(t, text, form, "%q as %q", secret, form)
			require.Contains(t, text, secretMark)
		}
	}
}

// Gson and .NET escape more characters than JSON requires.
func TestMaskOfWritersThatEscapeMore(t *testing.T) {
	s := newSecrets(`+k3y="&`)
	for _, text := range []string{`\u002bk3y\u003d\"\u0026`, `\\u002bk3y\\u003d\\\"\\u0026`} {
		assert.Equal(t, "returned 401 "+secretMark, s.quote("returned 401 "+text))
	}
}

// What net/http quotes of a response would be escaped once more.
func TestResponseThatCannotBeParsedIsNotQuoted(t *testing.T) {
	for text, want := range map[string]string{
		`malformed HTTP response "{\"message\":\"x\"}"`:                                               "malformed HTTP response …",
		`failed to parse Location header "http://\"x": parse "http://\"x": invalid character in host`: "failed to parse Location header …",
		`unsupported protocol scheme "ftp"`:                                                           `unsupported protocol scheme "ftp"`,
	} {
		assert.Equal(t, want, unparsed.ReplaceAllString(text, "$1…"))
	}
}
