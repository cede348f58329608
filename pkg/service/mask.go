package service

import (
	"cmp"
	"html"
	"net/url"
	"slices"
	"strings"
)

// secretMark replaces a secret.
const secretMark = "[secret]"

// secrets redacts values that must not appear in a message, log or frame.
type secrets struct{ *strings.Replacer }

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
	var pairs []string
	for _, form := range slices.Compact(all) {
		pairs = append(pairs, form, secretMark)
	}
	return &secrets{strings.NewReplacer(pairs...)}
}

// forms returns a secret as a service writes it into a response: as it is, and escaped once, for JSON, a URL or HTML.
func forms(secret string) []string {
	inJSON := jsonText(secret)
	return []string{
		secret,
		inJSON,
		jsonForHTML.Replace(inJSON),           // as Go and Gson do
		strings.ReplaceAll(inJSON, "/", `\/`), // as PHP does
		url.QueryEscape(secret),
		url.PathEscape(secret),
		html.EscapeString(secret),
	}
}

var jsonForHTML = strings.NewReplacer("<", `\u003c`, ">", `\u003e`, "&", `\u0026`)

// jsonText returns a text as the content of a JSON string.
func jsonText(text string) string { return strings.TrimSuffix(jsonOf(text)[1:], `"`) }
