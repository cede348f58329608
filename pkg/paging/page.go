package paging

import (
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Response is a page as it was received.
type Response struct {
	Page         *pages.Page
	Organization string        // owner of the rows
	Ahead        time.Duration // how far the service's clock is ahead of this one
	Requests     int64         // HTTP requests that it took
	Bytes        int64         // of the response, decompressed
}

// Page is a page that was received, or refused.
type Page struct {
	number     int
	response   *Response
	refused    error // why the service refused it; it has no rows then
	origin     *origin
	table      *columns.Table // with its rows, perhaps among others
	begin      int            // the first one
	rows       int
	located    []located // its rows
	Asked, Got int64     // when it was requested and received: how many pages had been received before
}

// located is where a row of a page was found.
type located struct {
	place    int  // in the prediction; -1: nowhere
	same     bool // its cells are as predicted
	repeated bool // another page has it, too
}

// NewPage returns a page that was requested at a time. Its table is not to be used anymore.
func NewPage(set *schema.DataSet, number int, r *Response, at time.Time) *Page {
	o := &origin{at: at, unsettled: unsettledRows(set, r.Page.Table, at.Add(r.Ahead)), problems: r.Page.Problems}
	return &Page{number: number, response: r, origin: o, table: r.Page.Table, rows: r.Page.Table.Rows}
}

// RefusedPage returns a page that the service refused.
func RefusedPage(set *schema.DataSet, number int, err error) *Page {
	empty := pages.Empty(set)
	return &Page{number: number, response: &Response{Page: empty}, refused: err, origin: &origin{}, table: empty.Table}
}

func (p *Page) total() int { return p.response.Page.Total }

// row returns a row as a stretch.
func (p *Page) row(i int) stretch {
	return stretch{table: p.table, row: p.begin + i, origin: p.origin, first: i, rows: 1}
}

// isFull reports whether a full page has all that the total says is left, or more. Some services count only that far.
func (p *Page) isFull() bool {
	e := p.response.Page.Envelope
	return p.rows > 0 && e.Size == p.rows && e.Total >= 0 && e.Total <= (p.number+1)*e.Size
}

// isAll reports whether a page has as many rows as the service reports, or is a bare array.
func (p *Page) isAll() bool {
	e := p.response.Page.Envelope
	return e.Bare || e.Total >= 0 && e.Total <= p.rows
}

// keys returns the keys of the rows.
func (p *Page) keys(keyField string) []key {
	column, keys := p.table.Column(keyField), make([]key, p.rows)
	for row := range keys {
		keys[row], _ = keyOf(column, p.begin+row)
	}
	return keys
}

// hasRowsOf reports whether two pages have rows with the same keys, in any order.
func (p *Page) hasRowsOf(o *Page, keyField string) bool {
	others := o.keys(keyField)
	return p.rows == o.rows && !slices.ContainsFunc(p.keys(keyField), func(is key) bool { return !slices.Contains(others, is) })
}

// settleTime is how long a row may still change after it has ended: a robot may report its last items late.
const settleTime = 10 * time.Minute

// unsettledRows returns the rows of a table that may still change, ascending: those that have not ended, or not long ago, or of
// which it is not known. now is the time of the service, whose clock may differ: its response carries it.
func unsettledRows(set *schema.DataSet, t *columns.Table, now time.Time) (rows []int) {
	if set.End == nil {
		return nil
	}
	state, result, lastChange := t.Column(set.End.Field), t.Column(set.End.Result), t.Latest(set.TimeFields)
	for row := range t.Rows {
		changed, isKnown := lastChange(row)
		hasEnded := state.Valid[row] && slices.Contains(set.End.Values, state.Strings[row]) &&
			(result.Valid[row] || !slices.Contains(set.End.WithResult, state.Strings[row]))
		if !hasEnded || !isKnown || changed > now.Add(-settleTime).UnixNano() {
			rows = append(rows, row)
		}
	}
	return rows
}
