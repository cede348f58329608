// Package inputerror marks errors in what a user asked for, as opposed to failures of the service or the plugin.
package inputerror

import (
	"errors"
	"fmt"
)

// Err marks an error in the query itself: an unknown field, or a value that does not match its type.
var Err = errors.New("bad input")

type message struct{ text string }

func (m *message) Error() string        { return m.text }
func (m *message) Is(target error) bool { return target == Err }

// Errorf returns an error that is Err. The text names the value, and what is allowed.
func Errorf(format string, args ...any) error { return &message{text: fmt.Sprintf(format, args...)} }
