// Package findings describes what "Save & test" can find out about a service. The messages are in findings.json, which
// the browser side reads, too, to translate them.
package findings

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:embed findings.json
var description []byte

// Severity is the importance of a finding.
type Severity string

// OK and Info do not affect queries; Info is worth knowing. A Warning needs attention. An Error prevents the data
// source from working.
const (
	OK      Severity = "ok"
	Info    Severity = "info"
	Warning Severity = "warning"
	Error   Severity = "error"
)

// Values are the named values of a message.
type Values map[string]any

// Finding is one line of a report.
type Finding struct {
	Key      string   `json:"key,omitempty"` // identifies the message in any language; "" without one
	Severity Severity `json:"severity"`
	Text     string   `json:"text"` // the message in English
	Values   Values   `json:"values,omitempty"`
	// Setting is the setting that the finding is about, and Value the suggested value; nil without a suggestion.
	Setting string `json:"setting,omitempty"`
	Value   any    `json:"value,omitempty"`
}

type sentence struct {
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
}

var sentences = load()

func load() map[string]sentence {
	var file struct {
		Findings map[string]sentence `json:"findings"`
	}
	if err := json.Unmarshal(description, &file); err != nil {
		panic(fmt.Sprintf("findings.json: %v", err))
	}
	return file.Findings
}

// Keys returns the keys of all messages.
func Keys() []string {
	keys := make([]string, 0, len(sentences))
	for key := range sentences {
		keys = append(keys, key)
	}
	return keys
}

// New returns a finding. An unknown key is its own message.
func New(key string, values Values) Finding {
	s, ok := sentences[key]
	if !ok {
		s = sentence{Severity: Info, Text: key}
	}
	return Finding{Key: key, Severity: s.Severity, Text: fill(s.Text, values), Values: values}
}

// Suggest adds a suggested value for a setting.
func (f Finding) Suggest(setting string, value any) Finding {
	f.Setting, f.Value = setting, value
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
