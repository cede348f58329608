package service

import "sync/atomic"

// Usage adds up what requests cost. A nil Usage counts nothing.
type Usage struct {
	Requests atomic.Int64 // HTTP requests, repeated ones included; logins are not counted
	Bytes    atomic.Int64 // of the answers, unpacked
}

func (u *Usage) request() {
	if u != nil {
		u.Requests.Add(1)
	}
}

func (u *Usage) read(n int) {
	if u != nil {
		u.Bytes.Add(int64(n))
	}
}
