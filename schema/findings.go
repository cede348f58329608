package schema

import (
	_ "embed"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

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
	// Setting is the setting that the finding is about, and Value the suggested value; nil without a suggestion.
	Setting string `json:"setting,omitempty"`
	Value   any    `json:"value,omitempty"`
}

type sentence struct {
	Severity Severity `json:"severity"`
	Text     string   `json:"text"`
}

var sentences = decode[struct {
	Findings map[string]sentence `json:"findings"`
}]("findings.json", findingsFile).Findings

// FindingKeys returns the keys of all messages.
func FindingKeys() []string {
	return slices.Collect(maps.Keys(sentences))
}

// NewFinding returns the finding with this key, which must exist.
func NewFinding(key string, values Values) Finding {
	s := sentences[key]
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
