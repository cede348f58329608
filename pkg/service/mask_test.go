package service

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMaskFindsEveryForm(t *testing.T) {
	const secret = "ab/cd=ef\"gh+ij\\kl<mn\té🔑 op"
	inJSON := escapeJSON(t, secret)
	for name, form := range map[string]string{
		"as it is":              secret,
		"JSON":                  inJSON,
		"JSON, slashes escaped": strings.ReplaceAll(inJSON, "/", `\/`),
		"only quotes escaped":   strings.ReplaceAll(secret, `"`, `\"`),
		"JSON in JSON":          escapeJSON(t, inJSON),
		"all \\u":               escapeAll(secret, func(r rune) string { return fmt.Sprintf(`\u%04x`, r) }),
		"all \\U in capitals":   escapeAll(secret, func(r rune) string { return fmt.Sprintf(`\u%04X`, r) }),
		"URL query":             url.QueryEscape(secret),
		"URL path":              url.PathEscape(secret),
		"URL, small letters":    strings.ToLower(url.QueryEscape(secret)),
		"URL twice":             url.QueryEscape(url.PathEscape(secret)),
		"HTML":                  html.EscapeString(secret),
		"HTML in a URL":         url.PathEscape(html.EscapeString(secret)),
		"HTML in JSON":          escapeJSON(t, html.EscapeString(secret)),
		"HTML twice":            html.EscapeString(html.EscapeString(secret)),
		"HTML, all numbers":     escapeAll(secret, func(r rune) string { return fmt.Sprintf("&#%d;", r) }),
		"HTML, all hexadecimal": escapeAll(secret, func(r rune) string { return fmt.Sprintf("&#x%X;", r) }),
		"HTML, named":           strings.NewReplacer("/", "&sol;", "=", "&equals;", "+", "&plus;", `\`, "&bsol;").Replace(secret),
		"capitals":              strings.ToUpper(secret),
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, "key: "+secretMark+", said the service", secrets{secret}.mask("key: "+form+", said the service"))
			assert.Equal(t, secretMark+secretMark, secrets{"other", secret}.mask(form+form))
		})
	}
}

// escapeJSON returns a text as the content of a JSON string.
func escapeJSON(t *testing.T, text string) string {
	t.Helper()
	raw, err := json.Marshal(text)
	require.NoError(t, err)
	return string(raw[1 : len(raw)-1])
}

// escapeAll escapes every character; those beyond 16 bits have a case of their own.
func escapeAll(text string, escape func(rune) string) string {
	var out strings.Builder
	for _, r := range text {
		if r > 0xFFFF && strings.HasPrefix(escape(r), `\u`) {
			fmt.Fprintf(&out, `\u%04x\u%04x`, 0xD83D, 0xDD11)
			continue
		}
		out.WriteString(escape(r))
	}
	return out.String()
}

func TestMaskLeavesOtherTextAlone(t *testing.T) {
	for _, text := range []string{"", "nothing", `{"message":"a\/b"}`, "50%", "a&b", "tok", "%2", `\u00`, "\xff\xfe", "secre"} {
		assert.Equal(t, text, secrets{"secret", ""}.mask(text))
	}
}

// The end of a truncated text may be the beginning of a secret.
func TestQuoteOfATextThatWasCut(t *testing.T) {
	const secret = "s3cr3t/value"
	for n := 1; n <= len(secret); n++ {
		assert.Equal(t, "token "+secretMark, secrets{secret}.quote("token "+secret[:n], true), "%d characters", n)
	}
	for _, tail := range []string{`s3cr3t\`, `s3cr3t\u00`, `s3cr3t%2`, `s3cr3t&#x`, `s3cr3t\/val`} {
		assert.Equal(t, "token "+secretMark, secrets{secret}.quote("token "+tail, true), tail)
	}
	assert.Equal(t, "token s3cr", secrets{secret}.quote("token s3cr", false), "a whole text ends where it ends")
}

func TestQuoteIsShortAndOnOneLine(t *testing.T) {
	long := strings.Repeat("é", 1000)
	assert.Equal(t, strings.Repeat("é", quotedCharacters)+"…", secrets{"x"}.quote(long, false))
	assert.Equal(t, "a b c", secrets{}.quote("a\r\n\tb\x00 c", false))
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
	escapes := []func(string) string{
		func(s string) string { return s },
		func(s string) string { raw, _ := json.Marshal(s); return string(raw[1 : len(raw)-1]) },
		url.QueryEscape, url.PathEscape, html.EscapeString,
	}
	for range 5_000 {
		secret := text(6 + random.IntN(20))
		form := escapes[random.IntN(len(escapes))](secret)
		masked := secrets{secret}.mask("(" + form + ")")
		require.NotContains(t, masked, form, "%q as %q", secret, form)
		require.Contains(t, masked, secretMark)
	}
}
