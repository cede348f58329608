package frame

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// leastTasks is how many tasks a group must have before anything is claimed of it, and finished ones for a rate.
	leastTasks = 10
	// urgent is how many times its threshold makes a reason a degree more severe.
	urgent = 2
	// mostReasons is how many reasons a sentence has.
	mostReasons = 2
)

// Attention is the format with a row for each group that a person should look at, the most urgent first. What is usual is
// the group's own history in the rows.
type Attention struct {
	Grouping
	Thresholds map[string]float64 // of the reasons, by their names; 0: not a reason
	// Long is for panels. Otherwise, the frame is numeric-wide: the severity of each group, labeled with the group and its
	// reason, or a single 0 without labels, because a rule without a number has no data.
	Long bool
}

// Frame builds the frame. A table without rows has all its fields. Errors are inputerror.Err, or those of a context that
// ended.
func (r *Attention) Frame(ctx context.Context) (*data.Frame, error) {
	r.resolveRates()
	rows, unmatched, err := r.rows(ctx, nil)
	if err != nil {
		return nil, err
	}
	groups, parts, err := r.groups(rows)
	if err != nil {
		return nil, err
	}
	a := newAttention(r)
	var found []*concern
	for i, part := range partition(rows, parts, len(groups)) {
		if c := a.concern(groups[i], part); c != nil {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b *concern) int {
		return cmp.Or(byUrgency(a.findings[0], b.findings[0]), slices.Compare(a.group.labels, b.group.labels))
	})
	if r.Limit > 0 && len(found) > r.Limit {
		found = found[:r.Limit]
	}
	build := a.numbers
	if r.Long {
		build = a.table
	}
	frame := build(found)
	frame.AppendNotices(unmatched...)
	return finished(ctx, frame)
}

// attention is the format with what the reasons are found in.
type attention struct {
	*Attention
	*message.Printer
	state, status, created, started, ended *columns.Column
	took, usualDuration                    rowValue
}

func newAttention(r *Attention) *attention {
	column, usualDuration := r.Rows.Column, r.derived(usualDuration)
	return &attention{
		Attention: r, Printer: message.NewPrinter(language.Make(string(r.Language))),
		state: column("state"), status: column("finishStatus"),
		created: column("dateCreation"), started: column("dateStartRunning"), ended: column("dateLastModified"),
		took: derivedTimes["duration"](&r.Selection), usualDuration: values(usualDuration),
	}
}

// concern is a group that a person should look at, and why, the most urgent finding first.
type concern struct {
	group    *group
	findings []*finding
}

// finding is a reason that applies to a group.
type finding struct {
	reason *schema.Reason
	size   float64 // in the unit of the threshold
	degree float64 // size ÷ threshold
	about  int     // the row of the task that it is about
	since  int64
	says   []any              // what the sentence says
	behind map[string]float64 // the numbers behind the sentence, by their fields
}

func (f *finding) severity() float64 {
	return min(3, float64(f.reason.Severity)+truth(f.degree >= urgent))
}

func byUrgency(a, b *finding) int {
	return cmp.Or(cmp.Compare(b.severity(), a.severity()), cmp.Compare(b.degree, a.degree))
}

// concern returns what there is to say about a group, or nil. Tasks without an automation, or without a runner, are no
// group.
func (a *attention) concern(g *group, rows []int) *concern {
	if len(rows) < leastTasks || g.labels[0] == "" {
		return nil
	}
	h := &history{
		rows:     rows,
		created:  a.ordered(rows, a.created, func(int) bool { return true }),
		finished: a.ordered(rows, a.ended, func(row int) bool { return a.status.Valid[row] }),
	}
	c := &concern{group: g}
	for i := range schema.Attention.Reasons {
		reason := &schema.Attention.Reasons[i]
		threshold := a.Thresholds[reason.Name]
		if threshold == 0 {
			continue
		}
		if f := reasons[reason.Name](a, h); f != nil && f.size >= threshold {
			f.reason, f.degree = reason, f.size/threshold
			c.findings = append(c.findings, f)
		}
	}
	slices.SortStableFunc(c.findings, byUrgency)
	if len(c.findings) == 0 {
		return nil
	}
	return c
}

// ordered returns the rows that keep a test, in the order of a date that they have.
func (a *attention) ordered(rows []int, date *columns.Column, keeps filter.Test) []int {
	var kept []int
	for _, row := range rows {
		if date.Valid[row] && keeps(row) {
			kept = append(kept, row)
		}
	}
	slices.SortStableFunc(kept, func(x, y int) int { return cmp.Compare(date.Times[x], date.Times[y]) })
	return kept
}

// span formats seconds. Days begin at two, and hours have minutes while these matter.
func (a *attention) span(seconds float64) string {
	d := time.Duration(seconds * float64(time.Second))
	hours, minutes := int(d.Hours()), int(d.Minutes())%60
	switch {
	case d < time.Minute:
		return a.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return a.Sprintf("%d min", minutes)
	case hours < 10 && minutes > 0:
		return a.Sprintf("%d h %d min", hours, minutes)
	case hours < 48:
		return a.Sprintf("%d h", hours)
	default:
		return a.Sprintf(a.Language.Words().Days, hours/24)
	}
}

// why returns the sentence of a concern.
func (a *attention) why(c *concern) string {
	var sentences []string
	for _, f := range c.findings[:min(mostReasons, len(c.findings))] {
		sentences = append(sentences, a.Sprintf(cmp.Or(f.reason.Why[a.Language], f.reason.Why[schema.English]), f.says...))
	}
	return strings.Join(sentences, "; ")
}
