package deadlines

import (
	"fmt"
	"slices"

	"github.com/insights/insights-reporting-datasource/schema"
)

// Team is a line of the setting: whom automations belong to.
type Team struct {
	Line       int    // in the setting, from 1
	Automation string // label, in which * matches any text
	Team       string
}

// Teams are the lines of the setting.
type Teams []Team

var teamNames = []string{"automation", "team"}

// ParseTeams reads the setting as decoded from JSON. Problems say why lines can't be used, and the way out.
func ParseTeams(value any) (teams Teams, problems []string) {
	lines, ok := value.([]any)
	if !ok && !isEmpty(value) {
		return nil, []string{fmt.Sprintf("%s: %v must be a list, with a line for each pattern of automations", Title("teams", 0), value)}
	}
	for n, line := range lines {
		values, _ := line.(map[string]any)
		l := &reading{values: values}
		l.known(teamNames)
		team := Team{n + 1, l.text("automation"), l.text("team")}
		if team.Automation == "" {
			l.reject("has no automation: enter its label, in which * matches any text")
		}
		if team.Team == "" {
			l.reject("has no team: enter a name such as Finance")
		}
		if l.problem != "" {
			problems = append(problems, Title("teams", n+1)+": "+l.problem)
		}
		teams = append(teams, team)
	}
	return teams, problems
}

// Of returns the team of an automation, of the first line that matches its label; empty without one.
func (teams Teams) Of(label string) string {
	i := slices.IndexFunc(teams, func(t Team) bool { return t.Matches(label) })
	if i < 0 {
		return ""
	}
	return teams[i].Team
}

// Matches reports whether a line is one of an automation.
func (t *Team) Matches(label string) bool { return matches(t.Automation, label) }

// Title names a setting and a line of it, from 1; 0: the whole setting.
func Title(setting string, line int) string {
	title := schema.GetSetting(setting).Title()
	if line > 0 {
		title += fmt.Sprintf(", line %d", line)
	}
	return title
}
