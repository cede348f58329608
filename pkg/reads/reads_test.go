package reads

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

const (
	tasksPath       = servicetest.TasksPath
	automationsPath = servicetest.AutomationsPath
	runnersPath     = servicetest.RunnersPath
)

var (
	tasks       = datasets.Get("tasks")
	automations = datasets.Get("automations")
	runners     = datasets.Get("runners")

	threeTasks = servicetest.Envelope(servicetest.TaskRange(1, 3), 0, 20)
)

// settings are the settings that tests change.
type settings struct {
	Config
	RunnersPath string
}

// newReads returns Reads with a client of the service, without a cache, so that every read of a test reaches the
// service.
func newReads(t *testing.T, address string, httpClient *http.Client, change ...func(*settings)) *Reads {
	t.Helper()
	s := settings{Config: Config{MaxConcurrent: 8, MaxRows: 100_000}, RunnersPath: runnersPath}
	for _, change := range change {
		change(&s)
	}
	client := service.New(service.Config{
		BaseURL: address, Login: servicetest.Login, Key: servicetest.Key, Timeout: time.Minute,
		MaxConcurrent: s.MaxConcurrent,
	}, httpClient)
	t.Cleanup(client.Close)
	return New(s.Config, pages.Source{Client: client, Paths: map[string]string{"runners": s.RunnersPath}})
}

// start serves on the loopback interface and returns Reads for it.
func start(t *testing.T, f *servicetest.Fake, change ...func(*settings)) *Reads {
	t.Helper()
	server := f.Start(t)
	httpClient := server.Client()
	httpClient.Timeout = time.Minute
	return inHaste(newReads(t, server.URL, httpClient, change...))
}

// inHaste spares tests that read one question after the other the wait for more of them.
func inHaste(c *Reads) *Reads {
	c.gather = 0
	return c
}

// startInBubble serves in memory; to be used inside synctest.Test.
func startInBubble(t *testing.T, f *servicetest.Fake, change ...func(*settings)) *Reads {
	t.Helper()
	address, httpClient := f.StartInBubble(t)
	return newReads(t, address, httpClient, change...)
}

// lastDays reads the tasks of so many days.
func lastDays(days int) Read { return Read{Question: pages.Question{DataSet: tasks, Days: days}} }

// readPages reads a data set whose pages have these contents.
func readPages(t *testing.T, set *datasets.DataSet, contents ...string) *Result {
	t.Helper()
	f := servicetest.New().Data(set.Path, func(w http.ResponseWriter, r *http.Request) {
		number := 0
		_, _ = fmt.Sscan(r.URL.Query().Get("page"), &number)
		content := "[]"
		if number < len(contents) {
			content = contents[number]
		}
		servicetest.OK(fmt.Sprintf(`{"content":%s,"number":%d,"size":20,"totalElements":1,"totalPages":%d}`, content, number, len(contents)))(w, r)
	})
	result, err := start(t, f).Read(t.Context(), Read{Question: pages.Question{DataSet: set, Days: 1}})
	require.NoError(t, err)
	return result
}

// requireWhole checks the invariants of every table.
func requireWhole(t *testing.T, table *columns.Table) {
	t.Helper()
	for _, c := range table.Columns {
		columnstest.RequireWhole(t, table.Rows, c)
	}
}
