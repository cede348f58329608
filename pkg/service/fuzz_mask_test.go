package service

import (
	"encoding/json"
	"html"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// fuzzEscapes are the ways in which a service may embed a text in another.
var fuzzEscapes = []func(string) string{
	func(text string) string { return text },
	func(text string) string { raw, _ := json.Marshal(text); return string(raw[1 : len(raw)-1]) },
	func(text string) string {
		var out strings.Builder
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(text)
		return strings.ReplaceAll(out.String()[1:out.Len()-2], "/", `\/`)
	},
	url.QueryEscape,
	url.PathEscape,
	html.EscapeString,
}

// FuzzMask checks that no secret remains in the text, whatever its characters, its context (after a space), and up to
// two nested escapes. Directly after an unfinished escape, its first characters would belong to that.
func FuzzMask(f *testing.F) {
	for _, seed := range []string{"s3cret", `ab/cd=ef"gh`, `+ij\kl<mn &`, "é🔑op'\t", "&amp;%2F", "100% \u0041", "aaaa", "\x00\x7f\u2028~"} {
		for layers := range uint8(len(fuzzEscapes)) {
			f.Add(seed, "the key ", " is wrong", layers, uint8(0))
			f.Add(seed, seed[:2], `\u00`, layers, layers+1)
		}
	}
	f.Fuzz(func(t *testing.T, secret, before, after string, first, second uint8) {
		if utf8.RuneCountInString(secret) < 4 || !utf8.ValidString(secret) || strings.Contains(secret, secretMark) {
			t.Skip("no secret that comes out of JSON, or none that tells from other text")
		}
		form := secret
		for _, layer := range []uint8{first, second} {
			form = fuzzEscapes[int(layer)%len(fuzzEscapes)](form)
		}
		masked := newSecrets(secret).Replace(before + " " + form + " " + after)
		require.Contains(t, masked, secretMark, "%q as %q", secret, form)
		for _, rest := range strings.Split(masked, secretMark) {
			require.NotContains(t, rest, form, "%q", secret)
			require.NotContains(t, rest, secret)
		}
	})
}
