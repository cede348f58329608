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

func (r task) cell(field string) any {
	switch field {
	case "id":
		return orNull(r.id)
	case "state":
		return orNull(r.state)
	case "finishStatus":
		return orNull(r.finishStatus)
	case "activityLabel":
		return orNull(r.activityLabel)
	case "repositoryLabel":
		return orNull(r.repositoryLabel)
	case "machineId":
		return orNull(r.machineID)
	case "dateLastModified":
		return orNull(r.dateLastModified)
	case "dateCreation":
		return orNull(r.dateCreation)
	case "dateStartRunning":
		return orNull(r.dateStart)
	case "processedItems":
		return orNull(r.processedItems)
	case "failedItems":
		return orNull(r.failedItems)
	case "totalItems":
		return orNull(r.totalItems)
	case "region":
		return orNull(r.region)
	}
	return nil // a field that no test uses
}

// record is a row of automations or runners.
type record struct {
	texts   map[string]string
	numbers map[string]float64
	date    *time.Time
}

func (r record) cell(field string) any {
	if text, ok := r.texts[field]; ok {
		return text
	}
	if number, ok := r.numbers[field]; ok {
		return number
	}
	if field == "date" {
		return orNull(r.date)
	}
	return nil
}

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
