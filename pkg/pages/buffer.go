package pages

import (
	"bytes"
	"io"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// bufferBytes is how much of an answer is read before it is decoded. A page of usual size is then there as a whole, and
// decoded where it stands; a larger one is decoded as it comes.
const bufferBytes = 256 << 10

// buffer is what decoding a page takes and the next page can take again.
type buffer struct {
	body bytes.Buffer
	json jsontext.Decoder
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// open begins to read a body. What it returns is valid until the buffer is released.
func (b *buffer) open(body io.Reader) (*jsontext.Decoder, error) {
	// Names that repeat are left to the last one to win, as encoding/json does; looking out for them costs time.
	lenient := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	read, err := b.body.ReadFrom(io.LimitReader(body, bufferBytes))
	if err != nil {
		return nil, err
	}
	if read == bufferBytes {
		// A decoder of its own: what it grows to hold is not to stay.
		return jsontext.NewDecoder(io.MultiReader(&b.body, body), lenient...), nil
	}
	b.json.Reset(&b.body, lenient...)
	return &b.json, nil
}

func (b *buffer) release() {
	b.body.Reset()
	buffers.Put(b)
}
