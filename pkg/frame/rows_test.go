package frame_test

import (
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// task is a plain row: the reference reads it directly, the code under test reads the columns built from it. A nil
// pointer is null.
type task struct {
	id                                        *int64
	state, finishStatus                       *string
	activityLabel, repositoryLabel, machineID *string
	dateLastModified, dateCreation, dateStart *time.Time
	processedItems, failedItems, totalItems   *float64
	region                                    *string // a field that is not in the description
}

var taskCells = map[string]func(task) any{
	"id":               func(r task) any { return orNull(r.id) },
	"state":            func(r task) any { return orNull(r.state) },
	"finishStatus":     func(r task) any { return orNull(r.finishStatus) },
	"activityLabel":    func(r task) any { return orNull(r.activityLabel) },
	"repositoryLabel":  func(r task) any { return orNull(r.repositoryLabel) },
	"machineId":        func(r task) any { return orNull(r.machineID) },
	"dateLastModified": func(r task) any { return orNull(r.dateLastModified) },
	"dateCreation":     func(r task) any { return orNull(r.dateCreation) },
	"dateStartRunning": func(r task) any { return orNull(r.dateStart) },
	"processedItems":   func(r task) any { return orNull(r.processedItems) },
	"failedItems":      func(r task) any { return orNull(r.failedItems) },
	"totalItems":       func(r task) any { return orNull(r.totalItems) },
	"region":           func(r task) any { return orNull(r.region) },
}

func (r task) cell(field string) any {
	if cell := taskCells[field]; cell != nil {
		return cell(r)
	}
	return nil // a field that no test uses
}

// record is a row of automations or runners, whose numbers are all float64.
type record map[string]any

func (r record) cell(field string) any { return r[field] }

func orNull[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

func ptr[T any](v T) *T { return &v }

// tableOf builds the table of a read of the rows: the fields of the data set, then unknown ones.
func tableOf[R interface{ cell(string) any }](set string, rows []R, unknown ...string) *columns.Table {
	table := &columns.Table{Rows: len(rows)}
	cells := func(field string) []any {
		out := make([]any, len(rows))
		for i, r := range rows {
			out[i] = r.cell(field)
		}
		return out
	}
	for _, f := range schema.All().Get(set).Fields {
		table.Columns = append(table.Columns, column(f.Name, f.Type, cells(f.Name)...))
	}
	for _, name := range unknown {
		table.Columns = append(table.Columns, column(name, schema.String, cells(name)...))
	}
	return table
}

func tasksTable(rows []task) *columns.Table { return tableOf("tasks", rows, "region") }

var column = columnstest.New

// queued is a task in the queue since some seconds.
func queued(automation string, seconds int) task {
	return task{state: ptr("START"), activityLabel: &automation, dateCreation: ptr(now.Add(-time.Duration(seconds) * time.Second))}
}

// takenOf is a task that a runner took some minutes ago, and ended after one.
func takenOf(automation, runner string, minutes int) task {
	at := now.Add(-time.Duration(minutes) * time.Minute)
	return task{state: ptr("CANCELED"), activityLabel: &automation, machineID: &runner, dateCreation: &at, dateStart: &at, dateLastModified: ptr(at.Add(time.Minute))}
}

func taken(runner string, minutes int) task { return takenOf("a", runner, minutes) }

// finishedIn returns tasks of an automation that took the given seconds each.
func finishedIn(automation string, seconds ...int) (rows []task) {
	for _, s := range seconds {
		started := now.Add(-day)
		rows = append(rows, task{state: ptr("FINISHED"), finishStatus: ptr("SUCCESS"), activityLabel: &automation, dateCreation: &started, dateStart: &started, dateLastModified: ptr(started.Add(time.Duration(s) * time.Second))})
	}
	return rows
}
