package reads

import (
	"fmt"
	"sync"
	"time"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// distrustTime is how long reads remain full reads after one has shown that partial ones return wrong rows.
const distrustTime = time.Hour

// trust records whether the assumptions of partial reads hold for this service: an ended row does not change, and new
// rows come first. Every full read that follows another one checks them.
type trust struct {
	mu    sync.Mutex
	until time.Time
	why   string
}

// withdraw forces full reads temporarily.
func (t *trust) withdraw(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.until, t.why = time.Now().Add(distrustTime), why
}

// holds reports whether no recent read has disproved the assumptions.
func (t *trust) holds() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return !time.Now().Before(t.until)
}

// notice says until when and why reads are full reads; "" if they are not.
func (t *trust) notice() string {
	if t.holds() {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprintf("%s: until %s, every read requests all rows", t.why, t.until.UTC().Format("15:04 UTC"))
}

// audit compares a full read with an earlier result for the same organization.
func (c *Reads) audit(set *datasets.DataSet, believed, whole *Result) {
	if believed == nil || believed.base == nil || whole.began.Before(believed.ReadAt) || believed.base.organization != whole.organization {
		return
	}
	if why := disproof(set, believed.base, whole.Table); why != "" {
		c.trust.withdraw(why)
		readsDistrusted.WithLabelValues(set.Name).Inc()
	}
}

// disproof names a row that shows that rows must not be reused, or "".
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
		// A repeated read stops looking for new rows here.
		if atEnd := (row+1)%believed.size == 0; atEnd && run.isQuiet() {
			inFront = false
		}
	}
	return ""
}
