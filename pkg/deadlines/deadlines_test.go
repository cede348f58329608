package deadlines_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/deadlines"
	"github.com/insights/insights-reporting-datasource/schema"
)

func parse(t *testing.T, lines string) ([]*deadlines.Deadline, []string) {
	t.Helper()
	var value any
	require.NoError(t, json.Unmarshal([]byte(lines), &value))
	calendar, _ := deadlines.ParseCalendar(nil)
	return deadlines.Parse(value, calendar)
}

func one(t *testing.T, line string) *deadlines.Deadline {
	t.Helper()
	of, problems := parse(t, "["+line+"]")
	require.Empty(t, problems)
	require.Len(t, of, 1)
	return of[0]
}

func TestParse(t *testing.T) {
	calendar, problems := deadlines.ParseCalendar(schema.GetSetting("calendar").Example)
	require.Empty(t, problems)
	of, problems := deadlines.Parse(schema.GetSetting("deadlines").Example, calendar)
	require.Empty(t, problems)
	payroll := of[0]
	assert.Equal(t, 7, payroll.Hour)
	assert.Equal(t, 1, payroll.Count)
	assert.Equal(t, "America/Sao_Paulo", payroll.Zone.String())
	assert.True(t, payroll.Days["fri"])
	assert.False(t, payroll.Days["sun"])
	assert.Equal(t, 45*time.Minute, of[1].Within)

	lenient := one(t, `{"automation":" a ","by":" 24:00 ","days":["MON"],"timezone":"","count":" 3 ","within":""}`)
	assert.Equal(t, deadlines.Deadline{Scope: deadlines.Scope{Line: 1, Automation: "a"}, Hour: 24, Days: map[string]bool{"mon": true}, Zone: time.UTC, Calendar: lenient.Calendar, Count: 3}, *lenient)
	for _, none := range []string{`null`, `""`, `[]`} {
		of, problems := parse(t, none)
		assert.Empty(t, of)
		assert.Empty(t, problems)
	}
}

// A wrong line is named by its number, with its value and the way out.
func TestProblems(t *testing.T) {
	for line, says := range map[string]string{
		`[{"a":1}]`:          `[{"a":1}] must have automation, by, days`,
		`{}`:                 "has no automation: enter its label",
		`{"automation":"a"}`: `has neither by nor within: enter a time such as by: "07:00"`,
		`{"automation":"a","by":"07:00","within":"1h"}`:          "has by and within: remove one",
		`{"automation":"a","by":"7:00"}`:                         `by is "7:00": enter a time from 00:01 to 24:00`,
		`{"automation":"a","by":"00:00"}`:                        `by is "00:00"`,
		`{"automation":"a","by":420}`:                            `by is 420: must be a text, in quotes`,
		`{"automation":"a","by":"07:00","days":["monday"]}`:      "days has monday: use mon to sun, workday",
		`{"automation":"a","by":"07:00","days":"mon"}`:           "days is mon: must be a list",
		`{"automation":"a","by":"07:00","timezone":"Sao Paulo"}`: `timezone is "Sao Paulo": use a name such as America/Sao_Paulo`,
		`{"automation":"a","by":"07:00","count":0}`:              "count is 0: must be a whole number from 1 to 10000",
		`{"automation":"a","by":"07:00","count":1.5}`:            "count is 1.5",
		`{"automation":"a","by":"07:00","day":["mon"]}`:          `unknown "day": use automation, by, days`,
		`{"automation":"a","by":"07:00","days":[32]}`:            "days has 32: use mon to sun, workday",
		`{"automation":"a","by":"07:00","from":"24:00"}`:         `from is "24:00": enter a time before the deadline such as "20:00", or 1d to 30d`,
		`{"automation":"a","by":"07:00","from":"31d"}`:           `from is "31d"`,
		`{"automation":"a","within":"45m","from":"20:00"}`:       "from belongs to by, not to within: remove it",
		`{"automation":"a","within":"45"}`:                       `within is "45": enter a duration from 1m to 30d, such as 45m`,
		`{"automation":"a","within":"30s"}`:                      `within is "30s"`,
		`{"automation":"a","within":"31d"}`:                      `within is "31d"`,
		`{"automation":"a","within":"45m","count":2}`:            "count belongs to by, not to within: remove it",
	} {
		_, problems := parse(t, `[{"automation":"first","by":"07:00"},`+line+`,{"automation":"last","within":"1h30m"}]`)
		require.Len(t, problems, 1, line)
		assert.Contains(t, problems[0], "Deadlines (jsonData.deadlines), line 2: "+says)
	}
	_, problems := parse(t, `{"automation":"a"}`)
	require.Len(t, problems, 1)
	assert.Contains(t, problems[0], `Deadlines (jsonData.deadlines): {"automation":"a"} must be a list`)
}

func TestMatches(t *testing.T) {
	for pattern, labels := range map[string]map[string]bool{
		"payroll": {"payroll": true, "payroll-2": false, "Payroll": false},
		"nota-*":  {"nota-": true, "nota-fiscal": true, "a-nota-1": false},
		"*":       {"": true, "any": true},
		"a*b*a":   {"aba": true, "a-b-b-a": true, "ab": false, "aa": false},
		"a*a":     {"a": false, "aa": true},
		"a.c":     {"abc": false, "a.c": true},
	} {
		line := &deadlines.Scope{Automation: pattern}
		for label, want := range labels {
			assert.Equal(t, want, line.Matches(label), "%s matches %s", pattern, label)
		}
	}
}

// The first line that matches says the team. A wrong line is named.
func TestTeams(t *testing.T) {
	line := func(automation, team any) any { return map[string]any{"automation": automation, "team": team} }
	teams, problems := deadlines.ParseTeams([]any{line("payroll", " HR "), line("pay*", "Finance"), line("*-nightly", "Night shift")})
	require.Empty(t, problems)
	for label, want := range map[string]string{"payroll": "HR", "payments": "Finance", "pay-nightly": "Finance", "tax-nightly": "Night shift", "tax": "", "": ""} {
		assert.Equal(t, want, teams.Of(label), label)
	}
	for says, value := range map[string]any{
		", line 2: has no team: enter a name such as Finance": []any{line("a", "A"), line("b", " ")}, ", line 1: has no automation": []any{line("", "A")},
		", line 1: team is 7: must be a text": []any{line("a", 7.0)}, `, line 1: unknown "owner": use automation, team`: []any{map[string]any{"owner": "A"}},
		": payroll must be a list": "payroll", ", line 1: payroll must have automation, team": []any{"payroll"},
	} {
		_, problems := deadlines.ParseTeams(value)
		require.Len(t, problems, 1, says)
		assert.Contains(t, problems[0], "Teams (jsonData.teams)"+says)
	}
	for _, none := range []any{nil, "", []any{}} {
		teams, problems := deadlines.ParseTeams(none)
		assert.Empty(t, problems)
		assert.Empty(t, teams.Of("payroll"))
	}
}

// Holidays are dates, of a year or of each, with a name or without. A wrong one is named.
func TestParseCalendar(t *testing.T) {
	c, problems := deadlines.ParseCalendar(map[string]any{"timezone": "America/Sao_Paulo", "workdays": []any{"sun"}, "holidays": []any{"2026-04-03T00:00:00Z", "2026-06-04", " 12-25  Natal", "02-29"}})
	require.Empty(t, problems)
	assert.True(t, c.IsHoliday(time.Date(2026, 4, 3, 0, 0, 0, 0, c.Zone)), "as YAML has it without quotes")
	for says, value := range map[string]any{
		"holidays has 25.12.2026": map[string]any{"holidays": []any{"25.12.2026"}}, "holidays has 13-01": map[string]any{"holidays": []any{"13-01"}},
		"holidays has 2026-02-29": map[string]any{"holidays": []any{"2026-02-29"}}, "holidays is 12-25: must be a list": map[string]any{"holidays": "12-25"},
		"workdays has monday": map[string]any{"workdays": []any{"monday"}}, `timezone is "Berlin"`: map[string]any{"timezone": "Berlin"},
		`unknown "days"`: map[string]any{"days": []any{}}, `["mon"] must have`: []any{"mon"},
	} {
		_, problems := deadlines.ParseCalendar(value)
		require.Len(t, problems, 1)
		assert.Contains(t, problems[0], "Calendar (jsonData.calendar): "+says)
	}
	for _, none := range []any{nil, "", map[string]any{}} {
		_, problems := deadlines.ParseCalendar(none)
		assert.Empty(t, problems)
	}
}
