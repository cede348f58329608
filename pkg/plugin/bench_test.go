package plugin

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// benchPages is large enough for the cost of pages to exceed that of a query.
const benchPages = 500

// benchService serves tasks with minimal effort, because it runs in the same process.
func benchService(b *testing.B) string {
	b.Helper()
	bodies := servicetest.TaskPages(benchPages, 20)
	mux := http.NewServeMux()
	mux.HandleFunc(loginPath, servicetest.OK(`{"accessToken":"t","organizationLabel":"o"}`))
	mux.HandleFunc(tasksPath, func(w http.ResponseWriter, r *http.Request) {
		number, _ := strconv.Atoi(r.FormValue("page"))
		_, _ = w.Write(bodies[number])
	})
	server := httptest.NewServer(mux)
	b.Cleanup(server.Close)
	return server.URL
}

// BenchmarkRequests runs a query of 500 pages, one after the other, from the settings to the frame.
func BenchmarkRequests(b *testing.B) {
	address := benchService(b)
	made, err := NewInstance(b.Context(), source(address, "cacheTTL", 0, "maxConcurrentRequests", 1, "pageSize", 0, "incrementalQuerying", false))
	if err != nil {
		b.Fatal(err)
	}
	i := made.(*Instance)
	b.Cleanup(i.Dispose)
	perRequest(b, func() {
		response, err := i.QueryData(b.Context(), &backend.QueryDataRequest{Queries: []backend.DataQuery{dataQuery("A", `{"queryType":"tasks","days":30}`)}})
		if err != nil || response.Responses["A"].Error != nil {
			b.Fatal(err, response.Responses["A"].Error)
		}
	})
}

// BenchmarkSDKRequests reads the same pages with only the SDK's client.
func BenchmarkSDKRequests(b *testing.B) {
	client, err := newHTTPClient(b.Context(), source(""), 0)
	if err != nil {
		b.Fatal(err)
	}
	readPlainly(b, client)
}

// BenchmarkPlainRequests reads the same pages with only Go's client.
func BenchmarkPlainRequests(b *testing.B) { readPlainly(b, new(http.Client)) }

// readPlainly reads pages and discards them.
func readPlainly(b *testing.B, client *http.Client) {
	b.Helper()
	address := benchService(b)
	perRequest(b, func() {
		for number := range benchPages {
			response, err := client.Get(address + tasksPath + "?page=" + strconv.Itoa(number))
			if err != nil {
				b.Fatal(err)
			}
			_, err = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}

func perRequest(b *testing.B, read func()) {
	b.Helper()
	b.ReportAllocs()
	for b.Loop() {
		read()
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/benchPages, "µs/request")
}
