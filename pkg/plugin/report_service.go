package plugin

import (
	"math"
	"time"

	"github.com/insights/insights-reporting-datasource/findings"
)

// clockTolerance is the accepted clock difference: the same slack as for ranges of whole days.
const clockTolerance = time.Minute

// clock compares the service's clock with this server's, which determines time ranges.
func (r *report) clock() {
	clock := r.usage.Clock()
	apart := clock.Ahead.Abs()
	values := findings.Values{"seconds": int(math.Ceil(apart.Seconds()))}
	switch {
	case !clock.Known:
		r.say("clock-unknown", nil)
	case apart <= clockTolerance:
		r.say("clock", values)
	case clock.Ahead > 0:
		r.say("clock-ahead", values)
	default:
		r.say("clock-behind", values)
	}
}

// login reports the fields of the login response that are used.
func (r *report) login() {
	if fields := r.instance.client.LoginFields(); len(fields) > 0 {
		r.say("login-answer", findings.Values{"fields": listed(fields)})
	}
}
