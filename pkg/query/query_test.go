package query

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

// What a person, a provisioning file, Grafana, or a variable writes in another way means the same, for panels and rules alike.
func TestOneReadingOfASavedQuery(t *testing.T) {
	const number = `"format":"numeric","measure":"tasks"`
	for saved, same := range map[string]string{
		`"refId":"A","datasource":{"type":"x","uid":"y"},"hide":false,"intervalMs":1000,"key":"Q-1","having":[7]`:                               ``,
		`"queryType":null,"days":null,"search":null,"sort":null,"filters":null,"columns":null,"limit":null,"attention":null,"untilNow":null`:    ``,
		`"queryType":"","days":" ","search":"","sort":{"field":"","order":"asc"},"filters":[],"format":"","columns":[""],"limit":"","state":""`: ``,
		`"sort":""`:           ``,
		`"days":"7"`:          `"days":7`,
		`"days":" 7.0 "`:      `"days":7`,
		`"limit":"10"`:        `"limit":10`,
		`"columns":"id"`:      `"columns":["id"]`,
		`"search":2026`:       `"search":"2026"`,
		`"sort":"state,desc"`: `"sort":{"field":"state","order":"desc"}`,
		`"sort":" state "`:    `"sort":{"field":"state"}`,
		`"untilNow":"true"`:   `"untilNow":true`,
		`"filters":{"key":"state","operator":"=","value":"START"}`:               `"filters":[{"key":"state","operator":"=","value":"START","values":null}]`,
		`"filters":[{"key":"totalItems","operator":">","value":0}]`:              `"filters":[{"key":"totalItems","operator":">","value":"0"}]`,
		`"filters":[{"key":"id","operator":"=","value":9007199254740993}]`:       `"filters":[{"key":"id","operator":"=","value":"9007199254740993"}]`,
		`"filters":[{"key":"state","operator":"=|","values":"a"}]`:               `"filters":[{"key":"state","operator":"=|","values":["a"]}]`,
		`"filters":[{"key":"totalItems","operator":"=|","value":1}]`:             `"filters":[{"key":"totalItems","operator":"=|","values":[1]}]`,
		`"filters":[{"key":"extra","operator":"=","value":true,"condition":""}]`: `"filters":[{"key":"extra","operator":"=","value":"true"}]`,
		number + `,"groupBy":"machineId"`:                                        number + `,"groupBy":["machineId"]`,
		number + `,"groupBy":["","machineId"]`:                                   number + `,"groupBy":["machineId"]`,
		`"format":"numeric","measures":"tasks"`:                                  number,
		`"format":"attention","attention":{"ignore":"a, b","failing":"0"}`:       `"format":"attention","attention":{"ignore":["a, b"],"failing":0}`,
	} {
		got := parsed(t, `{`+saved+`}`, daysAgo(7), noon)
		want := parsed(t, `{`+same+`}`, daysAgo(7), noon)
		assert.True(t, reflect.DeepEqual(want, got), "%s is not the same as %s", saved, same)
	}
	// Alert rules from a file may have the query type only outside the JSON, where Grafana also has it.
	q, err := Parse(schema.All(), backend.DataQuery{JSON: []byte(`{}`), QueryType: "runners", TimeRange: backend.TimeRange{From: daysAgo(7), To: noon}}, noon, false)
	require.NoError(t, err)
	assert.Equal(t, "runners", q.Set.Name)
}

// A timeline has a lane for each runner, and bars with the automation, unless it says otherwise. It follows the time range in any
// case: days tell which lanes it has. Other days end now, and so do totals of a panel that is edited for minutes.
func TestDefaults(t *testing.T) {
	q := parsed(t, `{"format":"timeline","days":5}`, noon.Add(-6*time.Hour), noon)
	assert.Equal(t, []string{"machineId"}, q.GroupBy)
	assert.Equal(t, "activityLabel", q.State)
	assert.Equal(t, noon.Add(-6*time.Hour), q.Period.From)
	assert.True(t, q.Period.Cut && q.Idle)
	for _, to := range []time.Time{noon.Add(-time.Hour), noon, noon.Add(day)} {
		p := parsed(t, `{"days":7}`, daysAgo(1), to).Period
		assert.Equal(t, [2]time.Time{daysAgo(7), noon}, [2]time.Time{p.From, p.To}, to)
	}
	old := noon.Add(-10 * time.Minute)
	for query, to := range map[string]time.Time{with(savingsNumber, `"untilNow":true`): noon, savingsNumber: old, `{"untilNow":true}`: old} {
		q := parsed(t, query, old.AddDate(0, 0, -1), old)
		assert.Equal(t, to, q.Period.To, query)
		assert.True(t, q.Set.HasTimes() || q.Read.All.Days == 1, query)
	}
}

// What attention is about, and what it judges. The fields of the workspace, and the team of an automation, don't change what it is about;
// alone, they count it. A reason is on, unless it is 0.
func TestAttention(t *testing.T) {
	all := []string{"failing", "empty", "silent", "waiting", "slow", "deadline"}
	usual := schema.Judged{Reasons: all, Sensitivity: "usual"}
	for saved, want := range map[string]struct {
		groups  string
		counted bool
		judged  schema.Judged
	}{
		`"sort":{"field":"id"},"groupBy":[]`:                                             {"activityLabel", false, usual},
		`"groupBy":["organizationLabel","machineId"]`:                                    {"machineId organizationLabel", false, usual},
		`"groupBy":["activityLabel","dataSource"]`:                                       {"activityLabel dataSource", false, usual},
		`"groupBy":["team","activityLabel"]`:                                             {"activityLabel team", false, usual},
		`"groupBy":["dataSource","organizationLabel"]`:                                   {"activityLabel dataSource organizationLabel", true, usual},
		`"attention":{"sensitivity":"more","ignore":["a, b","","c"]}`:                    {"activityLabel", false, schema.Judged{Reasons: all, Sensitivity: "more", Ignored: []string{"a, b", "c"}}},
		`"attention":{"sensitivity":"","ignore":[],"failing":"","empty":null}`:           {"activityLabel", false, usual},
		`"attention":{"all":true},"groupBy":"machineId"`:                                 {"machineId", false, schema.Judged{Reasons: all, Sensitivity: "usual", All: true}},
		`"attention":{"failing":0,"empty":"0","slow":" 0 ","deadline":0.0,"ignore":[7]}`: {"activityLabel", false, schema.Judged{Reasons: []string{"silent", "waiting"}, Sensitivity: "usual", Ignored: []string{"7"}}},
	} {
		q := parsed(t, `{"format":"attention",`+saved+`}`, noon.Add(-6*time.Hour), noon.Add(-3*time.Hour))
		assert.Equal(t, want.groups, strings.Join(q.GroupBy, " "), saved)
		assert.Equal(t, want.counted, q.Counted, saved)
		assert.Equal(t, want.judged, q.Judged, saved)
		assert.False(t, q.Period.Cut, saved)
	}
}

// The service is asked for the days that everything follows from: a day more than the range and the one that it is compared with,
// because its day may be a calendar day; three more for tasks that ran in the range; 30 for what is usual, and which failure was the
// first, of all tasks of these days.
func TestDaysThatAreRead(t *testing.T) {
	for saved, want := range map[string]struct {
		span  time.Duration
		days  int
		isAll bool
	}{
		`"queryType":"runners"`:                                                        {day + time.Minute, 1, true}, // "Last 24 hours" is slightly longer on arrival.
		`"queryType":"runners","search":"a"`:                                           {day + 2*time.Minute, 2, true},
		`"format":"timeline"`:                                                          {6 * time.Hour, 5, false},
		`"format":"timeline","days":5`:                                                 {6 * time.Hour, 5, true},
		`"format":"timeline","limit":3,"days":5`:                                       {20 * day, 24, true}, // a longer range is read whole
		`"format":"attention"`:                                                         {6 * time.Hour, 30, true},
		`"format":"attention","groupBy":["machineId"],"days":60`:                       {6 * time.Hour, 60, true},
		`"format":"timeseries","measure":"tasks","compare":"previous"`:                 {7 * day, 15, false},
		`"format":"numeric","measure":"tasks","compare":"week"`:                        {time.Hour, 9, false},
		`"format":"numeric","measure":"tasks","compare":"previous"`:                    {time.Hour, 2, false},
		`"format":"numeric","measure":"tasks","compare":"previous","days":3`:           {7 * day, 7, false},
		`"format":"timeseries","measure":"concurrency","compare":"previous","days":30`: {7 * day, 30, false},
		`"format":"numeric","measure":"busyRunners"`:                                   {6 * time.Hour, 5, false},
		`"format":"numeric","measures":["tasks","occupancy"]`:                          {6 * time.Hour, 5, false},
		`"format":"numeric","measures":["tasks","occupancy","failureStreaks"]`:         {6 * time.Hour, 30, false},
		`"format":"numeric","measure":"queuedWork"`:                                    {6 * time.Hour, 30, true},
		`"format":"numeric","measure":"deadlinesMet"`:                                  {6 * time.Hour, 30, true}, // of automations that ran nothing in the range, too
		`"format":"timeseries","measure":"failureStreaks"`:                             {40 * day, 44, true},
		`"format":"numeric","measure":"recoveryTime","days":7`:                         {6 * time.Hour, 7, true},
		`"format":"numeric","measure":"recoveryTime","compare":"month"`:                {6 * time.Hour, 36, true},
		`"format":"numeric","measure":"recoveryTime","days":28,"compare":"previous"`:   {6 * time.Hour, 60, true},
		`"format":"numeric","measure":"queuedWork","compare":"hour","days":2`:          {time.Hour, 30, true},
	} {
		q := parsed(t, `{`+saved+`}`, noon.Add(-want.span), noon)
		assert.Equal(t, want.days, q.Read.All.Days, saved)
		assert.Equal(t, want.isAll, q.Period.Since.IsZero(), saved)
	}
}

// Invalid queries are a 400 that names the value and the allowed values.
func TestBadQueries(t *testing.T) {
	for _, test := range []struct {
		query string
		says  []string
	}{
		{`{"queryType":"robots"}`, []string{"robots", "tasks", "automations", "runners"}},
		{`{"queryType":{"name":"tasks"}}`, []string{`queryType is {"name":"tasks"}`, "must be a text or a number"}},
		{`{"queryType":"automations","format":"timeseries","measure":"robots"}`, []string{`unknown measure "robots"`}}, // not what follows from it
		{`{"format":"graph"}`, []string{"graph", "table", "timeseries", "numeric"}},

		{`{"format":"timeline","queryType":"runners"}`, []string{"timeline", "runners", "data set tasks"}},
		{`{"format":"timeline","state":"dateCreation"}`, []string{`state "dateCreation"`, "cannot be a label", "finishStatus"}},
		{`{"format":"timeline","compare":"week"}`, []string{"timeline rows cannot be compared", "numeric"}},
		{`{"format":"timeline","per":"day"}`, []string{"day", "timeseries"}},

		{`{"format":"attention","queryType":"automations"}`, []string{"attention", "automations", "data set tasks"}},
		{`{"format":"attention","groupBy":["machineId","activityLabel"]}`, []string{"machineId, activityLabel", "automations or runners"}},
		{`{"format":"attention","groupBy":["machineId","team"]}`, []string{"machineId, team", "automations or runners"}}, // whose runner is nobody's to say
		{`{"format":"attention","groupBy":["team"]}`, []string{"groupBy team", "automations or runners"}},
		{`{"format":"attention","compare":"week"}`, []string{"attention rows cannot be compared"}},
		{`{"format":"attention","attention":{"slowness":3}}`, []string{`unknown reason (attention) "slowness"`, "failing", "slow", "ignore"}},
		{`{"format":"attention","attention":{"failing":5}}`, []string{"attention.failing is 5", "must be 0", "Omit"}},
		{`{"format":"attention","attention":{"sensitivity":"high"}}`, []string{`sensitivity (attention) "high"`, "fewer, usual, more"}},
		{`{"format":"attention","attention":{"ignore":[{"a":1}]}}`, []string{`attention.ignore[0] is {"a":1}`, "must be a text"}},
		{`{"format":"attention","attention":[3]}`, []string{"attention is [3]: must be an object"}},

		{`{"timezone":"Mars"}`, []string{`time zone "Mars"`, "America/Sao_Paulo"}},
		{`{"shape":"round"}`, []string{`shape "round"`, "wide, long"}},
		{`{"untilNow":1}`, []string{`untilNow "1"`, "true, false"}},

		{`{"days":0}`, []string{"days", "0", "from 1 to"}},
		{`{"days":1.5}`, []string{"days", "1.5", "whole"}},
		{`{"days":"soon"}`, []string{"days is soon", "whole number"}},
		{`{"days":[]}`, []string{"days is []: must be a whole number from 1 to 100000; omit it"}},
		{`{"limit":{"n":1}}`, []string{`limit is {"n":1}: must be a whole number from 1 to 2147483647`}},
		{`{"days":1e30}`, []string{"days is 1e30", "100000"}},

		{`{"sort":{"field":"state","order":"up"}}`, []string{"up", "asc", "desc"}},
		{`{"format":"numeric","measure":"tasks","groupBy":["state"],"sort":{"field":"id"}}`, []string{`sort by "id"`, "measure or a label", "omit sort"}},
		{`{"format":"timeline","sort":{"field":"machineId"}}`, []string{`sort by "machineId"`, "lanes", "Omit sort"}},
		{`{"sort":{"Field":"state"}}`, []string{`unknown property of sort "Field": use one of field, order`}},
		{`{"format":"attention","sort":{"field":"state","desc":true}}`, []string{`unknown property of sort "desc"`}},
		{`{"sort":{"order":"desc"}}`, []string{"sort has no field", "omit sort"}},
		{`{"sort":"state,down"}`, []string{"down", "asc, desc"}},
		{`{"sort":["state"]}`, []string{`sort is ["state"]: must be an object with field and order, or the text "field,order"`}},
		{`{"search":["a"]}`, []string{`search is ["a"]: must be a text`}},
		{`{"columns":{"id":true}}`, []string{`columns is {"id":true}: must be a text or a number, or a list of these`}},
		{`{"columns":["state","id","state"]}`, []string{"state", "twice"}},

		{`{"filters":[{"key":"state","operator":"~","value":"x"}]}`, []string{"~", "=~", "!=|"}},
		{`{"filters":[{"operator":"=","value":"x"}]}`, []string{"field", "state"}},
		{`{"filters":"state"}`, []string{`filters is "state": must be an object with key, operator, and value or values, or a list of these`}},
		{`{"filters":[{"key":"state","operator":"=","value":["x"]}]}`, []string{`filters[0].value is ["x"]: must be a text or a number`}},
		{`{"filters":[{"key":"state","operator":"=~","value":"(a"}]}`, []string{"(a", "state"}},
		{`{"filters":[{"key":"state","operator":"=~","values":["a","b"]}]}`, []string{`state =~ "a, b"`, "2 values", "=|"}},
		{`{"filters":[{"key":"state","operator":"=|","values":[]}]}`, []string{"state", "value"}},
		{`{"filters":[{"key":"dateCreation","operator":">","value":"soon"}]}`, []string{"soon", "dateCreation"}},

		{`{"format":"numeric"}`, []string{"measure", "successRate", "oldestQueued"}},
		{`{"format":"numeric","measure":"roi"}`, []string{"roi", "tasks", "duration"}},
		{`{"format":"numeric","queryType":"automations","measure":"p95"}`, []string{`unknown measure "p95"`, "taskCount", "must be grouped by label (groupBy)"}},
		{`{"format":"numeric","queryType":"runners","measure":"p95","groupBy":["_id"],"compare":"week"}`, []string{"p95", "earlier period", "omit compare"}},
		{`{"format":"numeric","queryType":"runners","measure":"p95","groupBy":["_id","p95"]}`, []string{"p95", "the measure itself"}},
		{`{"format":"timeseries","queryType":"runners","measure":"p95","groupBy":["_id"]}`, []string{"p95", "not available as a time series"}},
		{`{"format":"timeseries","measure":"tasks","groupBy":["id"]}`, []string{"id", "state"}},
		{`{"format":"timeseries","queryType":"automations","measure":"successRate"}`, []string{"successRate", "automations", "time series", "savings", "tasks", "recording rule"}},

		{`{"format":"numeric","measure":"tasks","compare":"decade"}`, []string{`unknown compare "decade": use one of previous, hour, day, week, month, year`}},
		{`{"format":"numeric","measure":"oldestQueued","compare":"week"}`, []string{"measure oldestQueued describes the current state of tasks"}},
		{`{"queryType":"runners","format":"numeric","measure":"utilizationRate","compare":"week"}`, []string{"Use one of tasks, items, itemsErrorCount"}},
		{with(savingsNumber, `"compare":"hour"`), []string{"counts whole days of data set automations", "omit compare"}},
		{`{"format":"timeseries","measure":"tasks","per":"year"}`, []string{`unknown per "year": use one of auto, hour, day, week, month`}},

		{`{"format":"numeric","measures":["tasks","nonsense"]}`, []string{`unknown measure "nonsense"`}},
		{`{"format":"numeric","measures":["tasks","tasks"]}`, []string{`listed twice`}},
		{`{"format":"numeric","measures":["tasks","tasks.change"]}`, []string{`there is nothing to compare with`}},
		{`{"format":"numeric","measures":["oldestQueued.change"],"compare":"day"}`, []string{`oldestQueued describes the current state`}},
		{`{"format":"numeric","measures":["lastAnswer","oldestRunning"],"compare":"day"}`, []string{`lastAnswer describes the current state`}},
		{`{"format":"numeric","measures":["tasks","successRate"],"sort":{"field":"duration"}}`, []string{`sort by "duration"`}},
		{`{"format":"timeseries","measures":["tasks","tasks.change"],"compare":"day"}`, []string{"a time series with compare has a line of the earlier period"}},

		{`{"format":"numeric","measures":["tasks","tasks.margin"]}`, []string{`"tasks.margin": only a number (format numeric) that the service adds up`, "Use measure tasks"}},
		{`{"format":"numeric","queryType":"automations","measure":"roi.margin"}`, []string{`"roi.margin": only`}},
		{`{"format":"timeseries","queryType":"automations","measure":"savings.margin"}`, []string{`"savings.margin": only`}},
		{`{"format":"numeric","measure":"tasks","total":"last"}`, []string{`unknown total "last": use one of true, false`}},

		{`{"timeField":"date"}`, []string{"date", "dateCreation", "dateStartRunning", "dateLastModified"}},

		{`[]`, []string{"the query is []: must be an object"}},
		{`"tasks"`, []string{`the query is "tasks": must be an object`}},
		{``, []string{"the query is not valid JSON", "provisioning file"}},
		{`{"days":7,}`, []string{"the query is not valid JSON"}},
		{strings.Repeat("[", 20_000), []string{"the query is not valid JSON"}},
	} {
		t.Run(test.query, func(t *testing.T) {
			_, err := parse(test.query, daysAgo(7), noon, time.Hour)
			require.ErrorIs(t, err, inputerror.Err)
			servicetest.RequireSays(t, err.Error(), test.says)
			assert.NotRegexp(t, "json:|cannot unmarshal|float64|Go |invalid character|unexpected end|max depth", err.Error())
		})
	}
}

// A rule needs numbers, of one measure: its instances have no names but their labels.
func TestWhatARuleCannotBeAbout(t *testing.T) {
	for saved, want := range map[string]string{
		`"format":"timeline"`:  `format "timeline": a rule needs numbers. Use format numeric or timeseries`,
		`"format":"deadlines"`: `format "deadlines": a rule needs numbers. Use format attention, whose reason deadline has a severity for each automation that is late, or format numeric with measure deadlinesMet`,
		`"format":"numeric","measures":["tasks","successRate"]`: `measures tasks, successRate: an alert rule is about one measure`,
	} {
		_, err := Parse(schema.All(), backend.DataQuery{JSON: []byte(`{` + saved + `}`), TimeRange: backend.TimeRange{From: daysAgo(7), To: noon}}, noon, true)
		require.ErrorIs(t, err, inputerror.Err)
		assert.ErrorContains(t, err, want)
	}
}

// A change of clocks makes no day: "last 7 days" are 7 on every day after it. Grafana subtracts calendar days, and 24
// hours for "last 24 hours".
func TestDaysOverAChangeOfClocks(t *testing.T) {
	for zone, changed := range map[string]string{
		"Europe/Berlin":    "2026-10-25 12:00:00",
		"America/New_York": "2026-11-01 12:00:00",
		"America/Santiago": "2026-04-05 12:00:00",
		"Australia/Sydney": "2026-10-04 12:00:00", // forward
	} {
		for after := range 14 {
			for _, hour := range []int{-12, -10, 0, 11} {
				now := zoned(t, changed, zone).AddDate(0, 0, after).Add(time.Duration(hour) * time.Hour)
				at := fmt.Sprint(now)
				for _, days := range []int{1, 7, 30} {
					last := backend.TimeRange{From: now.AddDate(0, 0, -days), To: now}
					q, err := Parse(schema.All(), backend.DataQuery{JSON: []byte(with(savingsNumber, `"timezone":"`+zone+`"`)), TimeRange: last}, now, false)
					require.NoError(t, err)
					assert.Equal(t, days, q.Read.All.Days, at)
					assert.Empty(t, covers(q, schema.English), at)

					// Tasks are read as far back as the range goes, and cut to it.
					tasks, err := Parse(schema.All(), backend.DataQuery{JSON: []byte(`{"timezone":"` + zone + `"}`), TimeRange: last}, now, false)
					require.NoError(t, err)
					assert.GreaterOrEqual(t, time.Duration(tasks.Read.All.Days-1)*day+slack, now.Sub(last.From), at)
				}
			}
		}
	}
}

// One measure is several of which there is one.
func TestFigures(t *testing.T) {
	for saved, want := range map[string][]string{
		`"measure":"tasks"`:                                   {"tasks"},
		`"measures":["tasks"]`:                                {"tasks"},
		`"measure":"ignored","measures":["tasks"]`:            {"tasks"},
		`"measure":"tasks","compare":"week"`:                  {"tasks", "before", "change"},
		`"measures":["tasks"],"compare":"week"`:               {"tasks", "before", "change"},
		`"measures":["tasks","successRate"]`:                  {"tasks", "successRate"},
		`"measures":["tasks","oldestQueued"],"compare":"day"`: {"tasks", "tasks.before", "tasks.change", "oldestQueued"},
		`"measures":["tasks","tasks.change","successRate.difference","oldestQueued"],"compare":"day"`: {"tasks", "tasks.change", "successRate.difference", "oldestQueued"},
		`"queryType":"automations","measures":["savings","roi","savings.margin"]`:                     {"savings", "roi", "savings.margin"},
		`"queryType":"automations","measures":["savings","savings.margin"],"compare":"day"`:           {"savings", "savings.before", "savings.change", "savings.margin"},
		`"measure":"tasks.difference","compare":"day"`:                                                {"tasks.difference"},
	} {
		q := parsed(t, `{"format":"numeric",`+saved+`}`, daysAgo(7), noon)
		require.Len(t, q.Figures, len(want), saved)
		for n, f := range q.Figures {
			assert.Equal(t, want[n], f.Name, saved)
		}
	}
	q := parsed(t, `{"format":"numeric","measures":["tasks","successRate.difference"],"compare":"day","sort":{"field":"successRate.difference"}}`, daysAgo(7), noon)
	assert.False(t, q.TwoPoints)
	assert.Equal(t, schema.Figure{Name: "successRate.difference", Measure: "successRate", Aspect: schema.Difference}, q.Figures[1])
}

// Rows of more days answer a query that shows what was created since some time, unless something in it follows from the other
// rows of its own days. So do the first rows in the service's order, if a limit needs no others. What is null instead of 0 before it
// depends on since when the service has data.
func TestWhatIsRead(t *testing.T) {
	const automations = `"queryType":"automations","days":7`
	byTasks := &schema.Sort{Field: "taskCount", Order: "desc"}
	for saved, want := range map[string]struct {
		first, moreDays, known bool
		sorted                 *schema.Sort // of all rows
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
		`"format":"numeric","measure":"tasks","groupBy":["activityLabel"],"limit":5,"sort":"tasks"`: {moreDays: true, known: true, sorted: &schema.Sort{Field: "tasks", Order: "asc"}},
		`"format":"numeric","measure":"tasks","groupBy":["zone"]`:                                   {known: true},
		`"format":"timeline"`:          {moreDays: true, known: true},
		`"format":"timeline","days":7`: {known: true}, // the first ones are those of the days
		`"format":"timeseries","measures":["tasks","oldestQueued"],"days":7`: {known: true},
		`"format":"numeric","measure":"oldestQueued"`:                        {moreDays: true},
		`"format":"numeric","measure":"tasks","days":7,"compare":"week"`:     {moreDays: true, known: true},
		`"queryType":"automations","format":"numeric","measure":"roi"`:       {known: true},
		`"format":"attention"`:                             {},
		automations + `,"limit":5,"search":"a"`:            {first: true},
		automations + `,"sort":"taskCount,desc"`:           {sorted: byTasks},
		automations + `,"limit":5,"sort":"taskCount,desc"`: {first: true, sorted: byTasks},
		automations + `,"sort":"label,desc"`:               {sorted: &schema.Sort{Field: "label", Order: "desc"}},
		`"queryType":"runners","days":7,"sort":"tasks"`:    {sorted: &schema.Sort{Field: "tasks", Order: "asc"}},
	} {
		q := parsed(t, `{`+saved+`}`, daysAgo(7), noon)
		assert.Equal(t, want.first, q.Read.First != nil, "first: %s", saved)
		assert.Equal(t, want.moreDays, q.Read.MoreDays, "more days: %s", saved)
		assert.Equal(t, want.known, q.Read.KnownSince, "known since: %s", saved)
		assert.Nil(t, q.Read.All.Sort, saved)
		assert.Equal(t, want.sorted, q.Sort, saved)
		if want.first && want.sorted != nil {
			assert.Equal(t, want.sorted, q.Read.First.Sort)
		}
	}
	ended := parsed(t, `{"queryType":"automations"}`, daysAgo(7), daysAgo(3))
	assert.True(t, ended.Read.KnownSince, "differences")
}

// Only the fields that a number follows from decide: those of the measure, filters, groups, time, search, and order with a limit.
func TestFieldsThatDecide(t *testing.T) {
	all := schema.Names(schema.All().Default().Fields)
	for saved, want := range map[string]string{
		`"format":"numeric","measure":"tasks","days":7`:                                                            "",
		`"format":"numeric","measure":"tasks"`:                                                                     "dateCreation",
		`"format":"numeric","measure":"tasks","timeField":"dateLastModified"`:                                      "dateCreation dateLastModified", // Tasks are cut to three days before, too.
		`"format":"numeric","measures":["failedTasks","totalItems"],"days":7,"groupBy":["machineId"]`:              "endOfOthers finishStatus machineId state totalItems",
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
