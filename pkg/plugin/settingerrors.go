package plugin

import (
	"errors"
	"fmt"

	"github.com/insights/insights-reporting-datasource/findings"
	"github.com/insights/insights-reporting-datasource/pkg/service"
)

// ErrSettings marks an error in the data source settings. Nothing was sent.
var ErrSettings = errors.New("data source settings")

// settingsError is a message that names the setting and what is allowed, or several messages, one per line.
type settingsError struct {
	message  string
	problems []findings.Finding // one per message; nil: only the message
}

func (e *settingsError) Error() string        { return e.message }
func (e *settingsError) Is(target error) bool { return target == ErrSettings }

func settingsErrorf(format string, args ...any) error {
	return &settingsError{message: fmt.Sprintf(format, args...)}
}

// redacted removes the key from an error about settings.
func redacted(err error, key string) error {
	problems := settingsProblems(err)
	for i := range problems {
		problems[i].Text = service.Redact(problems[i].Text, key)
	}
	return &settingsError{message: service.Redact(err.Error(), key), problems: problems}
}

// settingsProblems lists the problems of an error about settings one by one; none for other errors.
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
