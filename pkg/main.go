// Command gpx_insights_reporting is the backend of the Insights data source.
package main

import (
	"os"
	// Daily buckets depend on time zones, which the host may not have installed.
	_ "time/tzdata"

	"github.com/grafana/grafana-plugin-sdk-go/backend/datasource"
	"github.com/grafana/grafana-plugin-sdk-go/backend/log"

	"github.com/insights/insights-reporting-datasource/pkg/plugin"
)

func main() {
	if err := datasource.Manage(plugin.ID, plugin.NewInstance, datasource.ManageOpts{}); err != nil {
		log.DefaultLogger.Error("Plugin exited", "error", err)
		os.Exit(1)
	}
}
