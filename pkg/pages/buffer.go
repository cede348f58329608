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

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// newJSON starts reading a body. The decoder is valid as long as the buffer.
func newJSON(b *bytes.Buffer, body io.Reader) (*jsontext.Decoder, error) {
	source := io.Reader(b)
	read, err := b.ReadFrom(io.LimitReader(body, bufferBytes))
	if read == bufferBytes {
		source = io.MultiReader(b, body)
	}
	// Of duplicate names the last one wins, as in encoding/json; detecting them costs time.
	return jsontext.NewDecoder(source, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), err
}
