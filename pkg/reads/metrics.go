package reads

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/schema"
)

// What neither Grafana nor its SDK can count.
var (
	readsMade = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "reads_total",
		Help: "Reads by data set and source: cache (rows of another read), or of the service whole, incremental, newest.",
	}, []string{"data_set", "source"})
	auditsMade = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "audits_total",
		Help: "Full reads in the background that check reused rows, by data set and outcome: passed, changed (a row changed that was not expected to), failed.",
	}, []string{"data_set", "outcome"})
)

// count counts a read that succeeded.
func count(set *schema.DataSet, found *list.Result) {
	source := "newest"
	switch {
	case found.Shared:
		source = "cache"
	case found.Cost.Reused > 0:
		source = "incremental"
	case found.AtEnd || found.Lack != list.Complete:
		source = "whole"
	}
	readsMade.WithLabelValues(set.Name, source).Inc()
}
