package deadlines

import "slices"

// Team is a line of the setting: whom automations belong to.
type Team struct {
	Line       int    // in the setting, from 1
	Automation string // label, in which * matches any text
	Team       string
}

// Teams are the lines of the setting.
type Teams []Team

// ParseTeams reads the setting as decoded from JSON. Problems say why lines can't be used, and the way out.
func ParseTeams(value any) (teams Teams, problems []string) {
	problems = eachLine("teams", []string{"automation", "team"}, value, func(l *reading) {
		team := l.text("team")
		if team == "" {
			l.reject("has no team: enter a name such as Finance")
		}
		teams = append(teams, Team{l.Line, l.Automation, team})
	})
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
