package insights

import (
	"sync/atomic"
	"time"
)

// Stats is what a read cost.
type Stats struct {
	Pages    int
	Rows     int
	Requests int64 // HTTP requests for data, repeated ones included
	Bytes    int64 // of the answers, unpacked
	Took     time.Duration
}

// counter adds up requests and bytes over the pages of a read. A nil counter counts nothing.
type counter struct{ requests, bytes atomic.Int64 }

func (c *counter) request() {
	if c != nil {
		c.requests.Add(1)
	}
}

func (c *counter) read(n int) {
	if c != nil {
		c.bytes.Add(int64(n))
	}
}
