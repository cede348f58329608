package main

import (
	"encoding/json"
	"fmt"

	sdkapi "github.com/grafana/grafana-plugin-sdk-go/experimental/apis/datasource/v0alpha1"
)

// savedQueries are typical queries of dashboards and rules. Together they have every property.
var savedQueries = []struct{ name, description, saved string }{
	{"Failed tasks", "Rows: the tasks that failed on two machines, the last ones first", `{"queryType":"tasks","filters":[
		{"key":"finishStatus","operator":"=","value":"FAILED"},{"key":"machineId","operator":"=|","values":["runner-01","runner-02"]}],
		"sort":{"field":"dateLastModified","order":"desc"},"timeField":"dateLastModified"}`},
	{"Tasks by day", "Lines: tasks for each day of São Paulo, a line for each result, and the previous week", `{"queryType":"tasks","format":"timeseries",
		"measure":"tasks","groupBy":["finishStatus"],"per":"day","timezone":"America/Sao_Paulo","compare":"week"}`},
	{"Tasks of one automation", "A number: tasks of an automation in the time range", `{"queryType":"tasks","format":"numeric","measure":"tasks","search":"invoices"}`},
	{"Automations with the most tasks", "Rows: three columns of the ten automations with the most tasks in 7 days", `{"queryType":"automations","days":7,
		"sort":{"field":"taskCount","order":"desc"},"columns":["label","taskCount","successRate"],"limit":10}`},
	{"Success rate of each automation", "For an alert rule: a number for each automation that ran in 7 days", `{"queryType":"automations","days":7,"format":"numeric",
		"measure":"successRate","groupBy":["label"],"filters":[{"key":"taskCount","operator":">","value":"0"}]}`},
	{"Timeline of the runners", "Bars: when each runner ran what, colored by result", `{"queryType":"tasks","format":"timeline","groupBy":["machineId"],"state":"finishStatus"}`},
	{"Utilization of the runners", "Numbers: the five runners that are used most", `{"queryType":"runners","format":"numeric","measure":"utilizationRate","groupBy":["_id"],"limit":5}`},
}

func queryExamples() *sdkapi.QueryExamples {
	examples := &sdkapi.QueryExamples{}
	for _, q := range savedQueries {
		var saved map[string]any
		if err := json.Unmarshal([]byte(q.saved), &saved); err != nil {
			panic(fmt.Sprintf("%s: %v", q.name, err))
		}
		examples.Examples = append(examples.Examples, sdkapi.QueryExample{
			Name: q.name, QueryType: saved["queryType"].(string), Description: q.description, SaveModel: sdkapi.Unstructured{Object: saved},
		})
	}
	return examples
}
