package query

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/schema"
)

// Rows of more days answer a query that shows what was created since some time, unless something in it follows from the other
// rows of its own days. So do the first rows in the service's order, if a limit needs no others.
func TestWhatIsRead(t *testing.T) {
	const automations = `"queryType":"automations","days":7`
	byTasks := &schema.Sort{Field: "taskCount", Order: "desc"}
	for saved, want := range map[string]struct {
		first, moreDays bool
		sorted          *schema.Sort // of all rows
	}{
		`"columns":["id"]`: {moreDays: true},
		`"columns":["id"],"timeField":"dateStartRunning"`: {moreDays: true},
		``:                                    {}, // which fields its own rows have
		`"columns":["slowness"],"limit":5`:    {},
		`"columns":["id"],"days":7,"limit":5`: {first: true},
		`"columns":["zone"],"limit":5`:        {}, // whether there is such a field
		`"limit":5`:                           {first: true},
		`"limit":5,"search":"a"`:              {},
		`"columns":["id"],"filters":[{"key":"slowness","operator":">","value":"2"}],"limit":5`:      {},
		`"columns":["id"],"sort":"slowness,desc"`:                                                   {sorted: &schema.Sort{Field: "slowness", Order: "desc"}},
		`"format":"numeric","measure":"tasks","groupBy":["activityLabel"],"limit":5,"sort":"tasks"`: {moreDays: true, sorted: &schema.Sort{Field: "tasks", Order: "asc"}},
		`"format":"numeric","measure":"tasks","groupBy":["zone"]`:                                   {},
		`"format":"timeline"`:                                            {moreDays: true},
		`"format":"timeline","days":7`:                                   {}, // the first ones are those of the days
		`"format":"timeseries","measure":"tasks","days":7`:               {},
		`"format":"numeric","measure":"tasks","days":7,"compare":"week"`: {moreDays: true},
		`"format":"attention"`:                                           {},
		automations + `,"limit":5,"search":"a"`:                          {first: true},
		automations + `,"sort":"taskCount,desc"`:                         {sorted: byTasks},
		automations + `,"limit":5,"sort":"taskCount,desc"`:               {first: true, sorted: byTasks},
		automations + `,"sort":"label,desc"`:                             {sorted: &schema.Sort{Field: "label", Order: "desc"}},
		`"queryType":"runners","days":7,"sort":"tasks"`:                  {sorted: &schema.Sort{Field: "tasks", Order: "asc"}},
	} {
		q := parsed(t, `{`+saved+`}`, daysAgo(7), noon)
		assert.Equal(t, want.first, q.Read.First != nil, "first: %s", saved)
		assert.Equal(t, want.moreDays, q.Read.MoreDays, "more days: %s", saved)
		assert.Nil(t, q.Read.All.Sort, saved)
		assert.Equal(t, want.sorted, q.Sort, saved)
		if want.first && want.sorted != nil {
			assert.Equal(t, want.sorted, q.Read.First.Sort)
		}
	}
}

// Only the fields that a number follows from decide: those of the measure, filters, groups, time, search, and order with a limit.
func TestFieldsThatDecide(t *testing.T) {
	all := schema.Names(schema.All().Default().Fields)
	for saved, want := range map[string]string{
		`"format":"numeric","measure":"tasks","days":7`:                                                            "",
		`"format":"numeric","measure":"tasks"`:                                                                     "dateCreation",
		`"format":"numeric","measure":"tasks","timeField":"dateLastModified"`:                                      "dateCreation dateLastModified", // Tasks are cut to three days before, too.
		`"format":"numeric","measures":["failedTasks","totalItems"],"days":7,"groupBy":["machineId"]`:              "finishStatus machineId state totalItems",
		`"format":"numeric","measure":"tasks","days":7,"groupBy":["weekday","organizationLabel"],"columns":["id"]`: "dateCreation",
		`"format":"numeric","measure":"tasks","days":7,"filters":[{"key":"queueTime","operator":">","value":60}]`:  "dateCreation dateStartRunning finishStatus state",
		`"format":"numeric","measure":"concurrency"`:                                                               "dateCreation dateLastModified dateStartRunning finishStatus state",
		`"format":"timeseries","measure":"sinceLastTask","timeField":"dateStartRunning","days":7,"search":"a"`:     "activityLabel dateCreation dateStartRunning",
		`"format":"timeline","days":7`:                                                                             "activityLabel dateCreation dateLastModified dateStartRunning finishStatus machineId state",
		`"format":"attention","groupBy":["machineId"]`:                                                             "dateCreation dateLastModified dateStartRunning failedItems finishStatus machineId state totalItems",
		`"columns":["id","slowness"],"days":7,"limit":3,"sort":"repositoryLabel"`:                                  "activityLabel dateCreation dateLastModified dateStartRunning failedItems finishStatus id repositoryLabel state totalItems",
		`"columns":["id","zone"],"days":7,"sort":"repositoryLabel"`:                                                "id zone",
		`"queryType":"automations","days":7,"format":"numeric","measure":"successRate","search":"a"`:               "successRate taskCount",
		`"queryType":"automations","days":7,"format":"numeric","measure":"savings","compare":"week"`:               "label savings",
		`"queryType":"automations","days":7,"format":"numeric","measure":"p95","groupBy":["label"]`:                "label p95",
	} {
		assert.Equal(t, want, strings.Join(parsed(t, `{`+saved+`}`, daysAgo(7), noon).Read.Deciding, " "), saved)
	}
	assert.ElementsMatch(t, all, parsed(t, `{"days":7}`, daysAgo(7), noon).Read.Deciding, "all that is shown")
}

// Only what is null instead of 0 before it depends on since when the service has data.
func TestWhatDependsOnWhatIsKnown(t *testing.T) {
	for saved, want := range map[string]bool{
		`"format":"numeric","measure":"tasks"`:                         true,
		`"format":"timeseries","measures":["tasks","oldestQueued"]`:    true,
		`"format":"timeline"`:                                          true,
		`"format":"numeric","measure":"oldestQueued"`:                  false,
		`"format":"attention"`:                                         false,
		`"days":30`:                                                    false,
		`"queryType":"automations"`:                                    false,
		`"queryType":"automations","format":"numeric","measure":"roi"`: true,
	} {
		assert.Equal(t, want, parsed(t, `{`+saved+`}`, daysAgo(7), noon).Read.KnownSince, saved)
	}
	ended, err := parse(`{"queryType":"automations"}`, daysAgo(7), daysAgo(3), time.Hour)
	assert.NoError(t, err)
	assert.True(t, ended.Read.KnownSince, "differences")
}
