package list

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// benchPages is large enough for the cost of pages to exceed that of a read.
const benchPages, benchPageSize = 500, 20

// bodies is a service whose pages are in memory.
type bodies [][]byte

func (b bodies) Page(_ context.Context, r PageRequest) (*pages.Page, error) {
	if r.Number == len(b) { // As the last page is full, the one behind it is requested, too.
		return pages.Empty(tasks), nil
	}
	return pages.Decode(bytes.NewReader(b[r.Number]), tasks, r.Texts, benchPageSize)
}

// BenchmarkDecodeAndFrame measures the plugin from the bytes of the pages to a table frame.
func BenchmarkDecodeAndFrame(b *testing.B) {
	perRecord(b, func(responses [][]byte) {
		l := New(Config{Page: bodies(responses).Page, DataSet: tasks, Concurrent: 1, MaxRows: 100_000, Predicts: true})
		r, err := l.Read(b.Context(), time.Now(), nil)
		if err != nil || r.Lack != paging.Complete || r.Table.Rows != benchPages*benchPageSize {
			b.Fatal(err, r.Lack, r.Table.Rows)
		}
		table := frame.Table{Selection: frame.Selection{DataSet: tasks, Rows: r.Table}}
		if _, err := table.Frame(b.Context()); err != nil {
			b.Fatal(err)
		}
	})
}

// plainTask is the simplest struct for a task, with dates as text: the baseline of benchmarks.
type plainTask struct {
	ID               int64   `json:"id"`
	State            string  `json:"state"`
	FinishStatus     *string `json:"finishStatus"`
	ActivityLabel    string  `json:"activityLabel"`
	RepositoryLabel  string  `json:"repositoryLabel"`
	MachineID        *string `json:"machineId"`
	DateLastModified *string `json:"dateLastModified"`
	DateCreation     string  `json:"dateCreation"`
	DateStartRunning *string `json:"dateStartRunning"`
	ProcessedItems   *int    `json:"processedItems"`
	FailedItems      *int    `json:"failedItems"`
	TotalItems       *int    `json:"totalItems"`
}

// BenchmarkEncodingJSON is the baseline: encoding/json into plain structs, without a frame.
func BenchmarkEncodingJSON(b *testing.B) {
	perRecord(b, func(bodies [][]byte) {
		var rows []plainTask
		for _, body := range bodies {
			var p struct{ Content []plainTask }
			if err := json.NewDecoder(bytes.NewReader(body)).Decode(&p); err != nil {
				b.Fatal(err)
			}
			rows = append(rows, p.Content...)
		}
		if len(rows) != benchPages*benchPageSize {
			b.Fatalf("read %d rows", len(rows))
		}
	})
}

// perRecord measures work that reads all pages.
func perRecord(b *testing.B, work func(bodies [][]byte)) {
	b.Helper()
	bodies := servicetest.TaskPages(benchPages, benchPageSize)
	b.ReportAllocs()
	for b.Loop() {
		work(bodies)
	}
	records := float64(benchPages * benchPageSize)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
}
