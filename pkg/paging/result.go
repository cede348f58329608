package paging

import (
	"cmp"
	"slices"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// Result is an answer. Tables are shared and must not be modified.
type Result struct {
	Table        *columns.Table
	AsOf         time.Time     // when the oldest of the rows that may still change was requested
	OldestAt     time.Time     // when the oldest of all rows was requested
	Ahead        time.Duration // how far the service's clock is ahead of this one
	Organization string        // owner of the rows; empty: they have different ones
	Total        int           // rows that the service reports; -1: unknown
	Lack         Lack          // why rows may be missing
	Short        Short         // the page of ShortPage
	Repeated     int           // rows that the service lists more than once
	Keyless      bool          // rows of several pages have no key, so that nothing shows which rows are on two of them
	Problems     pages.Problems
	Shared       bool // another caller's read, or an earlier one, had the rows
	Cost         Cost // of the read that had the rows
}

// Cost is what a read took.
type Cost struct {
	Pages     int   // pages received
	Rows      int   // of the answer
	AllPages  int   // number of pages of the list
	Requests  int64 // HTTP requests for data, including retries
	Bytes     int64 // of the responses, decompressed
	Reused    int   // rows that an earlier read had received
	Corrected int   // rows that were not expected to change, but have
	Took      time.Duration
}

// Result returns what the reading has found at its end, and the prediction of the next one.
func (r *Reading) Result(now time.Time) (*Result, *Prediction) {
	k := r.look
	k.cut(k.all())
	lack, short := k.lack()
	out := &Result{
		Organization: k.organization, Ahead: k.first.response.Usage.Ahead, Total: k.first.total(), Lack: lack, Short: short, Repeated: k.repeated(),
		Keyless: k.oddities.keyless && len(k.pages) > 1, AsOf: r.Now, OldestAt: r.Now, Cost: r.cost,
	}
	if k.moves.foreign {
		out.Organization = "" // There is no single one.
	}
	out.Cost.Corrected, out.Cost.Took = k.corrected, now.Sub(r.Now)
	out.Cost.AllPages = max(len(k.pages), pagesFor(min(k.total, k.MaxRows), k.size))
	for _, s := range k.found.stretches {
		if s.origin.at.Before(r.Now) {
			out.Cost.Reused += s.rows
		}
		if s.origin.at.Before(out.OldestAt) {
			out.OldestAt = s.origin.at
		}
		if s.origin.at.Before(out.AsOf) && len(s.unsettled()) > 0 {
			out.AsOf = s.origin.at // It was not requested again, because an answer may be that old.
		}
		for _, p := range s.problems() {
			out.Problems.Add(p)
		}
	}
	next := r.prediction(k.found.stretches) // It shares the stretches, which move to the new table below.
	table := r.table(k.found.stretches)
	out.Table, out.Cost.Rows = table.Readable(), table.Rows
	for i, row := 0, 0; i < len(k.found.stretches); i++ {
		s := &k.found.stretches[i]
		s.table, s.row = table, row
		row += s.rows
	}
	return out, next
}

func (r *Reading) table(stretches []stretch) (table *columns.Table) {
	parts := joined(stretches)
	if len(parts) == 1 && parts[0].row == 0 && parts[0].rows == parts[0].table.Rows {
		switch table = parts[0].table; {
		case table == r.collected:
			return r.arranged(table)
		case !r.tables[table]:
			return table // Nothing has changed.
		}
	}
	table = pages.NewTable(r.Set, r.look.found.rows)
	for _, s := range parts {
		table.Append(s.table.Between(s.row, s.row+s.rows), nil)
	}
	others := len(r.Set.Fields)
	table.Columns = append(table.Columns[:others], slices.DeleteFunc(table.Columns[others:], func(c *columns.Column) bool {
		return !slices.Contains(c.Valid, true) && !r.wasReceived(c.Name) // The rows that had it are gone.
	})...)
	return r.arranged(table)
}

// arranged arranges the other fields of a new table, so that their order does not depend on what was read when.
func (r *Reading) arranged(table *columns.Table) *columns.Table {
	others := table.Columns[len(r.Set.Fields):]
	slices.SortFunc(others, func(a, b *columns.Column) int { return cmp.Compare(a.Name, b.Name) })
	return table
}

func (r *Reading) wasReceived(field string) bool {
	for t := range r.tables {
		if t.Column(field) != nil {
			return true
		}
	}
	return false
}

func joined(stretches []stretch) (parts []stretch) {
	for _, s := range stretches {
		if last := len(parts) - 1; last >= 0 && parts[last].goesOn(s) {
			parts[last].rows += s.rows
			continue
		}
		parts = append(parts, s)
	}
	return parts
}
