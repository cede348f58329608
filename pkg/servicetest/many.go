package servicetest

import (
	"bytes"
	"fmt"
)

// TaskPages returns pages of many tasks in the service's format, with repeating labels and different times.
func TaskPages(pages, size int) [][]byte {
	bodies := make([][]byte, pages)
	for p := range bodies {
		var b bytes.Buffer
		b.WriteString(`{"content":[`)
		for i := range size {
			if i > 0 {
				b.WriteByte(',')
			}
			n := p*size + i
			fmt.Fprintf(&b, `{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":"invoice-intake-%d","repositoryLabel":"finance",`+
				`"machineId":"runner-%02d","dateLastModified":"2026-11-20T10:%02d:%02d.123+00:00","dateCreation":"2026-11-20T09:%02d:%02d.456+00:00",`+
				`"dateStartRunning":"2026-11-20T10:00:%02d.789+00:00","processedItems":%d,"failedItems":%d,"totalItems":%d}`,
				100_000+n, n%12, n%6, n%60, n%59, n%60, n%59, n%59, n%90, n%7, n%90+n%7)
		}
		fmt.Fprintf(&b, `],"number":%d,"size":%d,"totalElements":%d,"totalPages":%d,"numberOfElements":%d,"first":%t,"last":%t,"empty":false,`+
			`"sort":{"sorted":false,"empty":true,"unsorted":true},"pageable":{"pageNumber":%d,"pageSize":%d,"offset":%d,"paged":true,"unpaged":false}}`,
			p, size, pages*size, pages, size, p == 0, p == pages-1, p, size, p*size)
		bodies[p] = b.Bytes()
	}
	return bodies
}

// PlainTask is the simplest struct for a task, with dates as text: the baseline of benchmarks.
type PlainTask struct {
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

// PlainPage is a page of PlainTask.
type PlainPage struct {
	Content       []PlainTask `json:"content"`
	TotalElements int         `json:"totalElements"`
	TotalPages    int         `json:"totalPages"`
	Size          int         `json:"size"`
}
