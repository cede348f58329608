package paging

import (
	"math"
	"slices"
	"sort"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/schema"
)

type key struct {
	text   string
	number int64
}

func keyOf(c *columns.Column, row int) (key, bool) {
	switch {
	case !c.Valid[row]:
		return key{}, false
	case c.Type == schema.Integer:
		return key{number: c.Integers[row]}, true
	default:
		return key{text: c.Strings[row]}, true
	}
}

// origin is what is known of the rows of a page besides their cells.
type origin struct {
	at        time.Time       // when the page was requested
	unsettled []int           // its rows that may still change, ascending
	problems  []pages.Problem // its cells that became null
}

// stretch is neighboring rows of a list that one page had. Their cells may be in a table of more rows.
type stretch struct {
	table  *columns.Table
	row    int // of the table: the first one
	origin *origin
	first  int // row of the page: the first one
	rows   int
	seam   bool // rows right behind it may be missing
}

const stretchBytes, problemBytes = 200, 64 // about: a stretch with its origin, one problem

func (s stretch) part(begin, end int) stretch {
	s.seam = s.seam && end == s.rows
	s.row, s.first, s.rows = s.row+begin, s.first+begin, end-begin
	return s
}

func (s stretch) goesOn(o stretch) bool { return s.table == o.table && s.row+s.rows == o.row }

// unsettled returns the rows of the page that may still change.
func (s stretch) unsettled() []int {
	begin, _ := slices.BinarySearch(s.origin.unsettled, s.first)
	end, _ := slices.BinarySearch(s.origin.unsettled, s.first+s.rows)
	return s.origin.unsettled[begin:end]
}

func (s stretch) problems() (problems []pages.Problem) {
	for _, p := range s.origin.problems {
		if p.Row >= s.first && p.Row < s.first+s.rows {
			problems = append(problems, p)
		}
	}
	return problems
}

// order is the rows of a list, in the order of the service. The place of a row is how many rows are in front of it.
type order struct {
	key       string // field that identifies a row
	stretches []stretch
	ends      []int       // of each stretch: the place behind it
	places    map[key]int // only if a row is not where it is expected
}

func newOrder(keyField string, stretches []stretch) *order {
	o := &order{key: keyField, stretches: stretches, ends: make([]int, len(stretches))}
	rows := 0
	for i, s := range stretches {
		rows += s.rows
		o.ends[i] = rows
	}
	return o
}

// rows returns the number of rows. No order has none.
func (o *order) rows() int {
	if o == nil || len(o.ends) == 0 {
		return 0
	}
	return o.ends[len(o.ends)-1]
}

func (o *order) at(place int) (s stretch, row int) {
	i := sort.SearchInts(o.ends, place+1)
	return o.stretches[i], place - o.ends[i] + o.stretches[i].rows
}

func (o *order) keyAt(place int) key {
	s, row := o.at(place)
	k, _ := keyOf(s.table.Column(o.key), s.row+row)
	return k
}

// find returns the place of a row, -1 if it has none. It looks first where the row is expected.
func (o *order) find(k key, expected ...int) int {
	for _, place := range expected {
		if place >= 0 && place < o.rows() && o.keyAt(place) == k {
			return place
		}
	}
	if o.places == nil {
		o.places = make(map[key]int, o.rows())
		o.each(func(place int, is key) { o.places[is] = place })
	}
	if place, is := o.places[k]; is {
		return place
	}
	return -1
}

func (o *order) each(do func(place int, is key)) {
	for i, s := range o.stretches {
		keys := s.table.Column(o.key)
		for row := range s.rows {
			is, _ := keyOf(keys, s.row+row)
			do(o.ends[i]-s.rows+row, is)
		}
	}
}

const timeTolerance = time.Minute // how far the times of rows may differ from their order: a service may set them before it lists a row

// areInOrder reports whether rows are in the order of the latest of some times, newest or oldest first. Rows without it are the
// fewer ones, and all in front of the others or all behind them.
func areInOrder(stretches []stretch, fields []string) bool {
	newest, oldest := int64(math.MinInt64), int64(math.MaxInt64)
	falls, rises, rows, timed, borders, last := true, true, 0, 0, 0, false
	for _, s := range stretches {
		timeOf := s.table.Latest(fields)
		for row := s.row; row < s.row+s.rows; row++ {
			at, known := timeOf(row)
			if rows++; rows > 1 && known != last {
				borders++
			}
			if last = known; !known {
				continue
			}
			timed++
			newest, oldest = max(newest, at), min(oldest, at)
			falls, rises = falls && at-int64(timeTolerance) <= oldest, rises && at+int64(timeTolerance) >= newest
		}
		if !falls && !rises || borders > 1 {
			return false
		}
	}
	return 2*timed >= rows
}

func (o *order) hasSeam(place int) bool {
	s, row := o.at(place)
	return s.seam && row == s.rows-1
}

func (o *order) between(begin, end int) (part []stretch) {
	for i := sort.SearchInts(o.ends, begin+1); begin < end; i++ {
		s, start := o.stretches[i], o.ends[i]-o.stretches[i].rows
		until := min(end, o.ends[i])
		part = append(part, s.part(begin-start, until-start))
		begin = until
	}
	return part
}

// Page is a page that was received, or refused.
type Page struct {
	number     int
	response   *pages.Page
	refused    error // why the service refused it; it has no rows then
	origin     *origin
	table      *columns.Table // with its rows, perhaps among others
	begin      int            // the first one
	rows       int
	located    []located // its rows
	Asked, Got int64     // when it was requested and received: how many pages had been received before
}

type located struct {
	place    int  // in the prediction; -1: nowhere
	same     bool // its cells are as predicted
	repeated bool // another page has it, too
}

// NewPage returns a page that was requested at a time. Its table is not to be used anymore.
func NewPage(set *schema.DataSet, number int, p *pages.Page, at time.Time) *Page {
	o := &origin{at: at, unsettled: unsettledRows(set, p.Table, at.Add(p.Usage.Ahead)), problems: p.Problems}
	return &Page{number: number, response: p, origin: o, table: p.Table, rows: p.Table.Rows}
}

// RefusedPage returns a page that the service refused.
func RefusedPage(set *schema.DataSet, number int, err error) *Page {
	empty := pages.Empty(set)
	return &Page{number: number, response: empty, refused: err, origin: &origin{}, table: empty.Table}
}

func (p *Page) total() int { return p.response.Total }

func (p *Page) row(i int) stretch {
	return stretch{table: p.table, row: p.begin + i, origin: p.origin, first: i, rows: 1}
}

// isFull reports whether a full page has all that the total says is left, or more. Some services count only that far.
func (p *Page) isFull() bool {
	e := p.response.Envelope
	return p.rows > 0 && e.Size == p.rows && e.Total >= 0 && e.Total <= (p.number+1)*e.Size
}

func (p *Page) isAll() bool {
	e := p.response.Envelope
	return e.Bare || e.Total >= 0 && e.Total <= p.rows
}

func (p *Page) keys(keyField string) []key {
	column, keys := p.table.Column(keyField), make([]key, p.rows)
	for row := range keys {
		keys[row], _ = keyOf(column, p.begin+row)
	}
	return keys
}

func (p *Page) hasRowsOf(o *Page, keyField string) bool {
	others := o.keys(keyField)
	return p.rows == o.rows && !slices.ContainsFunc(p.keys(keyField), func(is key) bool { return !slices.Contains(others, is) })
}

const settleTime = 10 * time.Minute // how long a row may still change after it has ended: a robot may report its last items late

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
