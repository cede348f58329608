package frame

import (
	"math"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
)

// Values of the specification and of public clients that measures of tasks ask for.
const (
	stateQueued   = "START"
	statusSuccess = "SUCCESS"
	statusFailed  = "FAILED"
)

// reduction says what becomes of what the rows give.
type reduction int

const (
	sum     reduction = iota // Σ value
	ratio                    // Σ value ÷ Σ weight
	largest                  // the largest value
)

// gauge reads what one row gives to a measure. ok is false where the row gives nothing.
type gauge func(row int) (value, weight float64, ok bool)

// tally adds up what the rows of a group give to a measure.
type tally struct {
	rows, given   int
	value, weight float64
}

func (t *tally) add(how reduction, value, weight float64, ok bool) {
	t.rows++
	if !ok {
		return
	}
	t.given++
	t.weight += weight
	if how != largest {
		t.value += value
		return
	}
	if t.given == 1 {
		t.value = math.Inf(-1)
	}
	t.value = max(t.value, value)
}

// result returns the measure; ok is false for null. No rows at all are 0 for counts and sums; rows that all give nothing
// are null, since unreported items are not 0 items.
func (t *tally) result(how reduction, m *datasets.Measure) (value float64, ok bool) {
	switch {
	case t.rows == 0 && m.Empty == "zero":
		return 0, true
	case t.given == 0 || how == ratio && t.weight == 0:
		return 0, false
	case how == ratio:
		return t.value / t.weight, true
	default:
		return t.value, true
	}
}

// gauge binds a measure to the columns.
func (r *Request) gauge() (gauge, reduction, error) {
	if len(r.DataSet.Computed) == 0 {
		return r.fieldGauge()
	}
	g, how := r.taskGauge()
	if g == nil {
		return nil, sum, InputErrorf("unknown measure %q of data set %s", r.Measure, r.DataSet.Name)
	}
	return g, how, nil
}

// fieldGauge is for the data sets whose measures are their own fields: sums of counts and money, means of rates.
func (r *Request) fieldGauge() (gauge, reduction, error) {
	m := r.DataSet.Measure(r.Measure)
	c := r.Rows.Column(r.Measure)
	if m == nil || c == nil {
		return nil, sum, InputErrorf("unknown measure %q of data set %s", r.Measure, r.DataSet.Name)
	}
	if m.Aggregate == "mean" {
		return values(c, 1), ratio, nil
	}
	return values(c, 0), sum, nil
}

func (r *Request) taskGauge() (gauge, reduction) {
	status, state := r.Rows.Column("finishStatus"), r.Rows.Column("state")
	created, started, modified := r.Rows.Column("dateCreation"), r.Rows.Column("dateStartRunning"), r.Rows.Column("dateLastModified")
	switch r.Measure {
	case "tasks":
		return func(int) (float64, float64, bool) { return 1, 0, true }, sum
	case "failedTasks":
		return func(i int) (float64, float64, bool) { return truth(status.Text(i) == statusFailed), 0, true }, sum
	case "successRate":
		return func(i int) (float64, float64, bool) {
			return truth(status.Text(i) == statusSuccess), 1, status.Valid[i]
		}, ratio
	case "processedItems", "failedItems", "totalItems":
		return values(r.Rows.Column(r.Measure), 0), sum
	case "itemSuccessRate":
		processed, total := r.Rows.Column("processedItems"), r.Rows.Column("totalItems")
		return func(i int) (float64, float64, bool) {
			return processed.Numbers[i], total.Numbers[i], processed.Valid[i] && total.Valid[i]
		}, ratio
	case "duration":
		finished := seconds(started, modified)
		return func(i int) (float64, float64, bool) {
			value, weight, ok := finished(i)
			return value, weight, ok && status.Valid[i]
		}, ratio
	case "queueTime":
		return seconds(created, started), ratio
	case "oldestQueued":
		now := r.Now.UnixNano()
		return func(i int) (float64, float64, bool) {
			return float64(now-created.Times[i]) / 1e9, 0, created.Valid[i] && state.Text(i) == stateQueued
		}, largest
	default:
		return nil, sum
	}
}

func values(c *columns.Column, weight float64) gauge {
	return func(i int) (float64, float64, bool) { return c.Numbers[i], weight, c.Valid[i] }
}

// seconds is the time from one date to another; a row without both gives nothing.
func seconds(from, to *columns.Column) gauge {
	return func(i int) (float64, float64, bool) {
		return float64(to.Times[i]-from.Times[i]) / 1e9, 1, from.Valid[i] && to.Valid[i]
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
