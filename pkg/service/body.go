package service

import (
	"context"
	"errors"
	"io"

	"github.com/grafana/grafana-plugin-sdk-go/backend/httpclient"
	"golang.org/x/sync/semaphore"
)

const (
	// maxAnswer bounds one response, in decompressed bytes: a page of 100,000 tasks takes about 35 MiB.
	maxAnswer = 64 << 20
	// largeAnswer is the size from which a response counts as large. Only largeAnswers of them are read at the same
	// time, because a decoder may have to buffer each of them completely.
	largeAnswer  = 4 << 20
	largeAnswers = 2
	// quotedBytes of a response are kept for an error message: 200 characters, even if each is an escape of six bytes.
	quotedBytes = 6 * quotedCharacters
)

// body reads the body of a response within its bounds. It keeps the beginning for an error message, counts bytes and
// records read errors.
type body struct {
	ctx    context.Context
	reader io.ReadCloser
	usage  *Usage
	large  *semaphore.Weighted

	bytes  int64
	held   bool // one of the large responses
	start  []byte
	failed error // a read error other than the end
}

func (c *Client) newBody(ctx context.Context, reader io.ReadCloser, r *request) *body {
	return &body{ctx: ctx, reader: httpclient.MaxBytesReader(reader, r.limit()), usage: r.Usage, large: c.large}
}

func (b *body) Read(p []byte) (int, error) {
	if b.bytes >= largeAnswer && !b.held {
		if err := b.large.Acquire(b.ctx, 1); err != nil {
			b.failed = context.Cause(b.ctx)
			return 0, b.failed
		}
		b.held = true
	}
	n, err := b.reader.Read(p)
	if room := quotedBytes - len(b.start); room > 0 {
		b.start = append(b.start, p[:min(n, room)]...)
	}
	b.bytes += int64(n)
	b.usage.read(n)
	if err != nil && !errors.Is(err, io.EOF) {
		b.failed = err
	}
	return n, err
}

// drain reads a small remainder, because closing an unread body closes the connection.
func (b *body) drain() { _, _ = io.Copy(io.Discard, io.LimitReader(b, 64<<10)) }

func (b *body) close() {
	if b.held {
		b.large.Release(1)
	}
	_ = b.reader.Close()
}

// beginning returns the first bytes of the response, and whether there are more.
func (b *body) beginning() (text string, cut bool) {
	// The decoder may stop before there is enough to quote.
	_, _ = io.CopyN(io.Discard, b, max(0, quotedBytes-b.bytes+1))
	return string(b.start), b.bytes > int64(len(b.start))
}
