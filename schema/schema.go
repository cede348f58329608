// Package schema reads the descriptions of data sets, settings, findings, attention, and words, which the editors read, too.
package schema

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Type is the type of the values of a field or a setting.
type Type string

// The types of fields; settings have those of JSON Schema. JSON is for fields that are not described, as received.
const (
	String  Type = "string"
	Integer Type = "integer"
	Number  Type = "number"
	Time    Type = "time"
	JSON    Type = "json"
)

// Named is a name in the API with what users see instead, in English and translated. Only the editors translate descriptions.
type Named struct {
	Name         string                                           `json:"name"`
	Label        string                                           `json:"label"`
	Description  string                                           `json:"description"`
	Translations map[Language]struct{ Label, Description string } `json:"translations"`
}

// Called returns the display name, English for an unknown language.
func (n Named) Called(l Language) string {
	if l == API {
		return n.Name
	}
	return cmp.Or(n.Translations[l].Label, n.Label)
}

// Names returns the names in the API.
func Names[S ~[]E, E interface{ Called(Language) string }](list S) []string {
	names := make([]string, len(list))
	for i, each := range list {
		names[i] = each.Called(API)
	}
	return names
}

func find[E interface{ Called(Language) string }](list []E, name string) *E {
	for n := range list {
		if list[n].Called(API) == name {
			return &list[n]
		}
	}
	return nil
}

// List joins names for a message: "a, b, c".
func List(names []string) string { return strings.Join(names, ", ") }

//go:embed *.json
var files embed.FS

// decode reads an embedded file. It panics, because only a mistake in the source code makes it fail.
func decode[T any](file string) (description T) {
	content, _ := files.ReadFile(file)
	if err := json.Unmarshal(content, &description); err != nil {
		panic(fmt.Sprintf("%s: %v", file, err))
	}
	return description
}

// Language is the language of display names, by its tag such as pt-BR.
type Language string

const (
	English Language = "en-US" // also the language of notices and errors
	// API stands for the API's own names, with English words around them.
	API Language = "api"
)

// Words are the words around names.
type Words struct {
	None              string // a label without a value
	LastDay, LastDays string
	Nothing, NoTasks  string // needs attention, or are there to judge
	NothingRead       string // needs attention, but something could not be read
	NoMatch           string // of the groups
	NotJudged         string // how many groups
	NoAnswer          string
	NoAnswerSince     string // a time
	Reading           string // how far
	UntilNow, Change  string
	Only              string            // a part of the time
	Margin, MarginIs  string            // of a sum
	Total             string            // of all groups
	Severities        []string          // from 1 on
	Start, End        string            // of a bar
	Open              map[string]string // titles of links, by their settings
	Before            map[string]string // the value of compare and its period
	Weekdays          []string          // from Sunday on
	ShortWeekdays     []string
	Months            []string
}

var words = decode[map[Language]Words]("words.json")

// Words returns the words in the language; English for an unknown one.
func (l Language) Words() Words {
	if w, ok := words[l]; ok {
		return w
	}
	return words[English]
}

// Reason is a kind of reasons to look at an automation or a runner.
type Reason struct {
	Named
	// Why are its sentences in each language, with verbs of package fmt, by the case that they are for.
	Why map[string]map[Language]string `json:"why"`
}

// Sentence returns the sentence for a case, in English for an unknown language.
func (r *Reason) Sentence(which string, l Language) string {
	return cmp.Or(r.Why[which][l], r.Why[which][English])
}

// Attention describes the format attention.
var Attention = decode[struct {
	Days          int      `json:"days"` // that show what is usual
	Uses          []string `json:"uses"` // fields of tasks that decide, besides those of the groups
	Reasons       []Reason `json:"reasons"`
	Sensitivities []Named  `json:"sensitivities"`
	Fields        []Field  `json:"fields"` // of the frame, besides fields of tasks
	RobotStates   []State  `json:"robotStates"`
	DueStates     []State  `json:"dueStates"` // these two are of the format deadlines
	DueFields     []Field  `json:"dueFields"`
}]("attention.json")

// Judged is what a query of the format attention judges.
type Judged struct {
	Reasons     []string // that are on, by their names
	Sensitivity string   // fewer, usual, or more
	Ignored     []string // groups that are never shown
	All         bool     // each runner has a row, with what it does; for panels
}

// AttentionField returns the field with this name, which must exist.
func AttentionField(name string) *Field { return find(Attention.Fields, name) }

// State is what a robot does, or what has become of a deadline.
type State struct {
	Named
	Color string `json:"color"`
}

// DueField returns the field of the format deadlines with this name, which must exist.
func DueField(name string) *Field { return find(Attention.DueFields, name) }

// AttentionReason returns the reason with this name, which must exist.
func AttentionReason(name string) *Reason { return find(Attention.Reasons, name) }

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
}]("settings.json").Settings

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
	return Written(value)
}

// Written returns a value that was decoded from JSON as it is written there.
func Written(value any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value)
	return strings.TrimSpace(text.String())
}

// Severity is the importance of a finding: "ok", "info", or one of these.
type Severity string

const (
	SeverityWarning Severity = "warning" // needs attention
	SeverityError   Severity = "error"   // the data source does not work
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
}]("findings.json").Findings

// FindingKeys returns the keys of all messages.
func FindingKeys() []string { return slices.Collect(maps.Keys(sentences)) }

// NewFinding returns the finding with this key, which must exist.
func NewFinding(key string, values Values) Finding {
	f := sentences[key]
	english, pairs := message.NewPrinter(language.English), []string{}
	for name, value := range values {
		pairs = append(pairs, "{{"+name+"}}", english.Sprint(value))
	}
	f.Key, f.Text, f.Values = key, strings.NewReplacer(pairs...).Replace(f.Text), values
	return f
}
