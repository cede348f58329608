package insights

import "fmt"

// recoverTo turns a panic into an error. Work that runs in a goroutine of its own is out of reach of the SDK's
// recovery, and a panic there would end the plugin for every data source.
func recoverTo(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("internal error while reading from the service: %v", r)
	}
}
