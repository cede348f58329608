package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"
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

// start returns the Source of a service in memory.
func start(t *testing.T, f *servicetest.Fake) *Source {
	t.Helper()
	address, httpClient := f.StartInBubble(t)
	t.Cleanup(httpClient.CloseIdleConnections)
	client := service.New(service.Config{
		BaseURL: address, Login: servicetest.Login, Key: servicetest.Key, Timeout: time.Minute, MaxConcurrent: 8,
	}, httpClient)
	return &Source{Client: client, Paths: map[string]string{"runners": runnersPath}}
}

func readPage(t *testing.T, set *schema.DataSet, content string) *Page {
	t.Helper()
	source := start(t, servicetest.New().Data(set.Path, servicetest.OK(fmt.Sprintf(`{"content":%s,"number":0,"size":20,"totalElements":1,"totalPages":1}`, content))))
	p, err := source.Page(t.Context(), schema.Question{DataSet: set, Days: 1}, 0, 1000, NewInterner())
	require.NoError(t, err)
	return p
}

func TestParametersOfRoutes(t *testing.T) {
	byCount := &schema.Sort{Field: "taskCount", Order: "desc"}
	byTasks := &schema.Sort{Field: "tasks", Order: "asc"}
	for _, test := range []struct {
		name     string
		question schema.Question
		path     string
		want     url.Values
	}{
		{"tasks know no search and no sort", schema.Question{DataSet: tasks, Days: 3, Search: "x", Sort: byCount}, tasksPath, url.Values{"page": {"0"}, "days": {"3"}}},
		{"automations, searched and sorted", schema.Question{DataSet: automations, Days: 1, Search: "a & b=c", Sort: byCount}, automationsPath,
			url.Values{"page": {"0"}, "filterBy": {"1"}, "automation": {"a & b=c"}, "sort": {"taskCount,desc"}}},
		{"runners have no page", schema.Question{DataSet: runners, Days: 30, Search: "m-1", Sort: byTasks}, runnersPath,
			url.Values{"filterBy": {"30"}, "runner": {"m-1"}, "sort": {"tasks,asc"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := servicetest.New().Data(test.path, servicetest.OK(servicetest.Envelope(nil, 0, 20)))
			source := start(t, f)
			_, err := source.Page(t.Context(), test.question, 0, 1000, NewInterner())
			require.NoError(t, err)
			sent := f.Requests(test.path)
			require.Len(t, sent, 1)
			assert.Equal(t, http.MethodGet, sent[0].Method)
			assert.Equal(t, test.want, sent[0].URL.Query())
			assert.Regexp(t, `^GET http://127\.0\.0\.1:\d+`+regexp.QuoteMeta(test.path+"?"+test.want.Encode())+"$", source.Describe(test.question))
		})
	}
	// The default path of the runners route is a guess, so a 404 names the setting.
	_, err := start(t, servicetest.New()).Page(t.Context(), schema.Question{DataSet: runners, Days: 1}, 0, 1000, NewInterner())
	require.ErrorIs(t, err, service.ErrNotFound)
	servicetest.RequireSays(t, err.Error(), []string{"runnersPath", runnersPath})
}

// A size that the service refuses is left out from then on; any other error is returned, and nothing is requested twice.
func TestPageSize(t *testing.T) {
	for _, test := range []struct {
		size, status int
		asked        []string
		fails        bool
	}{
		{500, 200, []string{"500", "500"}, false}, {500, 400, []string{"500", "", ""}, false}, {500, 422, []string{"500", "", ""}, false},
		{500, 403, []string{"500", "500"}, true}, {0, 400, []string{"", ""}, true},
	} {
		f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
			if test.status != 200 && (test.size == 0 || r.URL.Query().Has("size")) {
				servicetest.Status(test.status, `{"message":"no"}`)(w, r)
				return
			}
			servicetest.OK(`{"content":[]}`)(w, r)
		})
		source := start(t, f)
		for number := range 2 {
			_, err := source.Page(t.Context(), schema.Question{DataSet: tasks, Days: 1, Size: test.size}, number, 1000, NewInterner())
			assert.Equal(t, test.fails, err != nil, test)
		}
		var asked []string
		for _, r := range f.Requests(tasksPath) {
			asked = append(asked, r.URL.Query().Get("size"))
		}
		assert.Equal(t, test.asked, asked, test)
	}
}

func decode(set *schema.DataSet, body []byte) (*Page, error) {
	return Decode(bytes.NewReader(body), set, NewInterner(), 1000)
}

// sample has every kind of value, including nested ones and escapes.
const sample = `{"content":[{"id":1,"state":"ST\u0041RT","machineId":null,"processedItems":-1.5e2,"dateCreation":"2026-11-20T09:00:00.000+00:00",` +
	`"new":{"a":[1,"x",{"b":null}],"c":true},"flag":false,"text":"tab\t é"},{"id":2}],"number":0,"size":20,"totalElements":2,"totalPages":1,` +
	`"first":true,"sort":{"sorted":false},"pageable":{"offset":0}}`

// A response truncated anywhere is an error, never a panic and never a partial table.
func TestTruncatedAtEveryByte(t *testing.T) {
	array := `[` + servicetest.Task(1) + `,` + servicetest.Task(2) + `]`
	for _, body := range []string{sample, array, `{"content":[]}`, `[]`} {
		whole, err := decode(tasks, []byte(body))
		require.NoError(t, err)
		require.NotNil(t, whole)
		for i := range body {
			_, err := decode(tasks, []byte(body[:i]))
			require.Error(t, err, "%d bytes of %s", i, body)
		}
	}
}

// Whatever is in place of a total, the rows are kept. Of equal names, the last one counts.
func TestEnvelope(t *testing.T) {
	yes, no := true, false
	for rest, want := range map[string]Envelope{
		`"number":0`: {Total: -1, Pages: -1, Size: -1},
		`"size":20,"totalElements":45,"totalPages":3,"last":false`:                             {Total: 45, Pages: 3, Size: 20, Last: &no},
		`"size":20.0,"totalElements": 4.5e1 ,"totalPages":-0,"last":null`:                      {Total: 45, Pages: 0, Size: 20},
		`"size":"20","totalElements":"45","totalPages":1.5,"last":1`:                           {Total: 45, Pages: -1, Size: 20},
		`"size":null,"totalElements":[1],"totalPages":{"size":5},"last":"true"`:                {Total: -1, Pages: -1, Size: -1, Last: &yes},
		`"size":1e12,"totalElements":-1,"totalPages":1e999,"page":null,"last":"soon"`:          {Total: -1, Pages: -1, Size: -1},
		`"page":{"number":0,"size":20,"totalElements":45,"totalPages":3,"last":true}`:          {Total: 45, Pages: 3, Size: 20, Last: &yes},
		`"page":{"size":5,"page":{"totalPages":6}},"size":7,"page":[],"last":true,"last":null`: {Total: -1, Pages: 6, Size: 7, Last: &yes},
	} {
		for _, body := range []string{`{"content":[{"id":1},{"id":2}],` + rest + `}`, `{` + rest + `,"content":[{"id":1},{"id":2}]}`} {
			p, err := decode(tasks, []byte(body))
			require.NoError(t, err, body)
			assert.Equal(t, []int64{1, 2}, p.Table.Column("id").Integers)
			assert.Equal(t, want, p.Envelope, body)
		}
	}
}

// An envelope without rows may lack its content if it says that there are none.
func TestEnvelopeWithoutRows(t *testing.T) {
	for body, isRead := range map[string]bool{
		`{"totalElements":0,"totalPages":0,"empty":true}`:           true,
		`{"page":{"size":20,"totalElements":0}}`:                    true,
		`{"number":3,"totalElements":45,"empty":true}`:              true,
		`{"totalElements":"0"}`:                                     true,
		`{"totalElements":0,"content":null}`:                        true,
		`{"totalElements":0,"content":{}}`:                          true,
		`{"content":{}}`:                                            true,
		`{"content":{"id":1},"totalElements":1}`:                    false,
		`{"totalElements":45,"empty":false}`:                        false,
		`{"totalElements":null,"empty":null}`:                       false,
		`{"totalPages":0,"number":0,"message":"database is down"}`:  false,
		`{"content":[],"errors":[],"totalElements":0}`:              true,
		`{"_embedded":{"tasks":[]},"page":{"totalElements":0}}`:     false,
		`{"sort":{"sorted":false},"pageable":{},"totalElements":0}`: true,
		`{"content":null,"error":"expired"}`:                        false,
		`{"content":[],"message":"Token expired","status":401}`:     false,
		`{"content":[]}`:                                            true,
		`{"content":[],"error":null,"errors":[],"message":""}`:      true,
		`{"content":[],"success":true,"status":200,"code":0}`:       true,
		`{"content":[],"message":"No tasks","totalElements":0}`:     true,
		`{"content":[],"totalElements":0,"errors":["expired"]}`:     false,
		`{"totalElements":0,"error":{"code":401}}`:                  false,
		`{"content":[],"success":false,"totalElements":0}`:          false,
		`{"code":401,"content":[]}`:                                 false,
		`{"content":[],"totalElements":0,"status":401}`:             false,
		`{"content":[],"totalElements":0,"status":"Error"}`:         false,
		`{"content":[],"status":"fail"}`:                            false,
		`{"content":[],"totalElements":0,"ok":false}`:               false,
		`{"content":[],"totalElements":0,"success":"false"}`:        false,
		`{"content":[],"totalElements":0,"error":true}`:             false,
		`{"content":[],"totalElements":0,"error":0}`:                true,
		`{"content":[],"error":0,"errors":[ ],"message":{}}`:        true,
		`{"content":[],"totalElements":0,"error":"","ok":true}`:     true,
		`{"content":[],"error":"false","errors":{},"status":"ok"}`:  true,
	} {
		p, err := decode(tasks, []byte(body))
		require.Equal(t, isRead, err == nil, body)
		if isRead {
			require.Zero(t, p.Table.Rows, body)
		}
	}
}

// Errors name the route and what came instead, without the secrets of the request that it may contain.
func TestResponseOfAnotherShape(t *testing.T) {
	for _, test := range []struct {
		name, body string
		says       []string
	}{
		{"empty", ``, []string{"expected JSON. Content type:", "an empty body"}},
		{"blank", " \n", []string{"expected JSON. Content type:", "an empty body"}},
		{"truncated", `[{"id":1`, []string{"the response is truncated: try again"}},
		{"HTML", `<!DOCTYPE html><title>Sign in</title>`, []string{"JSON", "an HTML page: Sign in"}},
		{"null", `null`, []string{"null", "content"}},
		{"string", `"moved"`, []string{"a string", "content"}},
		{"empty object", `{}`, []string{"content", "none"}},
		{"object without content", `{"data":[],"count":7}`, []string{"content", "data", "count"}},
		{"many names", wide(1, 0, 60), []string{"its fields are id, f0, f1, ", "…"}},
		{"errors beside rows", `{"content":[{"id":1}],"totalElements":1,"errors":["shard 2 failed"]}`, []string{`without an error, but errors is ["shard 2 failed"]`}},
		{"no success", `{"content":[{"id":1}],"success":false}`, []string{`success is false`}},
		{"null without totals", `{"content":null}`, []string{"content is null, not an array"}},
		{"refusal behind content", `{"content":[],"status":401,"message":"expired"}`, []string{"but status is 401", "expired"}},
		{"error with 200", `{"error":"quota exceeded"}`, []string{"content", "quota exceeded"}},
		{"records of errors", `[{"message":"expired"},{"code":401}]`, []string{"no record has a field of the specification, but message, code. Content type: ", "expired"}},
		{"an empty record", `{"content":[{}]}`, []string{"all records are empty. Content type"}},
		{"content is a number", `{"content":0}`, []string{"content is a number", "array"}},
		{"record is a number", `[{"id":1},5]`, []string{"record 2", "a number", "an object"}},
		{"record is an array", `{"content":[[1]]}`, []string{"record 1", "an array", "an object"}},
		{"more behind", `{"content":[]} {"content":[]}`, []string{"data after the JSON value"}},
		{"comma too many", `[{"id":1,}]`, []string{"byte 9 is out of place", "proxy"}},
		{"no escape", `[{"state":"é\q"}]`, []string{`byte 14 is out of place`}},
		{"NaN far behind", `[{"x":[` + strings.Repeat("1,", 1<<19) + `NaN]}]`, []string{"byte 1048584 is out of place"}},
		{"Python's null", `[{"id":None}]`, []string{"byte 8 is out of place"}},
		{"nested without end", `[{"x":` + strings.Repeat("[", 20_000), []string{"byte 10005 is out of place"}},
		{"secrets in a message", `{"message":"bad token TOKEN for key KEY"}`, []string{"content"}},
		{"secrets as text", `token: TOKEN, key: KEY`, nil},
		{"secrets as a value", `[{"TOKEN":TOKEN}]`, []string{"JSON"}},
		{"bracket for brace", `{"content":[{"id":1]}`, []string{"byte 20 is out of place"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := servicetest.New().Data(tasksPath, func(w http.ResponseWriter, r *http.Request) {
					_, _ = io.WriteString(w, strings.NewReplacer("TOKEN", r.Header.Get("token"), "KEY", servicetest.Key).Replace(test.body))
				})
				p, err := start(t, f).Page(t.Context(), schema.Question{DataSet: tasks, Days: 1}, 0, 1000, NewInterner())
				require.ErrorIs(t, err, service.ErrUnreadable)
				assert.Nil(t, p)
				failure, _ := errors.AsType[*service.Error](err)
				hasNoRows := []string{"empty object", "refusal behind content", "object without content", "many names", "error with 200", "secrets in a message"}
				assert.Equal(t, slices.Contains(hasNoRows, test.name), failure.NoRows)
				servicetest.RequireSays(t, err.Error(), append(test.says, tasksPath))
				assert.NotContains(t, err.Error(), servicetest.Key)
				assert.NotContains(t, err.Error(), servicetest.TokenPrefix)
				assert.NotRegexp(t, "json(text)?:|EOF|invalid character|read error|max depth", err.Error(), "the text of a library")
				wasRepeated := f.Count(tasksPath) > 1
				assert.Equal(t, test.name == "truncated", wasRepeated, "another attempt may get the rest, and nothing else")
			})
		})
	}
}

// A value is held in memory as a whole, and so is what is read of it before it is refused.
func TestLongValue(t *testing.T) {
	long := func(bytes int) io.Reader {
		return strings.NewReader(`[{"id":1,"state":"` + strings.Repeat("a", bytes) + `"}]`)
	}
	p, err := Decode(long(1<<20), tasks, NewInterner(), 1000)
	require.NoError(t, err)
	assert.Len(t, p.Table.Column("state").Strings[0], 1<<20)
	var before, after runtime.MemStats
	longer := long(32 * maxValue)
	runtime.ReadMemStats(&before)
	_, err = Decode(longer, tasks, NewInterner(), 1000)
	runtime.ReadMemStats(&after)
	require.ErrorContains(t, err, "a value has more than 4 MiB")
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16*maxValue))
}
