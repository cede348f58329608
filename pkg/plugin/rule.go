package plugin

import "github.com/grafana/grafana-plugin-sdk-go/backend"

// fromRule says whether a request comes from Grafana's alerting: an alert rule or a recording rule, on its schedule, in
// the preview of its editor or in a backtest. All of them go through one function, buildDatasourceHeaders in Grafana's
// pkg/services/ngalert/eval/eval.go (12.4), which puts FromAlert: true into the headers of the request.
//
// That name stands in the map as it is. The prefix "http_", which the SDK's GetHTTPHeader looks for, belongs to headers
// of HTTP alone: the X-Rule-… ones have it, and a FromAlert that was one on its way (Grafana's
// pkg/services/pluginsintegration/clientmiddleware/usealertingheaders_middleware.go takes it off again) may have it.
func fromRule(req *backend.QueryDataRequest) bool {
	return req.Headers[backend.FromAlertHeaderName] == "true" || req.GetHTTPHeader(backend.FromAlertHeaderName) == "true"
}
