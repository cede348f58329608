package frame

import (
	"fmt"
	"math"
	"strings"
	"time"

	"golang.org/x/text/number"

	"github.com/insights/insights-reporting-datasource/pkg/attention"
	"github.com/insights/insights-reporting-datasource/schema"
)

// mostReasons is how many findings a row has a sentence for.
const mostReasons = 2

// mostNames is how many groups a sentence names.
const mostNames = 5

// why returns the sentences about a group.
func (a *judge) why(c *concern) string {
	var sentences []string
	for _, f := range c.findings[:min(mostReasons, len(c.findings))] {
		sentences = append(sentences, a.says(&f))
	}
	return strings.Join(sentences, "; ")
}

// says returns the sentence about a finding.
func (a *judge) says(f *attention.Finding) string {
	which, values := a.sentence(f)
	return a.Sprintf(schema.AttentionReason(f.Reason).Sentence(which, a.Language), values...)
}

// sentence returns which sentence of its reason a finding has, and the values in it.
func (a *judge) sentence(f *attention.Finding) (which string, values []any) {
	isNew := math.IsNaN(f.Usual)
	within := a.span(time.Duration(f.Within).Seconds())
	switch f.Reason {
	case attention.Deadline:
		return a.dueSentence(f.Due)
	case attention.Failing:
		which, values = "share", []any{percent(f.Value), a.moment(f.Since), f.Count, f.Of}
		if f.InARow == f.Of {
			which, values = "inARow", []any{f.InARow, a.moment(f.Since)}
		}
		switch {
		case f.Since == 0:
			which, isNew = which+"Old", false
			values[1] = a.span(a.Now.Sub(time.Unix(0, f.From)).Seconds())
		case !isNew:
			values = append(values, percent(f.Usual), f.UsualCount, f.UsualOf)
		}
	case attention.Empty:
		which, values, isNew = "missing", []any{f.Count, a.moment(f.Since), int(f.Usual), within}, false
	case attention.Silent:
		which, values = "missing", []any{a.span(f.Value), int(f.Usual)}
		switch {
		case f.Together != nil:
			which, values = a.silentTogether(f.Together)
		case within != values[0]:
			which, values = "missingLong", append(values, within)
		}
	case attention.Waiting:
		which, values = "queue", []any{a.span(f.Value), a.span(f.Usual), f.Of}
		if isNew {
			values = []any{values[0], f.Of}
		}
	case attention.Slow:
		which, values = "running", []any{a.span(f.Value)}
		switch {
		case f.About.State != attention.Running:
			which, values = "took", []any{f.Count, f.Of, a.moment(f.Since), values[0]}
		case f.Count > 1:
			which, values = "several", []any{f.Count, values[0]}
		}
		if !isNew {
			values = append(values, a.span(f.Usual))
		}
	}
	if isNew {
		which += "New"
	}
	return which, values
}

// silentTogether returns which sentence there is about groups that fell silent together, and the values in it.
func (a *judge) silentTogether(of *attention.Together) (which string, values []any) {
	which, values = "all", []any{a.moment(of.Since), len(of.Groups)}
	if !of.IsAll {
		names := strings.Join(of.Groups[:min(len(of.Groups), mostNames)], ", ")
		if len(of.Groups) > mostNames {
			names += ", …"
		}
		which, values = "some", []any{len(of.Groups), a.moment(of.Since), names}
	}
	if a.isOfRunners() {
		which += "Runners"
	}
	return which, values
}

// percent formats a share. What is not quite all, or nothing, doesn't look like it.
func percent(share float64) number.Formatter {
	if share > 0 && share < 0.01 || share > 0.99 && share < 1 {
		return number.Percent(share, number.MaxFractionDigits(1))
	}
	return number.Percent(share)
}

// moment formats a time of the last days by its weekday, and an earlier one by its date.
func (a *judge) moment(at int64) string {
	t, words := time.Unix(0, at).In(a.Zone), a.Language.Words()
	if a.Now.Sub(t) > 6*24*time.Hour {
		return fmt.Sprintf("%d %s", t.Day(), words.Months[t.Month()-1])
	}
	return words.ShortWeekdays[t.Weekday()] + t.Format(" 15:04")
}

// span formats seconds, rounded as Grafana does it beside. Days begin at two, and hours have minutes while these matter.
func (a *judge) span(seconds float64) string {
	if math.IsNaN(seconds) {
		return ""
	}
	d := time.Duration(seconds * float64(time.Second))
	inMinutes := d.Round(time.Minute)
	switch {
	case d < time.Minute:
		return a.Sprintf("%d s", int(d.Seconds()))
	case inMinutes < time.Hour:
		return a.Sprintf("%d min", int(inMinutes.Minutes()))
	case d < 10*time.Hour && inMinutes%time.Hour > 0:
		return a.Sprintf("%d h %d min", int(inMinutes.Hours()), int(inMinutes.Minutes())%60)
	case d < 48*time.Hour:
		return a.Sprintf("%d h", int(d.Round(time.Hour).Hours()))
	default:
		return a.Sprintf(a.Language.Words().Days, int(math.Round(d.Hours()/24)))
	}
}
