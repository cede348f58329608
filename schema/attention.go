package schema

import (
	"cmp"
	_ "embed"
)

//go:embed attention.json
var attentionFile []byte

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
	// DueStates and DueFields are those of the format deadlines.
	DueStates []DueState `json:"dueStates"`
	DueFields []Field    `json:"dueFields"`
}]("attention.json", attentionFile)

// AttentionField returns the field with this name, which must exist.
func AttentionField(name string) *Field { return find(Attention.Fields, name) }

// DueState is what has become of a deadline.
type DueState struct {
	Named
	Color string `json:"color"`
}

// DueField returns the field of the format deadlines with this name, which must exist.
func DueField(name string) *Field { return find(Attention.DueFields, name) }

// AttentionReason returns the reason with this name, which must exist.
func AttentionReason(name string) *Reason { return find(Attention.Reasons, name) }
