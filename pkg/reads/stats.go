package reads

import "time"

// Stats is what a read cost.
type Stats struct {
	Pages    int
	Rows     int
	Requests int64 // HTTP requests for data, repeated ones included
	Bytes    int64 // of the answers, unpacked
	Took     time.Duration
	Kept     int           // rows that were not read again
	BaseAge  time.Duration // since all rows were last read; 0 where they were now
}
