package service

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// quotedCharacters is how much of the service's words a message quotes.
	quotedCharacters = 200
	// secretMark stands where a secret stood.
	secretMark = "[secret]"
)

// secrets are values that must not reach a message, log or frame. An empty one is none.
type secrets []string

// quote makes a text that came from outside fit for a message: its beginning, on one line, without the secrets. Every
// word of the service that a message repeats goes through here. cut says that the text went on.
func (s secrets) quote(text string, cut bool) string {
	text = strings.ToValidUTF8(s.replace(text, cut), "\uFFFD")
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	runes := []rune(text)
	if len(runes) > quotedCharacters {
		return string(runes[:quotedCharacters]) + "…"
	}
	return text
}

// Redact replaces a secret in a text, in whatever form it stands there.
func Redact(text, secret string) string { return secrets{secret}.mask(text) }

// mask replaces every secret in a whole text.
func (s secrets) mask(text string) string { return s.replace(text, false) }

func (s secrets) replace(text string, cut bool) string {
	var out strings.Builder
	kept := 0
	for i := 0; i < len(text); {
		size := s.at(text[i:], cut)
		if size == 0 {
			i++
			continue
		}
		out.WriteString(text[kept:i])
		out.WriteString(secretMark)
		i += size
		kept = i
	}
	out.WriteString(text[kept:])
	return out.String()
}

// at returns the length of the longest secret that text begins with, or 0.
func (s secrets) at(text string, cut bool) int {
	longest := 0
	for _, secret := range s {
		longest = max(longest, match(text, secret, cut))
	}
	return longest
}

// window is more than the escapes of one character have, escaped again some times over.
const window = 64

// layers is how often a text may have been escaped: a key in HTML, in JSON, in a URL.
const layers = 3

// match returns the length of the secret that text begins with, each character as it is or escaped in any way that
// answers use, or 0. Where the text was cut, its end counts as the rest of the secret.
func match(text, secret string, cut bool) int {
	if secret == "" {
		return 0
	}
	ends := []int{0}
	for _, r := range secret {
		var next []int
		for _, end := range ends {
			rest := text[end:]
			if cut && end > 0 && (rest == "" || len(rest) < window && strings.ContainsRune(`\%&`, rune(rest[0]))) {
				return len(text)
			}
			for _, size := range forms(rest, r, layers) {
				next = append(next, end+size)
			}
		}
		if len(next) == 0 {
			return 0
		}
		slices.Sort(next)
		ends = slices.Compact(next)
	}
	return ends[len(ends)-1]
}

// forms returns the lengths of the forms of a character that text begins with: itself, or an escape of it, or an escape
// of that.
func forms(text string, r rune, layers int) []int {
	if text == "" {
		return nil
	}
	var sizes []int
	// Hosts and hexadecimal digits come in either case.
	if c, size := utf8.DecodeRuneInString(text); c == r || unicode.ToLower(c) == unicode.ToLower(r) {
		sizes = append(sizes, size)
	}
	if layers == 0 || !strings.ContainsRune(escapeStarts, rune(text[0])) {
		return sizes
	}
	// An escape may begin with what another kind, around it, left alone: &#34; in a URL is &%2334%3B.
	text = text[:min(len(text), window)]
	for _, unescape := range unescapers {
		plain, ends := unescape(text)
		if plain == text {
			continue
		}
		for _, size := range forms(plain, r, layers-1) {
			sizes = append(sizes, ends[size-1])
		}
	}
	return sizes
}
