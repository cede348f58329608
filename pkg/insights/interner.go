package insights

import "sync"

// interner keeps equal texts once: labels and states repeat in every row. The pages of a read share one.
type interner struct {
	mu    sync.Mutex
	texts map[string]string
}

func newInterner() *interner { return &interner{texts: map[string]string{}} }

func (i *interner) text(b []byte) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	if s, ok := i.texts[string(b)]; ok {
		return s
	}
	s := string(b)
	i.texts[s] = s
	return s
}

// size is the memory that the texts take, in bytes.
func (i *interner) size() int64 {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := int64(0)
	for s := range i.texts {
		n += int64(len(s))
	}
	return n
}
