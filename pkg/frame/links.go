package frame

import (
	"net/url"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/data"

	"github.com/insights/insights-reporting-datasource/schema"
)

// linkedValue is the value of a cell in a link of its field. Grafana fills it in, and encodes it as part of a path or a
// query string. Without this format it would leave characters such as / and & as they are.
const linkedValue = "${__value.raw:percentencode}"

// links returns the link of a field to the page of what it identifies; none if its setting is empty.
func (r *Selection) links(name, value string) []data.DataLink {
	f := r.DataSet.Field(name)
	if f == nil || r.Links[f.Link] == "" {
		return nil
	}
	address := strings.ReplaceAll(r.Links[f.Link], schema.GetSetting(f.Link).Variable, value)
	return []data.DataLink{{Title: r.Language.Words().Open[f.Link], TargetBlank: true, URL: address}}
}

// groupLinks returns the links of the labels of a group.
func (r *Grouping) groupLinks(g *group) []data.DataLink {
	var links []data.DataLink
	for i, label := range g.labels {
		if label != "" {
			links = append(links, r.links(r.GroupBy[i], strings.ReplaceAll(url.QueryEscape(label), "+", "%20"))...)
		}
	}
	return links
}
