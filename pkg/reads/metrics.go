package reads

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/insights/insights-reporting-datasource/pkg/list"
	"github.com/insights/insights-reporting-datasource/schema"
)

var (
	rowsRead = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "rows_total", Help: "Rows read from the service, by data set.",
	}, []string{"data_set"})
	readsServed = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "reads_total",
		Help: "Reads by data set and source: service, or cache (rows of another read).",
	}, []string{"data_set", "source"})
	readsMade = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "service_reads_total",
		Help: "Reads from the service by data set and extent: whole, incremental, newest.",
	}, []string{"data_set", "extent"})
	auditsMade = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "audits_total",
		Help: "Full reads in the background that check reused rows, by data set and outcome: passed, changed (a row changed that was not expected to), failed.",
	}, []string{"data_set", "outcome"})
)

// count counts a read; found is nil if it failed.
func count(set *schema.DataSet, found *list.Result) {
	if found == nil {
		readsServed.WithLabelValues(set.Name, "service").Inc()
		return
	}
	if found.Shared {
		readsServed.WithLabelValues(set.Name, "cache").Inc()
		return
	}
	readsServed.WithLabelValues(set.Name, "service").Inc()
	rowsRead.WithLabelValues(set.Name).Add(float64(found.Table.Rows - found.Cost.Reused))
	extent := "newest"
	switch {
	case found.Cost.Reused > 0:
		extent = "incremental"
	case found.AtEnd || found.Lack != list.Complete:
		extent = "whole"
	}
	readsMade.WithLabelValues(set.Name, extent).Inc()
}
