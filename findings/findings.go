// Package findings describes what "Save & test" can find out about a service. The sentences stand in findings.json, which
// the browser side reads too: it says them in the user's language.
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

// Severity is how much a finding matters.
type Severity string

// OK and Info are as good as each other for queries; Info is worth knowing. A Warning is to be looked at. An Error keeps
// the data source from working.
const (
	OK      Severity = "ok"
	Info    Severity = "info"
	Warning Severity = "warning"
	Error   Severity = "error"
)

// Values are what a sentence is about, by the names that it has for them.
type Values map[string]any

// Finding is one line of a report.
type Finding struct {
	Key      string   `json:"key,omitempty"` // names the sentence, whatever the language; "": it has none
	Severity Severity `json:"severity"`
	Text     string   `json:"text"` // the sentence in English
	Values   Values   `json:"values,omitempty"`
	// Setting is the setting that the finding is about, and Value what a person should enter there; nil: nothing.
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

// Keys returns the keys of all sentences.
func Keys() []string {
	keys := make([]string, 0, len(sentences))
	for key := range sentences {
		keys = append(keys, key)
	}
	return keys
}

// New makes a finding. A key that the description does not have stands for its own sentence.
func New(key string, values Values) Finding {
	s, ok := sentences[key]
	if !ok {
		s = sentence{Severity: Info, Text: key}
	}
	return Finding{Key: key, Severity: s.Severity, Text: fill(s.Text, values), Values: values}
}

// Suggest adds what a person should enter in a setting.
func (f Finding) Suggest(setting string, value any) Finding {
	f.Setting, f.Value = setting, value
	return f
}

// fill puts values in their places, numbers as English writes them.
func fill(text string, values Values) string {
	english := message.NewPrinter(language.English)
	pairs := make([]string, 0, 2*len(values))
	for name, value := range values {
		pairs = append(pairs, "{{"+name+"}}", english.Sprint(value))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
