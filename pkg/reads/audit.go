package reads

import (
	"context"
	"errors"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// patience is how long each page of an audit waits for reads that somebody waits for.
const patience = time.Second

var (
	errMoved = errors.New("the data changed during each attempt to read it")
	errBusy  = errors.New("other reads wait for the memory of this one")
)

// auditIfDue checks what is kept of a list against a full read in the background, if the last one is longer ago than
// Config.FullReadInterval. There is one audit at a time, and one that fails is not repeated at once.
func (c *Reads) auditIfDue(key string, r Read) {
	if k := c.kept(key); k == nil || k.known == nil || !c.predicts(r.DataSet) {
		return
	}
	var before kept
	due := false
	c.update(key, func(k kept) kept {
		k = k.asked(r, c.lately())
		overdue := min(time.Since(k.audited), time.Since(k.wholeAt)) >= c.config.FullReadInterval
		if due = overdue && k.known != nil && c.auditing.CompareAndSwap(false, true); due {
			k.audited = time.Now()
		}
		before = k
		return k
	})
	if !due {
		return
	}
	go func() {
		defer c.auditing.Store(false)
		outcome, err := c.audit(c.background, *before.deepest, &before)
		if err != nil {
			outcome = "failed"
		}
		auditsMade.WithLabelValues(r.DataSet.Name, outcome).Inc()
	}()
}

// audit reads a list without a prediction, and returns whether that shows what must not be: a row that changed after it
// had ended. In any case, it replaces the prediction.
func (c *Reads) audit(ctx context.Context, r Read, before *kept) (outcome string, err error) {
	defer service.Recover(&err)
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
