package frame

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/data"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	// leastTasks is how many tasks a group must have before anything is claimed of it, and finished ones for a rate.
	leastTasks = 10
	// leastUsual is the shortest time that is told from a usual one: a task of seconds that takes a minute bothers nobody.
	leastUsual = 5 * time.Minute
	// leastAttempts is how many tasks must have finished without success before that is worth saying.
	leastAttempts = 3
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
	frame := a.numbers(found)
	if r.Long {
		frame = a.table(found)
	}
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
	says   []any // what the sentence says

	count, seconds, usual, rate *float64
}

func (f *finding) severity() float64 {
	return min(3, float64(f.reason.Severity)+truth(f.degree >= urgent))
}

func byUrgency(a, b *finding) int {
	return cmp.Or(cmp.Compare(b.severity(), a.severity()), cmp.Compare(b.degree, a.degree))
}

// history is the tasks of a group.
type history struct {
	rows     []int
	created  []int // with a date of creation, in its order
	finished []int // in the order of their ends
}

// reasons find what the reasons of attention.json are about, by their names; nil: nothing. The size decides whether it is
// reported.
var reasons = map[string]func(*attention, *history) *finding{
	"failures":    (*attention).failures,
	"noSuccess":   (*attention).noSuccess,
	"successRate": (*attention).successRate,
	"slow":        (*attention).slow,
	"silent":      (*attention).silent,
	"waiting":     (*attention).waiting,
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

func (a *attention) failures(h *history) *finding {
	f := &finding{}
	for _, row := range slices.Backward(h.finished) {
		status := a.status.Text(row)
		if status == statusSuccess {
			break
		}
		if status != statusFailed {
			continue
		}
		if f.size == 0 {
			f.about = row
		}
		f.size++
		f.since = a.ended.Times[row]
	}
	f.count, f.says = &f.size, []any{int(f.size)}
	return f
}

// noSuccess measures from the first attempt without success on, because a weekend without tasks is no failure.
func (a *attention) noSuccess(h *history) *finding {
	var gaps []float64
	var last int64 // success
	attempts := h.finished
	for i, row := range h.finished {
		if a.status.Text(row) != statusSuccess {
			continue
		}
		if last != 0 {
			gaps = append(gaps, float64(a.ended.Times[row]-last)/1e9)
		}
		last, attempts = a.ended.Times[row], h.finished[i+1:]
	}
	if len(attempts) < leastAttempts {
		return nil
	}
	first := a.ended.Times[attempts[0]]
	since := cmp.Or(last, first)
	elapsed := a.elapsed(since)
	usual := percentile95(gaps)
	if usual != nil && elapsed < *usual {
		return nil
	}
	return &finding{
		size: a.elapsed(first) / 86400, about: attempts[len(attempts)-1], since: since, says: []any{a.span(elapsed)},
		count: new(float64(len(attempts))), seconds: &elapsed, usual: usual,
	}
}

// successRate compares the last day with the time before. A difference that chance explains is none: one of three
// standard deviations is rare.
func (a *attention) successRate(h *history) *finding {
	from := a.Now.Add(-24 * time.Hour).UnixNano()
	split, _ := slices.BinarySearchFunc(h.finished, from, func(row int, at int64) int { return cmp.Compare(a.ended.Times[row], at) })
	before, recent := h.finished[:split], h.finished[split:]
	if len(before) < leastTasks || len(recent) < leastTasks {
		return nil
	}
	usual, _ := a.share(before)
	rate, unsuccessful := a.share(recent)
	if usual-rate < 3*math.Sqrt(usual*(1-usual)/float64(len(recent))) {
		return nil
	}
	return &finding{
		size: 100 * (usual - rate), about: unsuccessful, since: from, says: []any{number.Percent(rate), number.Percent(usual)},
		count: new(float64(len(recent))), rate: &rate,
	}
}

// share returns which share of tasks succeeded, and the last one that did not.
func (a *attention) share(rows []int) (rate float64, unsuccessful int) {
	for _, row := range rows {
		if a.status.Text(row) == statusSuccess {
			rate++
		} else {
			unsuccessful = row
		}
	}
	return rate / float64(len(rows)), unsuccessful
}

// slow finds the running task that exceeds the usual duration of its automation most.
func (a *attention) slow(h *history) *finding {
	f := &finding{}
	for _, row := range h.rows {
		took, _, runs := a.took(row)
		usual, _, known := a.usualDuration(row)
		size := took / max(usual, leastUsual.Seconds())
		if a.state.Text(row) != stateRunning || !runs || !known || size <= f.size {
			continue
		}
		f = &finding{size: size, about: row, since: a.started.Times[row], says: []any{a.span(took), multiple(took / max(usual, 1))}, seconds: &took, usual: &usual}
	}
	return f
}

// multiple formats how many times something is, with a decimal where that matters.
func multiple(times float64) number.Formatter {
	if times >= 10 {
		return number.Decimal(times, number.MaxFractionDigits(0))
	}
	return number.Decimal(times, number.MaxFractionDigits(1))
}

// silent compares the time since the last task with the usual one at this hour of the week, so that nights and weekends
// are silent as usual, and a day that is skipped is not. A group that has a task in the queue, or running, is not silent.
func (a *attention) silent(h *history) *finding {
	isOpen := func(row int) bool { return a.state.Text(row) == stateQueued || a.state.Text(row) == stateRunning }
	if len(h.created) == 0 || slices.ContainsFunc(h.rows, isOpen) {
		return nil
	}
	usual, known := a.usualSilence(h)
	if !known {
		return nil
	}
	newest := h.created[len(h.created)-1]
	elapsed := a.elapsed(a.created.Times[newest])
	return &finding{
		size: elapsed / max(usual, leastUsual.Seconds()), about: newest, since: a.created.Times[newest],
		says: []any{a.span(elapsed), a.span(usual)}, seconds: &elapsed, usual: &usual,
	}
}

// hourOfWeek is how long before the same moment of earlier weeks a silence counts as usual: tasks are not punctual.
const hourOfWeek = 2 * time.Hour

// usualSilence returns the longest time without a task at this hour of earlier weeks, in seconds. The worst of three or
// more weeks does not count: a holiday, or a day that was skipped, is not usual.
func (a *attention) usualSilence(h *history) (seconds float64, known bool) {
	var weeks []float64
	for days := -7; ; days -= 7 {
		at := a.Now.In(a.Zone).AddDate(0, 0, days)
		from := at.Add(-hourOfWeek)
		if from.UnixNano() < a.created.Times[h.created[0]] {
			break
		}
		weeks = append(weeks, a.longestSilence(h.created, from.UnixNano(), at.UnixNano()))
	}
	slices.Sort(weeks)
	switch n := len(weeks); {
	case n < 2:
		return 0, false
	case n == 2:
		return weeks[1], true
	default:
		return weeks[n-2], true
	}
}

// longestSilence returns the longest time without a task that ended between two moments, or had not at the second.
func (a *attention) longestSilence(created []int, from, to int64) (seconds float64) {
	last, longest := from, int64(0)
	for _, row := range created {
		at := min(a.created.Times[row], to)
		if at > from {
			longest = max(longest, at-last)
		}
		last = at
	}
	return float64(max(longest, to-last)) / 1e9
}

// waiting finds the task that has waited in the queue longest.
func (a *attention) waiting(h *history) *finding {
	var waits []float64
	waited := queueTime(&a.Selection)
	oldest := -1
	for _, row := range h.created {
		if seconds, _, ok := waited(row); ok {
			waits = append(waits, seconds)
		}
		if oldest < 0 && a.state.Text(row) == stateQueued {
			oldest = row
		}
	}
	if oldest < 0 {
		return nil
	}
	usual, elapsed := percentile95(waits), a.elapsed(a.created.Times[oldest])
	if usual != nil && elapsed < 2**usual {
		return nil
	}
	return &finding{
		size: elapsed / 60, about: oldest, since: a.created.Times[oldest], says: []any{a.span(elapsed)},
		seconds: &elapsed, usual: usual,
	}
}

// percentile95 returns the 95th percentile; nil for too few values.
func percentile95(numbers []float64) *float64 {
	slices.Sort(numbers)
	sorted := make([]cellValue, len(numbers))
	for i, value := range numbers {
		sorted[i].value = value
	}
	if seconds, ok := usual(sorted); ok {
		return &seconds
	}
	return nil
}

// elapsed returns the seconds from a time until now.
func (a *attention) elapsed(since int64) float64 { return float64(a.Now.UnixNano()-since) / 1e9 }

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
