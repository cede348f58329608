package service

import (
	"errors"
	"io"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
)

const (
	// maxResponse bounds a response that is decoded, in decompressed bytes: a page of 100,000 tasks takes about 35 MiB.
	maxResponse = 64 << 20
	// pageBytes of a response are kept, in case it turns out to be an HTML page, whose title an error message quotes.
	pageBytes = 4 << 10
	// errorBytes of a non-2xx response are read: its message, in JSON, or its title.
	errorBytes = 64 << 10
)

// body reads the body of a response. It keeps the beginning, counts bytes and records read errors.
type body struct {
	reader io.ReadCloser
	usage  *Usage

	bytes  int64
	start  []byte
	failed error // a read error other than the end
}

// limit makes more than maxResponse an error.
func (b *body) limit() { b.reader = httpclient.MaxBytesReader(b.reader, maxResponse) }

func (b *body) Read(p []byte) (int, error) {
	n, err := b.reader.Read(p)
	if room := pageBytes - len(b.start); room > 0 {
		b.start = append(b.start, p[:min(n, room)]...)
	}
	b.bytes += int64(n)
	b.usage.Bytes += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
	}
	return n, err
}

func (b *body) close() { _ = b.reader.Close() }

// page returns the beginning of an HTML page, and whether the response is one.
func (b *body) page() (start string, ok bool) {
	// The decoder may have stopped earlier.
	_, _ = io.CopyN(io.Discard, b, max(0, pageBytes-b.bytes))
	start = strings.TrimSpace(string(b.start))
	return start, strings.HasPrefix(start, "<")
}

// failure returns the body of a non-2xx response, or nothing of a page: its length does not matter.
func (b *body) failure() []byte {
	if _, ok := b.page(); ok {
		return nil
	}
	rest, _ := io.ReadAll(io.LimitReader(b, errorBytes-int64(len(b.start))))
	return append(b.start, rest...)
}
