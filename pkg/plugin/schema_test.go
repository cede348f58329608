package plugin

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/grafana/grafana-plugin-sdk-go/backend"
	"github.com/grafana/grafana-plugin-sdk-go/experimental/pluginschema"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"
)

// go test ./pkg/plugin -run TestSchema -update writes the current schema. The build of the browser side copies it into
// dist for other programs; the backend does not use it.
var update = flag.Bool("update", false, "write the schema")

const (
	schemaVersion = "v0alpha1"
	schemaFolder  = "../../src/schema"
)

// pluginSchema describes the data source for programs: its settings, saved queries and resources.
func pluginSchema(t *testing.T) *pluginschema.PluginSchema {
	t.Helper()
	return &pluginschema.PluginSchema{
		TargetAPIVersion: schemaVersion,
		SettingsSchema:   settingsSchema(),
		SettingsExamples: settingsExamples(),
		Routes:           routesSchema(t),
		QueryTypes:       queryTypes(t),
		QueryExamples:    queryExamples(t),
	}
}

func TestSchema(t *testing.T) {
	file := schemaFolder + "/" + schemaVersion + ".json"
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false) // ">=" must be readable
	encoder.SetIndent("", "  ")
	require.NoError(t, encoder.Encode(plain(t, pluginSchema(t))))
	if *update {
		require.NoError(t, os.WriteFile(file, want.Bytes(), 0o644))
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, want.String(), string(got), "the code says something else: write the schema with -update, and read the difference")
}

// The SDK reads the file as Grafana does.
func TestSchemaIsReadByTheSDK(t *testing.T) {
	read, err := pluginschema.NewSchemaProvider(os.DirFS(schemaFolder)).Get(schemaVersion)
	require.NoError(t, err)
	require.False(t, read.IsZero())
	require.NoError(t, read.Routes.AssertPrefixes("/resources/"))
	assert.Equal(t, plain(t, pluginSchema(t)), plain(t, read), "nothing is lost")
}

func TestSettingsExamplesAreSettings(t *testing.T) {
	for name, example := range settingsExamples().Examples {
		t.Run(name, func(t *testing.T) {
			requireValid(t, settingsSchema().Spec, example.Value)
			written, err := json.Marshal(example.Value.(map[string]any)["jsonData"])
			require.NoError(t, err)
			_, err = LoadSettings(backend.DataSourceInstanceSettings{
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
