package schema

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

//go:embed settings.json
var settingsFile []byte

// Place is where Grafana and provisioning files store a setting.
type Place string

// The places. Root is at the same level as jsonData, and SecureJSONData is stored encrypted.
const (
	Root           Place = "root"
	JSONData       Place = "jsonData"
	SecureJSONData Place = "secureJsonData"
)

// Setting describes one setting.
type Setting struct {
	Name        string `json:"-"`
	In          Place  `json:"in"`
	Label       string `json:"label"` // in the config editor, in English
	Type        Type   `json:"type"`
	Required    bool   `json:"required"`
	Description string `json:"description"`
	// Default is the value of an absent setting; nil if it is required or has no default.
	Default any `json:"default"`
	// Values are the allowed values; nil: any.
	Values []string `json:"values"`
	// Min and Max are the inclusive bounds of a number, and Unit is its unit.
	Min  int    `json:"min"`
	Max  int    `json:"max"`
	Unit string `json:"unit"`
	// Variable stands in an address for the key of what the page shows; empty: the setting is not such an address.
	Variable string `json:"variable"`
	// Example is a valid value other than the default; secrets have none.
	Example any `json:"example"`
}

var settings = decode[struct {
	Settings map[string]Setting `json:"settings"`
}]("settings.json", settingsFile).Settings

// SettingNames returns the names of all settings, sorted.
func SettingNames() []string {
	return slices.Sorted(maps.Keys(settings))
}

// GetSetting returns a setting. It panics on an unknown name, which is a programming error.
func GetSetting(name string) Setting {
	s, ok := settings[name]
	if !ok {
		panic(fmt.Sprintf("settings.json has no setting %q", name))
	}
	s.Name = name
	return s
}

// Path returns the name and place as in provisioning files.
func (s Setting) Path() string {
	if s.In == Root {
		return s.Name
	}
	return string(s.In) + "." + s.Name
}

// Title names the setting in a message, as in the config editor and in provisioning files.
func (s Setting) Title() string {
	return fmt.Sprintf("%s (%s)", s.Label, s.Path())
}

// Shown returns a value of the settings for a message: a text as it is, and anything else as the JSON that is saved.
func Shown(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	raw, _ := json.Marshal(value) // It was decoded from JSON.
	return string(raw)
}
