package plugin

import (
	"fmt"
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

// session reports the fields of the login response and the lifetime of tokens.
func (r *report) session() {
	facts := r.instance.client.SessionFacts()
	fields := facts.TokenField
	if facts.OrganizationField != "" {
		fields += ", " + facts.OrganizationField
	}
	if fields != "" {
		r.say("login-answer", findings.Values{"fields": fields})
	}
	switch {
	case facts.Ended > 0:
		r.say("token-ended", findings.Values{"duration": inWords(facts.Ended), "longest": inWords(facts.Lived)})
	case facts.Lived >= time.Minute:
		r.say("token-lived", findings.Values{"duration": inWords(facts.Lived)})
	default:
		r.say("token-new", nil)
	}
}

// inWords formats a duration with unit symbols that all languages share.
func inWords(d time.Duration) string {
	switch {
	case d >= time.Hour:
		return fmt.Sprintf("%d h %d min", d/time.Hour, d%time.Hour/time.Minute)
	case d >= time.Minute:
		return fmt.Sprintf("%d min", d/time.Minute)
	default:
		return fmt.Sprintf("%d s", d/time.Second)
	}
}
