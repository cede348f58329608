package schema

import (
	_ "embed"
	"slices"
)

//go:embed attention.json
var attentionFile []byte

// Reason is a kind of reasons to look at an automation or a runner.
type Reason struct {
	Named // describes the threshold
	// Threshold is the default from which on the reason is given, and Least the smallest one that makes sense.
	Threshold float64 `json:"threshold"`
	Least     float64 `json:"least"`
	Unit      string  `json:"unit"` // of the threshold
	// Severity is that at the threshold, from 1 to 3.
	Severity int `json:"severity"`
	// Why is the sentence in each language, with verbs of package fmt.
	Why map[Language]string `json:"why"`
}

// Attention describes the format attention.
var Attention = decode[struct {
	Days    int      `json:"days"` // that show what is usual
	Reasons []Reason `json:"reasons"`
	Fields  []Field  `json:"fields"` // of the frame, besides fields of tasks
}]("attention.json", attentionFile)

// AttentionField returns the field with this name, which must exist.
func AttentionField(name string) *Field {
	return &Attention.Fields[slices.IndexFunc(Attention.Fields, func(f Field) bool { return f.Name == name })]
}
