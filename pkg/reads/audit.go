package reads

import (
	"context"
	"errors"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/flight"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
)

// patience is how long each page of an audit waits for reads that somebody waits for.
const patience = time.Second

var (
	errMoved = errors.New("the data changed during each attempt to read it")
	errBusy  = errors.New("other reads wait for the memory of this one")
)

// asked is the question that needs most rows of a list, among those of the last time.
type asked struct {
	deepest Read
	at      time.Time
	audited time.Time // when the last audit started; zero: there was none
}

// auditIfDue checks what is kept of a list against a full read in the background, if the last one is longer ago than
// Config.FullReadInterval. There is one audit at a time.
func (c *Reads) auditIfDue(key string, r Read) {
	k := c.kept(key)
	if k == nil || k.known == nil || !c.predicts(r.DataSet) {
		return
	}
	asked := c.remember(key, r)
	if min(time.Since(asked.audited), time.Since(k.wholeAt)) < c.config.FullReadInterval || !c.auditing.CompareAndSwap(false, true) {
		return
	}
	c.startAudit(key)
	go func() {
		defer c.auditing.Store(false)
		outcome, err := c.audit(c.background, asked.deepest, k)
		if err != nil {
			outcome = "failed"
		}
		auditsMade.WithLabelValues(r.DataSet.Name, outcome).Inc()
	}()
}

// remember returns the question that needs most rows of a list, of those asked during the last full reads.
func (c *Reads) remember(key string, r Read) asked {
	c.mu.Lock()
	defer c.mu.Unlock()
	was, ok := c.asked[key]
	if !ok || compareExtent(r, was.deepest) >= 0 || time.Since(was.at) > 2*c.config.FullReadInterval {
		was.deepest, was.at = r, time.Now()
		c.asked[key] = was
	}
	return was
}

// startAudit records that an audit starts. One that fails is not repeated at once.
func (c *Reads) startAudit(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was := c.asked[key]
	was.audited = time.Now()
	c.asked[key] = was
}

// deepestLately returns what remember last returned for a list.
func (c *Reads) deepestLately(key string) (r Read, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	was, ok := c.asked[key]
	return was.deepest, ok && time.Since(was.at) <= 2*c.config.FullReadInterval
}

// audit reads a list without a prediction, and returns whether that shows what must not be: a row that changed after it
// had ended. In any case, it replaces the prediction.
func (c *Reads) audit(ctx context.Context, r Read, before *kept) (outcome string, err error) {
	defer flight.Recover(&err)
	memory, err := c.budget.Reserve(ctx)
	if err != nil {
		return "", err
	}
	defer memory.Release()
	whole := c.newReading([]Read{r}, nil, memory)
	whole.Source, whole.Concurrent = patient{whole}, 1
	l, err := whole.Read(ctx, c.goal(r))
	if err != nil {
		return "", err
	}
	if l.Incomplete == paging.Moved {
		return "", errMoved
	}
	outcome = "passed"
	if l.Known != nil && before.known.Organization == l.Known.Organization {
		l.Changed = before.known.ChangedFinal(r.DataSet, l.Table)
	}
	if l.Changed != "" {
		outcome = "changed"
	}
	result := whole.result(l)
	result.ReadAt = whole.Began // Its first pages are that old.
	c.keep(whole, result, l)
	return outcome, nil
}

// patient requests a page when nobody waits for a read, or after a while, so that it ends even on a busy data source.
type patient struct{ *reading }

func (p patient) Page(ctx context.Context, number, size int, bounds pages.Bounds) (*pages.Page, error) {
	if p.Memory.Expects() && p.reads.budget.IsAwaited() {
		return nil, errBusy
	}
	for until := time.Now().Add(patience); p.reads.isReading() && time.Now().Before(until); {
		select {
		case <-time.After(patience / 50):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	return p.reading.Page(ctx, number, size, bounds)
}
