package plugin

import (
	"errors"
	"fmt"

	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// ErrSettings marks an error that the data source settings cause. Nothing was sent.
var ErrSettings = errors.New("data source settings")

// settingsError is a sentence that names the setting and what is expected, or several, one a line.
type settingsError struct {
	message  string
	problems []findings.Finding // each sentence; nil: the message alone
}

func (e *settingsError) Error() string        { return e.message }
func (e *settingsError) Is(target error) bool { return target == ErrSettings }

func settingsErrorf(format string, args ...any) error {
	return &settingsError{message: fmt.Sprintf(format, args...)}
}

// redacted is an error of several settings without the key.
func redacted(err error, key string) error {
	problems := settingsProblems(err)
	for i := range problems {
		problems[i].Text = service.Redact(problems[i].Text, key)
	}
	return &settingsError{message: service.Redact(err.Error(), key), problems: problems}
}

// settingsProblems are what is wrong with the settings, one by one; none where an error is about something else.
func settingsProblems(err error) []findings.Finding {
	if joined, ok := err.(interface{ Unwrap() []error }); ok && errors.Is(err, ErrSettings) {
		var all []findings.Finding
		for _, one := range joined.Unwrap() {
			all = append(all, settingsProblems(one)...)
		}
		return all
	}
	var own *settingsError
	switch {
	case !errors.As(err, &own):
		return nil
	case own.problems != nil:
		return own.problems
	default:
		return []findings.Finding{{Severity: findings.Error, Text: own.message}}
	}
}
