// Command schema writes the description of the data source for programs, of its settings, saved queries and resources:
// src/schema/v0alpha1.json. The build of the frontend copies it into dist; the backend does not use it.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"path/filepath"

	"github.com/grafana/grafana-plugin-sdk-go/experimental/pluginschema"
)

//go:generate go run .

const (
	version = "v0alpha1"
	folder  = "../../src/schema"
)

func main() {
	raw, err := encoded()
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, version+".json"), raw, 0o644)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// encoded returns the schema as JSON, with sorted keys.
func encoded() ([]byte, error) {
	raw, err := json.Marshal(pluginSchema())
	if err != nil {
		return nil, err
	}
	var sorted any
	if err := json.Unmarshal(raw, &sorted); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // ">=" must be readable
	encoder.SetIndent("", "  ")
	err = encoder.Encode(sorted)
	return out.Bytes(), err
}

func pluginSchema() *pluginschema.PluginSchema {
	return &pluginschema.PluginSchema{
		TargetAPIVersion: version,
		SettingsSchema:   settingsSchema(),
		SettingsExamples: settingsExamples(),
		Routes:           routesSchema(),
		QueryTypes:       queryTypes(),
		QueryExamples:    queryExamples(),
	}
}
