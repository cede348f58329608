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
	// searchedBytes is how much of these words is searched for secrets: far more than is quoted, however it was escaped.
	searchedBytes = 16 << 10
	// secretMark stands where a secret stood.
	secretMark = "[secret]"
	// layers is how often a text may have been escaped: a key in HTML, in JSON, in a URL.
	layers = 3
	// longestEscape is more than any escape of one character has.
	longestEscape = 12
)

// secrets are values that must not reach a message, log or frame. An empty one is none.
type secrets []string

// quote makes a text that came from outside fit for a message: its beginning, on one line, without the secrets. Every
// word of the service that a message repeats goes through here. cut says that the text went on.
func (s secrets) quote(text string, cut bool) string {
	if len(text) > searchedBytes {
		text, cut = text[:searchedBytes], true
	}
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

// span is a part of a text, in bytes.
type span struct{ from, to int }

// replace puts the mark in place of every secret: those that stand in the text, and those that come out when one kind of
// escapes after another is undone. The work grows with the length of the text, whatever is in it.
func (s secrets) replace(text string, cut bool) string {
	var found []span
	read := []reading{plainReading(text)}
	for layer := 0; ; layer++ {
		for _, r := range read {
			found = append(found, s.in(r, cut)...)
		}
		if layer == layers {
			return withoutSpans(text, found)
		}
		var next []reading
		for _, r := range read {
			for _, unescape := range unescapers {
				if undone, changed := r.undo(unescape); changed {
					next = append(next, undone)
				}
			}
		}
		read = next
	}
}

// in returns where the secrets stand in a reading, as parts of the source. Where the text was cut, its end counts as the
// rest of a secret that begins there.
func (s secrets) in(r reading, cut bool) []span {
	// Hosts and hexadecimal digits come in either case.
	text := lowered(r.text)
	var found []span
	for _, secret := range s {
		if secret == "" {
			continue
		}
		secret = lowered(secret)
		for from := 0; ; {
			at := strings.Index(text[from:], secret)
			if at < 0 {
				break
			}
			from += at + len(secret)
			found = append(found, span{r.begin(from - len(secret)), r.ends[from-1]})
		}
		if at := partAtEnd(text, secret); cut && at >= 0 {
			found = append(found, span{r.begin(at), r.ends[len(r.ends)-1]})
		}
	}
	return found
}

// partAtEnd returns where the beginning of a secret stands at the end of a text, or -1. Of an escape that was cut off
// itself, nothing is known.
func partAtEnd(text, secret string) int {
	ends := []int{len(text)}
	tail := max(0, len(text)-longestEscape)
	for i := tail; i < len(text); i++ {
		if strings.ContainsRune(escapeStarts, rune(text[i])) {
			ends = append(ends, i)
		}
	}
	first := -1
	for _, end := range ends {
		for n := min(len(secret)-1, end); n > 0; n-- {
			if strings.HasSuffix(text[:end], secret[:n]) && (first < 0 || end-n < first) {
				first = end - n
			}
		}
	}
	return first
}

// lowered is the text in small letters, as far as these take as many bytes: every byte keeps its place.
func lowered(text string) string {
	raw := []byte(text)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if small := unicode.ToLower(r); small != r && utf8.RuneLen(small) == size {
			utf8.EncodeRune(raw[i:], small)
		}
		i += size
	}
	return string(raw)
}

// withoutSpans puts the mark in place of parts, which may overlap.
func withoutSpans(text string, spans []span) string {
	slices.SortFunc(spans, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	kept := 0
	for i := 0; i < len(spans); {
		from, to := spans[i].from, spans[i].to
		for i++; i < len(spans) && spans[i].from < to; i++ {
			to = max(to, spans[i].to)
		}
		out.WriteString(text[kept:from])
		out.WriteString(secretMark)
		kept = to
	}
	out.WriteString(text[kept:])
	return out.String()
}
