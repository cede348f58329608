package columns

import "context"

// factShare bounds the facts that a table keeps, as a fraction of the size of its rows. Bytes includes it, so that a
// cache of tables accounts for facts in advance.
const factShare = 8

// fact is a value computed from all rows of a table.
type fact struct {
	turn  chan struct{} // holds a token while a caller computes or reads the value
	known bool
	value any
}

// Fact returns the value that judge computes from all rows of a table, under a key of the caller's own (a type of its
// package, as for the values of a context). It is computed once and cached in the table, so that queries that share a
// read do not repeat it. bytes is the size of the value: one that is too large compared with the rows is not cached.
//
// One caller computes at a time, under its own context: an error is returned to that caller alone, and the next one
// tries again. Waiting ends with the cause of the caller's context.
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
