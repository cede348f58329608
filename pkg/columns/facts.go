package columns

import "context"

// factShare bounds what a table keeps beside its rows: one part in so many of what they take. Bytes counts it, so that
// a cache of tables knows of it before it is there.
const factShare = 8

// fact is what was judged on all rows of a table.
type fact struct {
	turn  chan struct{} // holds a token while somebody judges or looks
	known bool
	value any
}

// Fact returns what judge says of all rows of a table, under a key of the caller's own (a type of its package, as for
// the values of a context). It is judged once and kept with the table, so that queries which share a read do not each
// judge again. bytes is what the value takes: one that is too large, next to the rows, is used and not kept.
//
// One caller judges at a time, under its own context: an error is the answer to that caller alone, and the next one
// judges anew. Whoever waits leaves with the cause of its context when that ends.
func Fact[T any](ctx context.Context, t *Table, key any, judge func() (value T, bytes int64, err error)) (T, error) {
	found, _ := t.facts.LoadOrStore(key, &fact{turn: make(chan struct{}, 1)})
	f := found.(*fact)
	var none T
	select {
	case f.turn <- struct{}{}:
		defer func() { <-f.turn }()
	case <-ctx.Done():
		return none, context.Cause(ctx)
	}
	if f.known {
		return f.value.(T), nil
	}
	value, bytes, err := judge()
	if err != nil {
		return none, err
	}
	if t.factBytes.Add(bytes) > t.rowBytes()/factShare {
		t.factBytes.Add(-bytes)
		return value, nil
	}
	f.known, f.value = true, value
	return value, nil
}
