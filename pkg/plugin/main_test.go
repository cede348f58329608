package plugin

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend/log"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// secrets must not appear in any log, response or frame.
var secrets = []string{servicetest.Key, servicetest.TokenPrefix, "hunter2"}

// logged records the log of the tests, at every level.
var logged = &recorder{}

// TestMain runs the tests and then checks everything that the plugin logged.
func TestMain(m *testing.M) {
	log.DefaultLogger = logged
	code := m.Run()
	for _, secret := range secrets {
		for _, line := range logged.lines {
			if strings.Contains(line, secret) {
				fmt.Printf("a secret was logged: %s\n", line)
				code = 1
			}
		}
	}
	os.Exit(code)
}

type recorder struct {
	mu    sync.Mutex
	lines []string
}

func (r *recorder) log(msg string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf("%s %+v", msg, args))
}

func (r *recorder) Debug(msg string, args ...any)          { r.log(msg, args...) }
func (r *recorder) Info(msg string, args ...any)           { r.log(msg, args...) }
func (r *recorder) Warn(msg string, args ...any)           { r.log(msg, args...) }
func (r *recorder) Error(msg string, args ...any)          { r.log(msg, args...) }
func (r *recorder) With(args ...any) log.Logger            { r.log("with", args...); return r }
func (r *recorder) Level() log.Level                       { return log.Debug }
func (r *recorder) FromContext(context.Context) log.Logger { return r }
