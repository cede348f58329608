package plugin

import (
	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// fromRule reports whether a request comes from Grafana Alerting: an alert rule or a recording rule, on its schedule,
// in the preview of its editor or in a backtest. All of them go through buildDatasourceHeaders in Grafana's
// pkg/services/ngalert/eval/eval.go (12.4), which adds FromAlert: true to the request headers.
//
// This key has no prefix. The SDK's GetHTTPHeader expects the prefix "http_", which only HTTP headers such as X-Rule-…
// have. A FromAlert that was forwarded as an HTTP header may have it, although Grafana's
// pkg/services/pluginsintegration/clientmiddleware/usealertingheaders_middleware.go removes it again.
func fromRule(req *backend.QueryDataRequest) bool {
	return req.Headers[backend.FromAlertHeaderName] == "true" || req.GetHTTPHeader(backend.FromAlertHeaderName) == "true"
}

// checkComplete rejects rows that may be incomplete if they are for a rule: nobody sees the warning of a rule, so its
// number must not be computed from them. Errors are *service.Error.
func checkComplete(rule bool, result *reads.Result) error {
	reason := result.Incomplete()
	if !rule || reason == "" {
		return nil
	}
	return &service.Error{Kind: reads.ErrIncomplete, Message: "the rule needs all rows, but " + reason}
}
