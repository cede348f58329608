package plugin

import (
	"cmp"
	"context"
	"fmt"
	"regexp"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// history computes the frame of a query from the differences of windows.
func (i *Instance) history(ctx context.Context, q *query.Query, read reads.Read, rule bool, automations func() map[string]string) (*data.Frame, error) {
	steps := *q.Period.Steps
	days := steps.Windows()
	past := frame.NewPast(q.Set, q.Measure, steps)
	all := newSummary(len(days))
	var incomplete error
	newest, err := i.reads.Windows(ctx, read, days, steps.Newest(), func(n int, result *reads.Result) {
		past.Add(n, result.Table)
		all.add(n, result)
		incomplete = cmp.Or(incomplete, checkComplete(rule, result))
	})
	if err = cmp.Or(err, incomplete); err != nil {
		return nil, err
	}
	if newest != nil {
		past.Renew(newest.Table)
	}
	build := past.TimeSeries
	if q.Format == query.Numeric {
		build = past.Numeric
	}
	r := request(q, nil, i.settings)
	r.Automations = automations()
	out, err := build(ctx, r)
	if err != nil {
		return nil, err
	}
	addMeta(out, all.result(), q.Period.Now)
	note(out, q)
	return out, nil
}

// summary combines the costs and warnings of the windows of a query, without their rows.
type summary struct {
	total    reads.Result
	executed []string
	warnings [][]string
	notes    [][]string
}

func newSummary(windows int) *summary {
	return &summary{executed: make([]string, windows), warnings: make([][]string, windows), notes: make([][]string, windows)}
}

func (s *summary) add(n int, r *reads.Result) {
	s.executed[n], s.warnings[n], s.notes[n] = r.Executed, r.Warnings, r.Notes
	sum := &s.total.Stats
	sum.Pages += r.Stats.Pages
	sum.Rows += r.Stats.Rows
	sum.Requests += r.Stats.Requests
	sum.Bytes += r.Stats.Bytes
	sum.Took += r.Stats.Took
	sum.Kept += r.Stats.Kept
	sum.BaseAge = max(sum.BaseAge, r.Stats.BaseAge)
	// The oldest of the cached windows.
	if r.Reused && (!s.total.Reused || r.ReadAt.Before(s.total.ReadAt)) {
		s.total.Reused, s.total.ReadAt = true, r.ReadAt
	}
}

func (s *summary) result() *reads.Result {
	s.total.Executed = s.executed[0]
	if last := len(s.executed) - 1; last > 0 {
		s.total.Executed += fmt.Sprintf(" … %s (%d windows)", s.executed[last], last+1)
	}
	s.total.Warnings, s.total.Notes = once(s.warnings), once(s.notes)
	return &s.total
}

var digits = regexp.MustCompile(`\d+`)

// once keeps the first of messages that differ only in their numbers: sixty windows would repeat the same warning with
// sixty counts.
func once(windows [][]string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, texts := range windows {
		for _, text := range texts {
			if kind := digits.ReplaceAllString(text, ""); !seen[kind] {
				seen[kind] = true
				kept = append(kept, text)
			}
		}
	}
	return kept
}
