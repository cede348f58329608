package reads

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	rowsRead = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "rows_total", Help: "Rows read from the service, by data set.",
	}, []string{"data_set"})
	readsServed = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "reads_total",
		Help: "Reads by data set and source: service, shared (with a read in flight), cache.",
	}, []string{"data_set", "source"})
	readsMade = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "service_reads_total",
		Help: "Reads from the service by data set and extent: whole, incremental, fallback (incremental read that was inconsistent), newest.",
	}, []string{"data_set", "extent"})
	auditsMade = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "audits_total",
		Help: "Full reads in the background that check reused rows, by data set and outcome: passed, changed (a row changed after it had ended), failed.",
	}, []string{"data_set", "outcome"})
	readsDistrusted = promauto.NewCounterVec(prometheus.CounterOpts{
		Namespace: "insights", Name: "incremental_distrusted_total",
		Help: "Times that an ended row changed, after which reads are full for an hour.",
	}, []string{"data_set"})
)
