package pages

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/service"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	tasksPath       = servicetest.TasksPath
	automationsPath = servicetest.AutomationsPath
	runnersPath     = servicetest.RunnersPath
)

var (
	tasks       = schema.All().Get("tasks")
	automations = schema.All().Get("automations")
	runners     = schema.All().Get("runners")
)

// lastDay requests the tasks of one day.
var lastDay = Question{DataSet: tasks, Days: 1}

func newSource(t *testing.T, address string, httpClient *http.Client) Source {
	t.Helper()
	client := service.New(service.Config{
		BaseURL: address, Login: servicetest.Login, Key: servicetest.Key, Timeout: time.Minute, MaxConcurrent: 8,
	}, httpClient)
	t.Cleanup(httpClient.CloseIdleConnections)
	return Source{Client: client, Paths: map[string]string{"runners": runnersPath}}
}

// start serves on the loopback interface and returns a source for it.
func start(t *testing.T, f *servicetest.Fake) Source {
	t.Helper()
	server := f.Start(t)
	return newSource(t, server.URL, server.Client())
}

// startInBubble serves in memory; to be used inside synctest.Test.
func startInBubble(t *testing.T, f *servicetest.Fake) Source {
	t.Helper()
	address, httpClient := f.StartInBubble(t)
	return newSource(t, address, httpClient)
}

// readPage reads a data set with a single page of this content.
func readPage(t *testing.T, set *schema.DataSet, content string) *Page {
	t.Helper()
	source := start(t, servicetest.New().Data(set.Path, servicetest.OK(fmt.Sprintf(`{"content":%s,"number":0,"size":20,"totalElements":1,"totalPages":1}`, content))))
	p, err := source.Page(t.Context(), Question{DataSet: set, Days: 1}, 0, 1000, NewInterner(), nil)
	require.NoError(t, err)
	return p
}

func TestParametersOfRoutes(t *testing.T) {
	byCount := &schema.Sort{Field: "taskCount", Order: "desc"}
	byTasks := &schema.Sort{Field: "tasks", Order: "asc"}
	for _, test := range []struct {
		name     string
		question Question
		path     string
		want     url.Values
	}{
		{"tasks know no search and no sort", Question{DataSet: tasks, Days: 3, Search: "x", Sort: byCount}, tasksPath, url.Values{"page": {"0"}, "days": {"3"}}},
		{"automations, searched and sorted", Question{DataSet: automations, Days: 1, Search: "a & b=c", Sort: byCount}, automationsPath,
			url.Values{"page": {"0"}, "filterBy": {"1"}, "automation": {"a & b=c"}, "sort": {"taskCount,desc"}}},
		{"runners have no page", Question{DataSet: runners, Days: 30, Search: "m-1", Sort: byTasks}, runnersPath,
			url.Values{"filterBy": {"30"}, "runner": {"m-1"}, "sort": {"tasks,asc"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().Data(test.path, servicetest.OK(servicetest.Envelope(nil, 0, 20)))
			source := start(t, f)
			_, err := source.Page(t.Context(), test.question, 0, 1000, NewInterner(), nil)
			require.NoError(t, err)
			sent := f.Requests(test.path)
			require.Len(t, sent, 1)
			assert.Equal(t, http.MethodGet, sent[0].Method)
			assert.Equal(t, test.want, sent[0].URL.Query())
			assert.Regexp(t, `^GET http://127\.0\.0\.1:\d+`+regexp.QuoteMeta(test.path+"?"+test.want.Encode())+"$", source.Describe(test.question))
		})
	}
}

// The default path of the runners route is a guess, so a 404 names the setting.
func TestRunnersRouteNotFound(t *testing.T) {
	_, err := start(t, servicetest.New()).Page(t.Context(), Question{DataSet: runners, Days: 1}, 0, 1000, NewInterner(), nil)
	require.ErrorIs(t, err, service.ErrNotFound)
	assert.ErrorContains(t, err, "runnersPath")
	assert.ErrorContains(t, err, runnersPath)
}

// A response that ends early leaves nothing behind.
func TestTruncatedResponseIsRetried(t *testing.T) {
	body := servicetest.Envelope(servicetest.TaskRange(1, 3), 0, 20)
	synctest.Test(t, func(t *testing.T) {
		f := servicetest.New().Data(tasksPath, servicetest.InTurn(servicetest.OK(body[:len(body)/2]), servicetest.OK(body)))
		p, err := startInBubble(t, f).Page(t.Context(), lastDay, 0, 1000, NewInterner(), nil)
		require.NoError(t, err)
		assert.Equal(t, []int64{1, 2, 3}, p.Table.Column("id").Integers)
		assert.Empty(t, p.Problems)
		assert.Equal(t, 2, f.Count(tasksPath))
	})
}

// A size that the service refuses is left out; any other error is returned, and nothing is requested twice.
func TestSized(t *testing.T) {
	for _, test := range []struct {
		size, status int
		asked        []int
		fails        bool
	}{
		{500, 0, []int{500}, false}, {500, 400, []int{500, 0}, false}, {500, 422, []int{500, 0}, false},
		{500, 500, []int{500}, true}, {500, 401, []int{500}, true}, {0, 400, []int{0}, true},
	} {
		var asked []int
		_, used, err := Sized(test.size, func(size int) (int, error) {
			asked = append(asked, size)
			if test.status > 0 && size == test.size {
				return 0, &service.Error{Kind: service.ErrRejected, Status: test.status}
			}
			return 1, nil
		})
		assert.Equal(t, test.asked, asked, test)
		assert.Equal(t, test.fails, err != nil, test)
		assert.Equal(t, asked[len(asked)-1], used, test)
	}
}
