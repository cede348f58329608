package service

import (
	"errors"
	"io"
	"mime"

	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
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
	io.Closer
	reader io.Reader
	usage  *Usage

	bytes  int64
	start  []byte
	failed error // a read error other than the end
}

// convert makes more than maxResponse an error, and converts the charset of the content type to UTF-8.
func (b *body) convert(contentType string) {
	b.reader = inUTF8(httpclient.MaxBytesReader(io.NopCloser(b.reader), maxResponse), contentType)
}

// inUTF8 converts the charset that a byte order mark or the content type names to UTF-8. If none is named or known, bytes are
// as they are.
func inUTF8(r io.Reader, contentType string) io.Reader {
	var decoder transform.Transformer = transform.Nop
	_, parameters, _ := mime.ParseMediaType(contentType)
	if charset, err := htmlindex.Get(parameters["charset"]); err == nil && charset != unicode.UTF8 {
		decoder = charset.NewDecoder()
	}
	return transform.NewReader(r, unicode.BOMOverride(decoder))
}

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

// beginning returns the beginning of the body, which a decoder may not have read to its end.
func (b *body) beginning() []byte {
	_, _ = io.CopyN(io.Discard, b, max(0, pageBytes-b.bytes))
	return b.start
}
