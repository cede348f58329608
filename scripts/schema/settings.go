package main

import (
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/experimental/pluginschema"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/insights/insights-reporting-datasource/settings"
)

// settingsSchema describes the settings of a data source. Settings of Grafana's own, such as those of TLS, are allowed
// in addition.
func settingsSchema() *pluginschema.Settings {
	root, jsonData := new(spec.Schema).Typed("object", ""), new(spec.Schema).Typed("object", "")
	schema := &pluginschema.Settings{Spec: root}
	for _, name := range settings.Names() {
		s := settings.Get(name)
		if s.In == settings.SecureJSONData {
			schema.SecureValues = append(schema.SecureValues, pluginschema.SecureValueInfo{
				Key: name, Description: capital(s.Description), Required: s.Required,
			})
			continue
		}
		object := root
		if s.In == settings.JSONData {
			object = jsonData
		}
		object.SetProperty(name, *settingSchema(s))
		if s.Required {
			object.AddRequired(name)
		}
	}
	root.SetProperty(string(settings.JSONData), *jsonData).AddRequired(string(settings.JSONData))
	return schema
}

func settingSchema(s settings.Setting) *spec.Schema {
	schema := new(spec.Schema).Typed(string(s.Type), "").WithTitle(s.Label).WithDescription(capital(s.Description)).WithDefault(s.Default)
	if s.Type == settings.Integer {
		schema.WithMinimum(float64(s.Min), false).WithMaximum(float64(s.Max), false)
	}
	if s.Values != nil {
		schema.WithEnum(anys(s.Values)...)
	}
	return schema
}

// settingsExamples are the minimal settings, and all settings with other values than their defaults.
func settingsExamples() *pluginschema.SettingsExamples {
	return &pluginschema.SettingsExamples{Examples: map[string]*spec3.Example{
		"required": settingsExample("What every data source needs, in addition to the key", func(s settings.Setting) bool { return s.Required }),
		"all":      settingsExample("Every setting, in addition to the key", func(settings.Setting) bool { return true }),
	}}
}

func settingsExample(description string, keep func(settings.Setting) bool) *spec3.Example {
	jsonData := map[string]any{}
	root := map[string]any{string(settings.JSONData): jsonData}
	for _, name := range settings.Names() {
		s := settings.Get(name)
		switch {
		case !keep(s):
		case s.In == settings.Root:
			root[name] = s.Example
		case s.In == settings.JSONData:
			jsonData[name] = s.Example
		}
	}
	return &spec3.Example{ExampleProps: spec3.ExampleProps{Description: description, Value: root}}
}

// capital returns a text with a capital first letter.
func capital(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

func anys(texts []string) []any {
	values := make([]any, len(texts))
	for i, text := range texts {
		values[i] = text
	}
	return values
}
