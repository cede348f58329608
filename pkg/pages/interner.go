package pages

import "sync"

// textBytes is the overhead of a text: two string headers and a map entry.
const textBytes = 64

// Interner interns strings: labels and states repeat in every row. The pages of a read share one.
type Interner struct {
	mu    sync.Mutex
	texts map[string]string
	bytes int64
}

// NewInterner returns an empty Interner.
func NewInterner() *Interner { return &Interner{texts: map[string]string{}} }

func (i *Interner) text(b []byte) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if s, ok := i.texts[string(b)]; ok {
		return s
	}
	s := string(b)
	i.texts[s] = s
	i.bytes += textBytes + int64(len(s))
	return s
}

// Size returns the memory of the texts, in bytes.
func (i *Interner) Size() int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.bytes
}
