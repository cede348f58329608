package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/experimental/pluginschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/insights/insights-reporting-datasource/pkg/plugin"
)

func TestSchemaIsCurrent(t *testing.T) {
	want, err := encoded()
	require.NoError(t, err)
	got, err := os.ReadFile(filepath.Join(folder, version+".json"))
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got), "run go generate ./scripts/schema, and read the difference")
}

// The SDK reads the file as Grafana does.
func TestSchemaIsReadByTheSDK(t *testing.T) {
	read, err := pluginschema.NewSchemaProvider(os.DirFS(folder)).Get(version)
	require.NoError(t, err)
	require.False(t, read.IsZero())
	require.NoError(t, read.Routes.AssertPrefixes("/resources/"))
	assert.Equal(t, plain(t, pluginSchema()), plain(t, read), "nothing is lost")
}

func TestSettingsExamplesAreSettings(t *testing.T) {
	for name, example := range settingsExamples().Examples {
		t.Run(name, func(t *testing.T) {
			requireValid(t, settingsSchema().Spec, example.Value)
			written, err := json.Marshal(example.Value.(map[string]any)["jsonData"])
			require.NoError(t, err)
			_, err = plugin.LoadSettings(backend.DataSourceInstanceSettings{
				URL:                     example.Value.(map[string]any)["url"].(string),
				JSONData:                written,
				DecryptedSecureJSONData: map[string]string{"key": "any"},
			})
			require.NoError(t, err)
		})
	}
}

// plain returns a value as decoded from JSON.
func plain(t *testing.T, value any) (decoded any) {
	t.Helper()
	encoded, err := json.Marshal(value)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(encoded, &decoded))
	return decoded
}

func requireValid(t *testing.T, schema *spec.Schema, value any) {
	t.Helper()
	require.NoError(t, problems(t, schema, value))
}

// problems returns the schema violations of a value.
func problems(t *testing.T, schema *spec.Schema, value any) error {
	t.Helper()
	return validate.NewSchemaValidator(schema, nil, "", strfmt.Default).Validate(plain(t, value)).AsError()
}
