package service

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// An unescaper undoes one kind of escapes in a text. ends has, for each byte of the plain text, where its source ends.
type unescaper func(text string) (plain string, ends []int)

// escapeStarts are the characters that escapes begin with.
const escapeStarts = `\%+&`

// unescapers undo each kind of escapes.
var unescapers = []unescaper{undo(backslash), undo(percent), undo(entity)}

// controls are the characters that JSON writes as a backslash and a letter.
var controls = map[byte]string{'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}

// undo makes an unescaper of a function that reads one escape: what it stands for, and its length, which is 0 where text
// begins with none.
func undo(escape func(text string) (plain string, size int)) unescaper {
	return func(text string) (string, []int) {
		var plain strings.Builder
		var ends []int
		for i := 0; i < len(text); {
			part, size := escape(text[i:])
			if size == 0 {
				part, size = text[i:i+1], 1
			}
			i += size
			plain.WriteString(part)
			for range len(part) {
				ends = append(ends, i)
			}
		}
		return plain.String(), ends
	}
}

// backslash reads an escape of JSON or a programming language: \/, \n, \u002f, \x2f.
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

// unicodeEscape reads \u002f; a character beyond 16 bits takes two of them.
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

// percent reads an escape of a URL: %2F, or + for a space.
func percent(text string) (string, int) {
	if text[0] == '+' {
		return " ", 1
	}
	if n, ok := hexAt(text, 1, 2); ok && text[0] == '%' {
		return string([]byte{byte(n)}), 3
	}
	return "", 0
}

// entity reads an escape of HTML: &#x2F;, &#47;, &sol;.
func entity(text string) (string, int) {
	if text[0] != '&' {
		return "", 0
	}
	name, _, found := strings.Cut(text, ";")
	if !found {
		return "", 0
	}
	plain := html.UnescapeString(name + ";")
	if plain == name+";" {
		return "", 0
	}
	return plain, len(name) + 1
}

// hexAt reads hexadecimal digits.
func hexAt(text string, at, digits int) (int, bool) {
	if len(text) < at+digits {
		return 0, false
	}
	n, err := strconv.ParseUint(text[at:at+digits], 16, 32)
	return int(n), err == nil //nolint:gosec // at most four digits
}
