package plugin

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend/tracing"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// errorTracer keeps the errors of all spans.
type errorTracer struct {
	noop.Tracer
	mu    sync.Mutex
	texts []string
}

type errorSpan struct {
	noop.Span
	tracer *errorTracer
}

func (t *errorTracer) Start(ctx context.Context, _ string, _ ...trace.SpanStartOption) (context.Context, trace.Span) {
	return ctx, errorSpan{tracer: t}
}

func (t *errorTracer) add(text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.texts = append(t.texts, text)
}

func (s errorSpan) RecordError(err error, _ ...trace.EventOption) { s.tracer.add(err.Error()) }

func (s errorSpan) SetStatus(_ codes.Code, description string) { s.tracer.add(description) }

// A span says the same as the response and the log, also where a message lists fields of the service.
func TestNoSecretInSpans(t *testing.T) {
	before, spans := tracing.DefaultTracer(), &errorTracer{}
	tracing.InitDefaultTracer(spans)
	t.Cleanup(func() { tracing.InitDefaultTracer(before) })
	row := fmt.Sprintf(`{"id":1,%q:1,%q:2}`, servicetest.Key, servicetest.Token(1))
	i := start(t, newService().Data(tasksPath, servicetest.OK(page(row))))

	got := ask(t, i, `{"days":1,"columns":["nosuch"]}`)
	require.ErrorContains(t, got.Error, "[secret]")
	assert.Equal(t, []string{got.Error.Error(), got.Error.Error()}, spans.texts)

	s := newService().On(runnersPath, servicetest.Status(400, `{"message":"`+servicetest.Key+`"}`))
	got = ask(t, start(t, s), `{"queryType":"runners","days":1}`)
	require.Error(t, got.Error)
	for _, text := range spans.texts {
		requireNoSecrets(t, text)
	}
}
