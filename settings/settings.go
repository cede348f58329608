// Package settings describes the settings of the data source: names, defaults and bounds. The description itself stands in
// settings.json, which the config editor reads too.
package settings

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

//go:embed settings.json
var description []byte

// Place is where a setting stands in what Grafana keeps of a data source, and in provisioning files.
type Place string

// The places. Root is beside jsonData, and what stands in SecureJSONData is stored encrypted.
const (
	Root           Place = "root"
	JSONData       Place = "jsonData"
	SecureJSONData Place = "secureJsonData"
)

// Type is the type of a setting's values, as JSON Schema names it.
type Type string

// The types a setting can have.
const (
	String  Type = "string"
	Integer Type = "integer"
	Boolean Type = "boolean"
)

// Setting describes one setting.
type Setting struct {
	Name        string `json:"-"`
	In          Place  `json:"in"`
	Label       string `json:"label"` // in the page, in English
	Type        Type   `json:"type"`
	Required    bool   `json:"required"`
	Description string `json:"description"`
	// Default is what an absent setting means; nil: it is required, or means nothing.
	Default any `json:"default"`
	// Values are all that are allowed; nil: any.
	Values []string `json:"values"`
	// Min and Max are the bounds of an integer, both allowed, and Unit is what it counts.
	Min  int    `json:"min"`
	Max  int    `json:"max"`
	Unit string `json:"unit"`
	// Example is a value that can be used, another one than the default; secrets have none.
	Example any `json:"example"`
}

var all = load()

func load() map[string]Setting {
	var file struct {
		Settings map[string]Setting `json:"settings"`
	}
	if err := json.Unmarshal(description, &file); err != nil {
		panic(fmt.Sprintf("settings.json: %v", err))
	}
	for name, s := range file.Settings {
		s.Name = name
		file.Settings[name] = s
	}
	return file.Settings
}

// Names returns the names of all settings, sorted.
func Names() []string {
	return slices.Sorted(maps.Keys(all))
}

// Get returns a setting. A name that the description does not have is a mistake in the program: it panics.
func Get(name string) Setting {
	s, ok := all[name]
	if !ok {
		panic(fmt.Sprintf("settings.json has no setting %q", name))
	}
	return s
}

// Path is the name as provisioning files have it, with its place.
func (s Setting) Path() string {
	if s.In == Root {
		return s.Name
	}
	return string(s.In) + "." + s.Name
}

// Title names the setting in a message: as the page and as provisioning files do.
func (s Setting) Title() string {
	return fmt.Sprintf("%s (%s)", s.Label, s.Path())
}

// Text is the default of a string; empty where it has none.
func (s Setting) Text() string {
	text, _ := s.Default.(string)
	return text
}

// Number is the default of an integer.
func (s Setting) Number() int {
	number, _ := s.Default.(float64)
	return int(number)
}

// On is the default of a boolean.
func (s Setting) On() bool {
	on, _ := s.Default.(bool)
	return on
}
