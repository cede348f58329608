package pages

import "sync"

// textBytes is what a text takes beside its characters: two headers and its place in the map.
const textBytes = 64

// Texts keeps equal texts once: labels and states repeat in every row. The pages of a read share one.
type Texts struct {
	mu    sync.Mutex
	texts map[string]string
	bytes int64
}

// NewTexts makes an empty collection.
func NewTexts() *Texts { return &Texts{texts: map[string]string{}} }

func (i *Texts) text(b []byte) string {
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

// Size is the memory that the texts take, in bytes.
func (i *Texts) Size() int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.bytes
}
