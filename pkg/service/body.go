package service

import (
	"errors"
	"io"
	"strings"
	"unicode"
)

// headBytes is how much of an answer an error shows.
const headBytes = 200

// secretMark stands where a secret stood.
const secretMark = "[secret]"

// head passes a body on, keeps its beginning for an error message, counts its bytes and remembers how reading failed.
type head struct {
	reader io.Reader
	stats  *Usage
	start  []byte
	failed error // a read error other than the end
}

func (h *head) Read(p []byte) (int, error) {
	n, err := h.reader.Read(p)
	if room := headBytes*4 - len(h.start); room > 0 {
		h.start = append(h.start, p[:min(n, room)]...)
	}
	h.stats.read(n)
	if err != nil && !errors.Is(err, io.EOF) {
		h.failed = err
	}
	return n, err
}

// text returns the beginning of the answer on one line, without the secrets.
func (h *head) text(secrets []string) string {
	text := string(h.start)
	if len(h.start) >= headBytes*4 {
		text = withoutPart(text, secrets)
	}
	return clean(text, secrets)
}

// clean makes a text that came from outside fit for a message: its beginning, on one line, without the secrets.
func clean(text string, secrets []string) string {
	for _, secret := range secrets {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, secretMark)
		}
	}
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "\uFFFD"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	runes := []rune(text)
	if len(runes) > headBytes {
		return string(runes[:headBytes]) + "…"
	}
	return text
}

// withoutPart drops the beginning of a secret from the end of a text that was cut there.
func withoutPart(text string, secrets []string) string {
	for _, secret := range secrets {
		for n := len(secret) - 1; n > 0; n-- {
			if strings.HasSuffix(text, secret[:n]) {
				text = text[:len(text)-n]
				break
			}
		}
	}
	return text
}
