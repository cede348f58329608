package reads

import (
	"fmt"
	"sync"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// distrustTime is how long reads are whole after one has shown that repeating them in part gives wrong rows.
const distrustTime = time.Hour

// trust says whether what reads in part rest on holds for this service: a row that has ended does not change, and rows
// come in front. Every whole read that follows another one tells.
type trust struct {
	mu    sync.Mutex
	until time.Time
	why   string
}

// withdraw makes reads whole for a while.
func (t *trust) withdraw(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until, t.why = time.Now().Add(distrustTime), why
}

// holds says whether nothing has shown otherwise of late.
func (t *trust) holds() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !time.Now().Before(t.until)
}

// notice says until when reads are whole, and why; "" where they need not be.
func (t *trust) notice() string {
	if t.holds() {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprintf("%s: until %s, every read requests all rows", t.why, t.until.UTC().Format("15:04 UTC"))
}

// audit compares a whole read with what was believed of the same organization before it began.
func (c *Reads) audit(set *datasets.DataSet, believed, whole *Result) {
	if believed == nil || believed.base == nil || whole.began.Before(believed.ReadAt) || believed.base.organization != whole.organization {
		return
	}
	if why := disproof(set, believed.base, whole.Table); why != "" {
		c.trust.withdraw(why)
		readsDistrusted.WithLabelValues(set.Name).Inc()
	}
}

// disproof says which row shows that rows may not be kept, or "".
func disproof(set *datasets.DataSet, believed *base, t *columns.Table) string {
	known := index(set, believed.table)
	run := newQuietRun(believed, t)
	name := t.Column(set.Key)
	inFront := true
	for row := range t.Rows {
		k, _ := keyOf(name, row)
		was, ok := known[k]
		if !ok && !inFront {
			return fmt.Sprintf("row %s of %s is new but does not come first", name.Text(row), set.Name)
		}
		if run.add(row, was, ok) && ended(set, believed.table, was) {
			return fmt.Sprintf("row %s of %s changed after it had ended", name.Text(row), set.Name)
		}
		// This is where a repeated read stops looking for new rows.
		if atEnd := (row+1)%believed.size == 0; atEnd && run.isQuiet() {
			inFront = false
		}
	}
	return ""
}
