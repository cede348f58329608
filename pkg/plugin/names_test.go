package plugin

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

const (
	tasksByAutomation = `{"days":1,"format":"numeric","measure":"tasks","groupBy":["activityLabel"]}`
	called            = `{"label":"refunds","name":"Customer refunds"}`
)

func refunds() *servicetest.Fake {
	return newService().
		Data(tasksPath, servicetest.OK(page(`{"id":1,"activityLabel":"refunds"}`))).
		Data(automationsPath, servicetest.OK(page(called)))
}

func nameOf(t *testing.T, i *Instance, query string) string {
	t.Helper()
	return askFrame(t, i, query).Fields[0].Config.DisplayNameFromDS
}

// Tasks know only labels: the names are read once, beside the tasks, for panels and rules alike.
func TestTasksShowNamesOfAutomations(t *testing.T) {
	s := refunds()
	i := start(t, s)
	for range 3 {
		assert.Equal(t, "Customer refunds", nameOf(t, i, tasksByAutomation))
	}
	assert.Equal(t, 1, s.Count(automationsPath))
	assert.Equal(t, "Customer refunds", nameOf(t, i, `{"queryType":"automations","days":7,"format":"numeric","measure":"taskCount","groupBy":["label"],"search":"ref"}`))

	s = refunds()
	assert.Equal(t, "refunds", nameOf(t, start(t, s, "names", "api"), tasksByAutomation))
	i = start(t, s)
	for _, query := range []string{`{"days":1}`, `{"days":1,"format":"numeric","measure":"tasks"}`, with(tasksByAutomation, `"shape":"long"`)} {
		askFrame(t, i, query)
	}
	assert.Zero(t, s.Count(automationsPath), "no name is shown")
}

// Names never fail a query: it shows labels, and does not ask again at once.
func TestTasksWithoutNamesOfAutomations(t *testing.T) {
	s := refunds().On(automationsPath, servicetest.Status(403, `{"message":"not for you"}`))
	i := start(t, s)
	askFrame(t, i, `{"days":2}`) // A token that tasks have accepted is not replaced because of a 403.
	for range 3 {
		f := askFrame(t, i, tasksByAutomation)
		assert.Equal(t, "refunds", f.Fields[0].Config.DisplayNameFromDS)
		assert.NotContains(t, notices(f), "utomation")
	}
	assert.Equal(t, 1, s.Count(automationsPath))
	earlier := map[string]string{"refunds": "Customer refunds"}
	names, _ := i.readNames(t.Context(), earlier)
	assert.Equal(t, earlier, names)
}

// A search does not show that an automation that it doesn't find has the same name.
func TestNamesAfterASearch(t *testing.T) {
	i := start(t, newService().Data(automationsPath, func(w http.ResponseWriter, r *http.Request) {
		rows := []string{called}
		if r.URL.Query().Get("automation") == "" {
			rows = append(rows, `{"label":"other","name":"Customer refunds"}`)
		}
		servicetest.OK(page(rows...))(w, r)
	}))
	assert.Equal(t, "refunds", nameOf(t, i, `{"queryType":"automations","days":7,"format":"numeric","measure":"taskCount","groupBy":["label"],"search":"ref"}`))
}
