package reads

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
)

// benchPages is enough for the cost of a page to outweigh that of a read.
const (
	benchPages    = 500
	benchPageSize = 20
)

// plainTask is what one would write without this plugin: a struct, dates as text.
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

type plainPage struct {
	Content       []plainTask `json:"content"`
	TotalElements int         `json:"totalElements"`
	TotalPages    int         `json:"totalPages"`
	Size          int         `json:"size"`
}

func benchBodies() [][]byte {
	bodies := make([][]byte, benchPages)
	for p := range bodies {
		var b bytes.Buffer
		b.WriteString(`{"content":[`)
		for i := range benchPageSize {
			if i > 0 {
				b.WriteByte(',')
			}
			n := p*benchPageSize + i
			fmt.Fprintf(&b, `{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":"invoice-intake-%d","repositoryLabel":"finance",`+
				`"machineId":"runner-%02d","dateLastModified":"2026-11-20T10:%02d:%02d.123+00:00","dateCreation":"2026-11-20T09:%02d:%02d.456+00:00",`+
				`"dateStartRunning":"2026-11-20T10:00:%02d.789+00:00","processedItems":%d,"failedItems":%d,"totalItems":%d}`,
				100_000+n, n%12, n%6, n%60, n%59, n%60, n%59, n%59, n%90, n%7, n%90+n%7)
		}
		fmt.Fprintf(&b, `],"number":%d,"size":%d,"totalElements":%d,"totalPages":%d,"numberOfElements":%d,"first":%t,"last":%t,"empty":false,`+
			`"sort":{"sorted":false,"empty":true,"unsorted":true},"pageable":{"pageNumber":%d,"pageSize":%d,"offset":%d,"paged":true,"unpaged":false}}`,
			p, benchPageSize, benchPages*benchPageSize, benchPages, benchPageSize, p == 0, p == benchPages-1, p, benchPageSize, p*benchPageSize)
		bodies[p] = b.Bytes()
	}
	return bodies
}

// BenchmarkDecodeAndFrame is the plugin's whole way from the bytes of the pages to a table frame.
func BenchmarkDecodeAndFrame(b *testing.B) {
	bodies := benchBodies()
	set := datasets.Get("tasks")
	b.ReportAllocs()
	for b.Loop() {
		texts := pages.NewTexts()
		rows := newAssembly(set)
		for _, body := range bodies {
			p, err := pages.Decode(bytes.NewReader(body), set, texts, benchPageSize)
			if err != nil {
				b.Fatal(err)
			}
			rows.add(p)
		}
		table := rows.finish(nil, benchPages*benchPageSize)
		if _, err := frame.Table(b.Context(), &frame.Request{DataSet: set, Rows: table}); err != nil {
			b.Fatal(err)
		}
	}
	reportRecord(b)
}

// BenchmarkEncodingJSON is the yardstick: encoding/json into plain structs, and no frame.
func BenchmarkEncodingJSON(b *testing.B) {
	bodies := benchBodies()
	b.ReportAllocs()
	rows := make([]plainTask, 0, benchPages*benchPageSize)
	for b.Loop() {
		rows = make([]plainTask, 0, benchPages*benchPageSize)
		for _, body := range bodies {
			var p plainPage
			if err := json.NewDecoder(bytes.NewReader(body)).Decode(&p); err != nil {
				b.Fatal(err)
			}
			rows = append(rows, p.Content...)
		}
	}
	if len(rows) != benchPages*benchPageSize {
		b.Fatalf("read %d rows", len(rows))
	}
	reportRecord(b)
}

func reportRecord(b *testing.B) {
	records := float64(benchPages * benchPageSize)
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/records, "ns/record")
}
