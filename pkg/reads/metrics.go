package reads

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/insights/insights-reporting-datasource/pkg/paging"
	"github.com/insights/insights-reporting-datasource/schema"
)

// What neither Grafana nor its SDK can count.
var (
	readsMade = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "reads_total",
		Help: "Reads by data set and source: cache (rows of another read), or of the service whole, incremental.",
	}, []string{"data_set", "source"})
	rowsCorrected = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "corrected_rows_total",
		Help: "Reused rows by data set that were not expected to change, but had changed when their page was read again.",
	}, []string{"data_set"})
)

// count counts a read that succeeded.
func count(set *schema.DataSet, found *paging.Result) {
	source := "whole"
	switch {
	case found.Shared:
		source = "cache"
	case found.Cost.Reused > 0:
		source = "incremental"
	}
	readsMade.WithLabelValues(set.Name, source).Inc()
	if !found.Shared {
		rowsCorrected.WithLabelValues(set.Name).Add(float64(found.Cost.Corrected))
	}
}
