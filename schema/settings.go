package schema

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed settings.json
var settingsFile []byte

// Setting describes one setting.
type Setting struct {
	Name        string `json:"-"`
	In          string `json:"in"`    // jsonData, secureJsonData, or root, which is at the same level
	Label       string `json:"label"` // in the config editor, in English
	Type        Type   `json:"type"`
	Required    bool   `json:"required"`
	Description string `json:"description"`

	Default  any      `json:"default"`  // the value of an absent setting; nil if it is required or has no default
	Values   []string `json:"values"`   // the allowed values; nil: any
	Min      int      `json:"min"`      // of a number, inclusive
	Max      int      `json:"max"`      // of a number, inclusive
	Unit     string   `json:"unit"`     // of a number
	Variable string   `json:"variable"` // stands in an address for the key of what the page shows; empty: it is no such address
	Example  any      `json:"example"`  // a valid value other than the default; secrets have none
}

var settings = decode[struct {
	Settings map[string]Setting `json:"settings"`
}]("settings.json", settingsFile).Settings

// SettingNames returns the names of all settings, sorted.
func SettingNames() []string { return slices.Sorted(maps.Keys(settings)) }

// GetSetting returns a setting. It panics on an unknown name, which is a programming error.
func GetSetting(name string) Setting {
	s, ok := settings[name]
	if !ok {
		panic(fmt.Sprintf("settings.json has no setting %q", name))
	}
	s.Name = name
	return s
}

// Title names the setting in a message, as in the config editor and in provisioning files.
func (s Setting) Title() string {
	return fmt.Sprintf("%s (%s)", s.Label, strings.TrimPrefix(s.In+"."+s.Name, "root."))
}

// Shown returns a value of the settings for a message: a text as it is, and anything else as the JSON that is saved.
func Shown(value any) string {
	if text, isText := value.(string); isText {
		return text
	}
	raw, _ := json.Marshal(value) // It was decoded from JSON.
	return string(raw)
}

//go:embed findings.json
var findingsFile []byte

// Severity is the importance of a finding.
type Severity string

// SeverityOK and SeverityInfo do not affect queries; SeverityInfo is worth knowing. SeverityWarning needs attention.
// SeverityError prevents the data source from working.
const (
	SeverityOK      Severity = "ok"
	SeverityInfo    Severity = "info"
	SeverityWarning Severity = "warning"
	SeverityError   Severity = "error"
)

// Values are the named values of a message.
type Values map[string]any

// Finding is one line of a report.
type Finding struct {
	Key      string   `json:"key,omitempty"` // identifies the message in any language; "" without one
	Severity Severity `json:"severity"`
	Text     string   `json:"text"` // the message in English
	Values   Values   `json:"values,omitempty"`
	Setting  string   `json:"setting,omitempty"` // that the finding is about
	Value    any      `json:"value,omitempty"`   // suggested for the setting; nil without a suggestion
}

var sentences = decode[struct {
	Findings map[string]Finding `json:"findings"`
}]("findings.json", findingsFile).Findings

// FindingKeys returns the keys of all messages.
func FindingKeys() []string { return slices.Collect(maps.Keys(sentences)) }

// NewFinding returns the finding with this key, which must exist.
func NewFinding(key string, values Values) Finding {
	f := sentences[key]
	f.Key, f.Text, f.Values = key, fill(f.Text, values), values
	return f
}

// fill inserts values, with English number formatting.
func fill(text string, values Values) string {
	english := message.NewPrinter(language.English)
	pairs := make([]string, 0, 2*len(values))
	for name, value := range values {
		pairs = append(pairs, "{{"+name+"}}", english.Sprint(value))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
