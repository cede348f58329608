package service

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// quotedCharacters is how many characters of the service a message quotes.
	quotedCharacters = 200
	// searchedBytes is how many bytes are searched for secrets: far more than are quoted, in any encoding.
	searchedBytes = 16 << 10
	// secretMark replaces a secret.
	secretMark = "[secret]"
	// layers is how often a text may be escaped: for example a key in HTML, in JSON, in a URL.
	layers = 3
	// longestEscape exceeds the length of any escape of one character.
	longestEscape = 12
)

// secrets are values that must not appear in a message, log or frame. Empty ones are ignored.
type secrets []string

// quote prepares external text for a message: its beginning, on one line, with the secrets redacted. All text of the
// service in messages goes through it. cut says that the text was already truncated.
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

// Redact replaces a secret in a text, in any encoding.
func Redact(text, secret string) string { return secrets{secret}.mask(text) }

// mask replaces every secret in a complete text.
func (s secrets) mask(text string) string { return s.replace(text, false) }

// span is a range of bytes in a text.
type span struct{ from, to int }

// replace replaces every secret: those in the text, and those that appear after undoing nested escapes. The effort is
// linear in the length of the text, whatever its content.
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

// in returns where the secrets are in a reading, as spans of the source. If the text was cut, its end counts as the
// rest of a secret that begins there.
func (s secrets) in(r reading, cut bool) []span {
	// Hosts and hexadecimal digits are case-insensitive.
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

// partAtEnd returns where the beginning of a secret is at the end of a text, or -1. An escape that was cut off cannot
// be decoded.
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

// lowered converts a text to lower case where this keeps the number of bytes, so that offsets remain valid.
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

// withoutSpans replaces spans, which may overlap, with the mark.
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
