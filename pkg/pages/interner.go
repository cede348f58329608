package pages

import "sync"

const (
	// textBytes is the overhead of a text: two string headers and a map entry.
	textBytes = 64
	// maxUnknown is how many fields that are not in the description become columns; the others are left out. Each needs
	// memory for every row, even without values.
	maxUnknown = 200
)

// Interner interns strings: labels and states repeat in every row. The pages of a read share one, and the bound of fields
// that are not in the description.
type Interner struct {
	mu      sync.Mutex
	texts   map[string]string
	unknown map[string]bool
	bytes   int64
}

// NewInterner returns an Interner without texts. Fields that are not in the description may be known already.
func NewInterner(unknown ...string) *Interner {
	i := &Interner{texts: map[string]string{}, unknown: map[string]bool{}}
	for _, name := range unknown {
		i.unknown[name] = true
	}
	return i
}

// admits reports whether a field that is not in the description becomes a column.
func (i *Interner) admits(name []byte) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	if !i.unknown[string(name)] && len(i.unknown) >= maxUnknown {
		return false
	}
	i.unknown[string(name)] = true
	return true
}

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
