package servicetest

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// OK responds with 200 and a JSON body.
func OK(body string) http.HandlerFunc { return Status(http.StatusOK, body) }

// Status responds with a JSON body; header alternates names and values.
func Status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// InTurn uses the next response for each request; the last one repeats.
func InTurn(answers ...http.HandlerFunc) http.HandlerFunc {
	var n atomic.Int64
	return func(w http.ResponseWriter, r *http.Request) {
		answers[min(int(n.Add(1)), len(answers))-1](w, r)
	}
}

// Drop closes the connection without a response.
func Drop(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }

// CutLength announces a length and closes the connection after half of it.
func CutLength(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = io.WriteString(w, body[:len(body)/2])
	}
}

// CutChunks sends half a body in chunks and closes the connection without the last chunk.
func CutChunks(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, body[:len(body)/2])
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}
}

// Task returns a task record of the specification.
func Task(id int) string {
	return fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":"intake","repositoryLabel":"finance",`+
		`"machineId":"m-%d","dateLastModified":"2026-11-20T10:05:00.000+00:00","dateCreation":%q,`+
		`"dateStartRunning":"2026-11-20T10:00:00.000+00:00","processedItems":%d,"failedItems":0,"totalItems":%d}`,
		id, id%3, created(id), id, id)
}

// created returns when a task was created: higher numbers are older, so that a range of them is newest first.
func created(id int) string {
	newest := time.Date(2026, time.November, 20, 9, 0, 0, 0, time.UTC)
	return newest.Add(-time.Duration(id) * time.Minute).Format("2006-01-02T15:04:05.000-07:00")
}

// TaskRange returns the tasks from first to last.
func TaskRange(first, last int) []string {
	var rows []string
	for id := first; id <= last; id++ {
		rows = append(rows, Task(id))
	}
	return rows
}

// Envelope returns one page of rows, as in the specification.
func Envelope(rows []string, number, size int) string {
	pages := (len(rows) + size - 1) / size
	from := min(number*size, len(rows))
	content := rows[from:min(from+size, len(rows))]
	sort := `{"sorted":false,"empty":true,"unsorted":true}`
	return fmt.Sprintf(`{"content":[%s],"number":%d,"size":%d,"totalElements":%d,"totalPages":%d,"numberOfElements":%d,"first":%t,"last":%t,"empty":%t,`+
		`"sort":%s,"pageable":{"pageNumber":%d,"pageSize":%d,"sort":%s,"offset":%d,"paged":true,"unpaged":false}}`,
		strings.Join(content, ","), number, size, len(rows), pages, len(content), number == 0, number >= pages-1, len(content) == 0,
		sort, number, size, sort, number*size)
}

// Paged serves rows in pages; rows is called for each request, so that they can change in between.
func Paged(size int, rows func() []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		number, _ := strconv.Atoi(r.URL.Query().Get("page"))
		OK(Envelope(rows(), number, size))(w, r)
	}
}

// Still returns rows that do not change.
func Still(rows []string) func() []string { return func() []string { return rows } }

// TaskPages returns pages of many tasks in the service's format, with repeating labels and different times.
func TaskPages(pages, size int) [][]byte {
	rows := make([]string, pages*size)
	for n := range rows {
		rows[n] = fmt.Sprintf(`{"id":%d,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":"invoice-intake-%d","repositoryLabel":"finance",`+
			`"machineId":"runner-%02d","dateLastModified":"2026-11-20T10:%02d:%02d.123+00:00","dateCreation":"2026-11-20T09:%02d:%02d.456+00:00",`+
			`"dateStartRunning":"2026-11-20T10:00:%02d.789+00:00","processedItems":%d,"failedItems":%d,"totalItems":%d}`,
			100_000+n, n%12, n%6, n%60, n%59, n%60, n%59, n%59, n%90, n%7, n%90+n%7)
	}
	bodies := make([][]byte, pages)
	for number := range bodies {
		bodies[number] = []byte(Envelope(rows, number, size))
	}
	return bodies
}

// RequireSays checks that a text, such as an error, contains some words.
func RequireSays(t testing.TB, text string, words []string, about ...any) {
	t.Helper()
	for _, word := range words {
		require.Contains(t, text, word, about...)
	}
}
