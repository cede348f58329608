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
)
