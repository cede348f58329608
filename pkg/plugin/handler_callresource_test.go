package plugin

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// options returns the suggestions of a resource, as value and text.
func options(t *testing.T, i *Instance, address string) [][2]string {
	t.Helper()
	got := get(t, i, address)
	require.Equal(t, 200, got.Status, "%s", got.Body)
	assert.Equal(t, []string{"application/json"}, got.Headers["Content-Type"])
	var all []struct{ Value, Text string }
	require.NoError(t, json.Unmarshal(got.Body, &all), "%s", got.Body)
	out := [][2]string{}
	for _, o := range all {
		out = append(out, [2]string{o.Value, o.Text})
	}
	return out
}

func TestSuggestions(t *testing.T) {
	s := newService().Data(tasksPath, servicetest.OK(page(
		`{"id":10,"state":"START","machineId":17,"totalItems":5,"extra":true}`,
		`{"id":9,"state":"FINISHED","machineId":null,"totalItems":null}`,
		`{"id":8,"state":"START","machineId":"m-1","totalItems":12}`,
	)))
	i := start(t, s)
	for address, want := range map[string][][2]string{
		"automations":             {{"c-nameless", "c-nameless"}, {"a-invoices", "Invoices"}, {"b-intake", "Zeta intake"}},
		"automations?search=IN":   {{"a-invoices", "Invoices"}, {"b-intake", "Zeta intake"}},
		"automations?search=zeta": {{"b-intake", "Zeta intake"}},
		"runners":                 {{"m-1", "m-1"}, {"m-2", "m-2"}},
		"values?field=state":      {{"FINISHED", "FINISHED"}, {"START", "START"}},
		"values?field=machineId":  {{"17", "17"}, {"m-1", "m-1"}},
		"values?field=extra":      {{"true", "true"}},
		"values?queryType=automations&field=repositoryLabel": {{"finance", "finance"}},
		"values?field=organizationLabel":                     {{"acme", "acme"}},
		"values?queryType=automations&field=dataSource":      {{"Test", "Test"}},
		"values?field=dataSource&search=elsewhere":           {},
		"values?queryType=automations&field=name&search=zet": {{"Zeta intake", "Zeta intake"}},
	} {
		assert.Equal(t, want, options(t, i, address), address)
	}
}

// Suggestions look back as far as the service's default, or as requested.
func TestDaysOfSuggestions(t *testing.T) {
	s := newService()
	i := start(t, s)
	options(t, i, "automations")
	options(t, i, "automations?days=3")
	options(t, i, "values?field=state&days=90")
	sent := s.Requests(automationsPath)
	require.Len(t, sent, 2)
	assert.Equal(t, "30", sent[0].URL.Query().Get("filterBy"))
	assert.Equal(t, "3", sent[1].URL.Query().Get("filterBy"))
	assert.Equal(t, "90", s.Requests(tasksPath)[0].URL.Query().Get("days"))
}

func TestBadResourceRequests(t *testing.T) {
	for address, says := range map[string][]string{
		"values?queryType=robots&field=state":          {"robots", "tasks, automations, runners"},
		"values?field=colour":                          {"colour", "activityLabel"},
		"automations?days=0":                           {"days", "0", "from 1 to 100000"},
		"values?field=state&days=soon":                 {"days", "soon"},
		"values?field=state&days=99999999999999999999": {"days", "99999999999999999999"},
	} {
		got := get(t, start(t, newService()), address)
		assert.Equal(t, 400, got.Status, address)
		for _, word := range says {
			assert.Contains(t, sentence(t, got.Body), word, address)
		}
	}
}

// sentence returns the message of a failed resource request, as in Grafana's front end.
func sentence(t *testing.T, body []byte) string {
	t.Helper()
	var answer struct{ Message string }
	require.NoError(t, json.Unmarshal(body, &answer), "%s", body)
	return answer.Message
}
