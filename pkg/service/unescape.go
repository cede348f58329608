package service

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reading is a text after undoing some escapes. ends holds, for each byte, the end of its source.
type reading struct {
	text string
	ends []int
}

func plainReading(text string) reading {
	ends := make([]int, len(text))
	for i := range ends {
		ends[i] = i + 1
	}
	return reading{text: text, ends: ends}
}

// begin returns where the source of a byte begins. The bytes of one character have one source.
func (r reading) begin(i int) int {
	for i > 0 && r.ends[i-1] == r.ends[i] {
		i--
	}
	if i == 0 {
		return 0
	}
	return r.ends[i-1]
}

// An unescaper decodes one escape at the beginning of a text and returns its length, 0 if there is none.
type unescaper func(text string) (plain string, size int)

// undo undoes one kind of escapes in the whole text, and reports whether there were any.
func (r reading) undo(unescape unescaper) (undone reading, changed bool) {
	if !strings.ContainsAny(r.text, escapeStarts) {
		return reading{}, false
	}
	var plain strings.Builder
	ends := make([]int, 0, len(r.ends))
	for i := 0; i < len(r.text); {
		part, size := unescape(r.text[i:])
		if size == 0 {
			part, size = r.text[i:i+1], 1
		} else {
			changed = true
		}
		i += size
		plain.WriteString(part)
		for range len(part) {
			ends = append(ends, r.ends[i-1])
		}
	}
	return reading{text: plain.String(), ends: ends}, changed
}

// escapeStarts are the characters that escapes begin with.
const escapeStarts = `\%+&`

// unescapers cover each kind of escapes.
var unescapers = []unescaper{backslash, backslashBefore(`/`), backslashBefore(`"'`), backslashBefore(`"'/`), percent, plusAndPercent, entity}

// controls are the characters that JSON escapes as a backslash and a letter.
var controls = map[byte]string{'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}

// backslash decodes an escape of JSON or a programming language: \/, \n, \u002f, \x2f.
func backslash(text string) (string, int) {
	if len(text) < 2 || text[0] != '\\' {
		return "", 0
	}
	switch text[1] {
	case 'u':
		return unicodeEscape(text)
	case 'x':
		if n, ok := hexAt(text, 2, 2); ok {
			return string(rune(n)), 4
		}
	}
	if control, ok := controls[text[1]]; ok {
		return control, 2
	}
	_, size := utf8.DecodeRuneInString(text[1:])
	return text[1 : 1+size], 1 + size
}

// backslashBefore decodes the escapes of a writer that escapes only these characters, and no backslash.
func backslashBefore(characters string) unescaper {
	return func(text string) (string, int) {
		if len(text) > 1 && text[0] == '\\' && strings.IndexByte(characters, text[1]) >= 0 {
			return text[1:2], 2
		}
		return "", 0
	}
}

// unicodeEscape decodes \u002f; a character beyond 16 bits takes two of them.
func unicodeEscape(text string) (string, int) {
	n, ok := hexAt(text, 2, 4)
	if !ok {
		return "u", 2
	}
	if !utf16.IsSurrogate(rune(n)) || !strings.HasPrefix(text[6:], `\u`) {
		return string(rune(n)), 6
	}
	low, ok := hexAt(text, 8, 4)
	if !ok {
		return string(rune(n)), 6
	}
	return string(utf16.DecodeRune(rune(n), rune(low))), 12
}

// plusAndPercent decodes an escape of a URL query, where + is a space.
func plusAndPercent(text string) (string, int) {
	if text[0] == '+' {
		return " ", 1
	}
	return percent(text)
}

// percent decodes an escape of a URL: %2F.
func percent(text string) (string, int) {
	if text[0] != '%' {
		return "", 0
	}
	n, ok := hexAt(text, 1, 2)
	if !ok {
		return "", 0
	}
	return string([]byte{byte(n)}), 3
}

// longestEntity exceeds the length of an entity's name or number.
const longestEntity = 32

// entity decodes an escape of HTML: &#x2F;, &#47;, &sol;. Numeric ones may lack the semicolon.
func entity(text string) (string, int) {
	if text[0] != '&' {
		return "", 0
	}
	name := text[:min(len(text), longestEntity)]
	if end := strings.IndexByte(name, ';'); end > 0 {
		name = name[:end+1]
	} else if strings.HasPrefix(name, "&#") {
		name = name[:2+len(name[2:])-len(strings.TrimLeft(name[2:], "xX0123456789abcdefABCDEF"))]
	} else {
		return "", 0
	}
	plain := html.UnescapeString(name)
	if plain == name || strings.Contains(plain, ";") && len(plain) > 1 {
		return "", 0
	}
	return plain, len(name)
}

// hexAt parses hexadecimal digits.
func hexAt(text string, at, digits int) (int, bool) {
	if len(text) < at+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(text[at:at+digits], 16, 32)
	return int(n), err == nil //nolint:gosec // at most four digits
}
