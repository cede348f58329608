package pages

import (
	"bytes"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// bufferBytes is how much of a response is read before decoding. A page of normal size is then decoded in place; a
// larger one is decoded as a stream.
const bufferBytes = 256 << 10

// buffer holds the reusable memory for decoding a page.
type buffer struct {
	body bytes.Buffer
	json jsontext.Decoder
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// open starts reading a body. The decoder is valid until the buffer is released.
func (b *buffer) open(body io.Reader) (*jsontext.Decoder, error) {
	// Of duplicate names the last one wins, as in encoding/json; detecting them costs time.
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	read, err := b.body.ReadFrom(io.LimitReader(body, bufferBytes))
	if err != nil {
		return nil, err
	}
	if read == bufferBytes {
		// A separate decoder, because the memory of a large page must not be retained.
		return jsontext.NewDecoder(io.MultiReader(&b.body, body), lenient...), nil
	}
	b.json.Reset(&b.body, lenient...)
	return &b.json, nil
}

func (b *buffer) release() {
	b.body.Reset()
	buffers.Put(b)
}
