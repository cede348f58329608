package service

import (
	"cmp"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

// secretMark replaces a secret.
const secretMark = "[secret]"

// secrets redacts values that must not appear in a message, log or frame.
type secrets struct {
	*strings.Replacer
	longest int // bytes of the longest form
}

// newSecrets prepares the redaction of values, in every form. Empty values are ignored.
func newSecrets(values ...string) *secrets {
	var all []string
	for _, value := range values {
		if value != "" {
			all = append(all, forms(value)...)
		}
	}
	// Of two matches at the same position, the replacer takes the form that comes first: it must be the longer one.
	slices.SortFunc(all, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	s := &secrets{}
	var pairs []string
	for _, form := range slices.Compact(all) {
		pairs, s.longest = append(pairs, form, secretMark), max(s.longest, len(form))
	}
	s.Replacer = strings.NewReplacer(pairs...)
	return s
}

// writers embed a text in JSON, a URL or HTML; the first one leaves it as it is.
var writers = []func(string) string{
	strings.Clone, jsonText, url.QueryEscape, url.PathEscape, html.EscapeString,
	func(text string) string { return jsonForHTML.Replace(jsonText(text)) },
	func(text string) string { return jsonForScripts.Replace(jsonText(text)) },
	func(text string) string { return strings.ReplaceAll(jsonText(text), "/", `\/`) },
	func(text string) string { return javaScriptURL.Replace(url.QueryEscape(text)) },
	func(text string) string { return strings.ReplaceAll(html.EscapeString(text), "&#34;", "&quot;") },
}

var (
	jsonForHTML = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)
	// As Gson and .NET do.
	jsonForScripts = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`, "=", `\u003d`, "+", `\u002b`)
	javaScriptURL  = strings.NewReplacer("+", "%20", "%21", "!", "%27", "'", "%28", "(", "%29", ")", "%2A", "*")
	namedInHTML    = strings.NewReplacer("&#x22;", "&quot;", "&#x3c;", "&lt;", "&#x3e;", "&gt;")
	percentCodes   = regexp.MustCompile("%[0-9A-F]{2}")
	everything     = regexp.MustCompile("(?s).")
	punctuation    = regexp.MustCompile("[^A-Za-z0-9]")
)

// forms returns a secret as each writer, and any two of them in turn, write it; as writers do that escape more than
// they have to, by number; and in lower case, like Go the scheme of a URL.
func forms(secret string) []string {
	all := []string{strings.ToLower(secret), strings.ReplaceAll(fmt.Sprintf(" % x", secret), " ", "%")}
	for _, outer := range writers {
		for _, inner := range writers {
			form := outer(inner(secret))
			all = append(all, form, percentCodes.ReplaceAllStringFunc(form, strings.ToLower))
		}
	}
	for _, number := range []string{`\u%04x`, `\u%04X`, "&#%d;", "&#x%x;", "&#x%X;", "&#X%X;"} {
		escape := func(character string) (numbers string) {
			for _, unit := range utf16.Encode([]rune(character)) {
				numbers += fmt.Sprintf(number, unit)
			}
			return numbers
		}
		every, special := everything.ReplaceAllStringFunc(secret, escape), punctuation.ReplaceAllStringFunc(secret, escape)
		all = append(all, every, special, namedInHTML.Replace(special))
	}
	return all
}
