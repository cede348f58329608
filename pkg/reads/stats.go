package reads

import "time"

// Stats is the cost of a read.
type Stats struct {
	Pages    int
	Rows     int
	Requests int64 // HTTP requests for data, including retries
	Bytes    int64 // of the responses, decompressed
	Took     time.Duration
	Kept     int           // reused rows
	BaseAge  time.Duration // since the last full read; 0 for a full read
}
