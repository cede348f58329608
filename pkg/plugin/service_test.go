package plugin

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
	"github.com/insights/insights-reporting-datasource/schema"
)

const (
	loginPath       = servicetest.LoginPath
	tasksPath       = servicetest.TasksPath
	automationsPath = servicetest.AutomationsPath
	runnersPath     = servicetest.RunnersPath
)

// newService returns a service with a few records of each kind.
func newService() *servicetest.Fake {
	recent := time.Now().Add(-time.Hour).UTC().Format(time.RFC3339)
	return servicetest.New().
		Data(tasksPath, servicetest.OK(page(
			`{"id":1,"state":"FINISHED","finishStatus":"SUCCESS","activityLabel":"intake","machineId":"m-1","dateCreation":"`+recent+`"}`,
			`{"id":2,"state":"START","finishStatus":null,"activityLabel":"Invoices","machineId":null,"dateCreation":"2020-11-20T10:00:00.000+00:00"}`,
		))).
		Data(automationsPath, servicetest.OK(page(
			`{"label":"b-intake","name":"Zeta intake","repositoryLabel":"finance","taskCount":7,"successRate":0.9}`,
			`{"label":"a-invoices","name":"Invoices","repositoryLabel":"finance","taskCount":3,"successRate":0.5}`,
			`{"label":"c-nameless","name":null,"repositoryLabel":null,"taskCount":1,"successRate":null}`,
		))).
		Data(runnersPath, servicetest.OK(`[{"_id":"m-2","tasks":5,"utilizationRate":0.5},{"_id":"m-1","tasks":2,"utilizationRate":0.1}]`))
}

// page returns an envelope with all rows on one page.
func page(rows ...string) string {
	return fmt.Sprintf(`{"content":[%s],"number":0,"size":20,"totalElements":%d,"totalPages":1}`, strings.Join(rows, ","), len(rows))
}

// start serves, and returns a data source for it; settings alternates names and values of jsonData in addition to the
// login.
func start(t *testing.T, f *servicetest.Fake, settings ...any) *Instance {
	t.Helper()
	return create(t, source(f.Start(t).URL, settings...))
}

// source returns the settings of a data source as passed by Grafana.
func source(url string, settings ...any) backend.DataSourceInstanceSettings {
	jsonData := map[string]any{"login": servicetest.Login}
	for i := 0; i+1 < len(settings); i += 2 {
		jsonData[settings[i].(string)] = settings[i+1]
	}
	raw, err := json.Marshal(jsonData)
	if err != nil {
		panic(err)
	}
	return backend.DataSourceInstanceSettings{
		UID: "test", Name: "Test", Type: ID, URL: url, JSONData: raw,
		DecryptedSecureJSONData: map[string]string{"key": servicetest.Key},
	}
}

func create(t *testing.T, source backend.DataSourceInstanceSettings) *Instance {
	t.Helper()
	i := newInstance(t.Context(), source, schema.All())
	t.Cleanup(i.Dispose)
	return i
}
