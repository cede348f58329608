package schema

import (
	"cmp"
	"slices"
)

// Quantity is what a field and a measure that is a number have in common.
type Quantity struct {
	Unit     string  `json:"unit"` // a Grafana unit ID; of money, the one to use while its currency is unknown
	Decimals *uint16 `json:"decimals"`
	Rate     bool    `json:"rate"`  // a rate of unknown scale: 0..1 or 0..100 (setting rateScale)
	Money    bool    `json:"money"` // an amount in the workspace's currency, which the service does not report (setting currency)
	// Aggregate is how grouped rows are combined: "sum", "mean", "return", or empty if a field is not a measure. A measure may also
	// have "count", the number of rows; for the others of datasets.json, package frame has the formula.
	Aggregate string `json:"aggregate"`
	Gain      string `json:"gain"`     // of a "return" on investment: the field of what the investment brought
	Additive  bool   `json:"additive"` // adds up over time: the difference of two totals up to now is what happened between their starts
}

// Field describes one field of a record (specification, "Resources and their fields").
type Field struct {
	Named
	Quantity
	Type        Type     `json:"type"`
	Groupable   bool     `json:"groupable"`   // can be a label: has few values, and is neither an ID nor free text
	Workspace   bool     `json:"workspace"`   // derived, and says whose rows a read has: all of them have the same value
	ServiceSort bool     `json:"serviceSort"` // the service itself can sort by it
	Uses        []string `json:"uses"`        // the fields of the record that decide the value of a derived field
	OtherRows   bool     `json:"otherRows"`   // decide it, too
	// NeverNull fields have a value in each row, as specified, except for those that may be empty or no number, and counts of items.
	NeverNull     bool              `json:"neverNull"`
	AcceptsNumber bool              `json:"acceptsNumber"` // a text that may also be a JSON number, whose literal is kept
	Colors        map[string]string `json:"colors"`        // Grafana color names, by value
	Link          string            `json:"link"`          // the setting with the address of the page of what it identifies, if any
}

// Measure is a number that numeric and timeseries frames show.
type Measure struct {
	Named
	Quantity
	Empty   string   `json:"empty"`   // its value without rows: "zero" for counts and sums, "null" for ratios and means
	Time    string   `json:"time"`    // "now" for tasks as they are now, "runs" for when they ran, or else the time field of its rows
	History bool     `json:"history"` // tasks from before the time range decide, too: what is usual, or which failure was the first
	Uses    []string `json:"uses"`    // the fields of the record that decide it, besides those that choose and group rows
}

// TeamField is the derived field that says whose automation it is: the setting teams lists them.
const TeamField = "team"

// What stands for other names among the fields that decide a value.
const (
	ofTimeField = "timeField"   // the time that a query counts by
	EndOfOthers = "endOfOthers" // the dates that show whether a task in a state that is not known has ended, of such tasks only
)

// Sort is an order of rows.
type Sort struct {
	Field string `json:"field"`
	Order string `json:"order"`
}

// Question describes which rows to request from a data route.
type Question struct {
	DataSet *DataSet
	Days    int    // days to look back; at least 1
	Search  string // sent if the route has a search parameter; empty: all
	Sort    *Sort  // sent if the route can sort by the field; nil: the service's order
	Size    int    // rows to request in a page; 0: the service's default
}

// Parameters are the names of a route's query parameters; empty for those that it does not have.
type Parameters struct {
	Page   string `json:"page"`
	Size   string `json:"size"` // rows of a page: not specified, so that only the response shows whether the service supports it
	Days   string `json:"days"`
	Sort   string `json:"sort"`
	Search string `json:"search"`
}

// End identifies the rows that are final: nothing about them changes anymore.
type End struct {
	Field      string   `json:"field"`
	Values     []string `json:"values"`
	Result     string   `json:"result"` // null until a row with one of the values WithResult has its result
	WithResult []string `json:"withResult"`
}

// DataSet describes one data set and its route (specification, "Endpoints"). What it does not have is empty.
type DataSet struct {
	Named
	Path            string     `json:"path"`
	PathSetting     string     `json:"pathSetting"` // overrides Path, which the specification does not show
	LikelyPaths     []string   `json:"likelyPaths"` // which Save & test tries if Path does not work
	Key             string     `json:"key"`
	End             *End       `json:"end"` // nil if no row is ever final
	Parameters      Parameters `json:"parameters"`
	SearchField     string     `json:"searchField"`
	NameField       string     `json:"nameField"`
	AutomationField string     `json:"automationField"` // the label of an automation
	CountField      string     `json:"countField"`      // counts the tasks of a row: without any, its rates say nothing
	TimeFields      []string   `json:"timeFields"`      // the times of a row, the default one first
	DefaultSort     *Sort      `json:"defaultSort"`     // the order in which the service lists rows; nil: unknown
	Fields          []Field    `json:"fields"`
	Derived         []Field    `json:"derived"`  // computed from the others; a table contains them only if it names them
	Computed        []Measure  `json:"measures"` // computed from the rows; without any, the fields with an Aggregate are the measures
}

// DataSets are the data sets of a service, the default one first.
type DataSets []*DataSet

var described = decode[struct {
	DataSets DataSets `json:"dataSets"`
}]("datasets.json")

// All returns the data sets of the Insights service, in the order of the description.
func All() DataSets { return described.DataSets }

// Default returns the data set of a query that names none.
func (sets DataSets) Default() *DataSet { return sets[0] }

// Get returns the data set with this name, or nil.
func (sets DataSets) Get(name string) *DataSet {
	if set := find(sets, name); set != nil {
		return *set
	}
	return nil
}

// Field returns the field with this name, including derived ones, or nil.
func (d *DataSet) Field(name string) *Field {
	return cmp.Or(find(d.Fields, name), find(d.Derived, name))
}

// FieldNames returns the names of the fields that keep accepts, in the specification's order, followed by derived fields.
func (d *DataSet) FieldNames(keep func(Field) bool) []string {
	var names []string
	for _, f := range slices.Concat(d.Fields, d.Derived) {
		if keep(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// UsesOf returns the fields of the record that decide the values of others, which may be derived, and of measures: each once. A
// name that is not in the description is that of a field. timeField is the time that the query counts by.
func (d *DataSet) UsesOf(fields, measures []string, timeField string) (uses []string) {
	for _, name := range fields {
		if f := d.Field(name); f != nil && (f.Uses != nil || f.Workspace) {
			uses = append(uses, f.Uses...)
		} else {
			uses = append(uses, name)
		}
	}
	for _, name := range measures {
		if m := d.Measure(name); m != nil {
			uses = append(uses, m.Uses...)
		} else {
			uses = append(uses, name)
		}
	}
	for n, name := range uses {
		if name == ofTimeField {
			uses[n] = timeField
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(uses)))
}

// HasTimes reports whether rows have times. Otherwise, they are of named things, and the past is the difference of totals.
func (d *DataSet) HasTimes() bool { return len(d.TimeFields) > 0 }

// Drawn returns the measures that a timeseries can show: all if rows have times, otherwise those that add up over time.
func (d *DataSet) Drawn() []Measure {
	return slices.DeleteFunc(d.Measures(), func(m Measure) bool { return !d.HasTimes() && !m.Additive })
}

// Measures returns the measures that numeric and timeseries frames of this data set can show.
func (d *DataSet) Measures() []Measure {
	if len(d.Computed) > 0 {
		return d.Computed
	}
	var measures []Measure
	for _, f := range d.Fields {
		if f.Aggregate == "" {
			continue
		}
		m := Measure{Named: f.Named, Quantity: f.Quantity, Uses: []string{f.Name}, Empty: "null"}
		if f.Gain != "" {
			m.Uses = append(m.Uses, f.Gain)
		}
		if f.Rate {
			m.Uses = append(m.Uses, d.CountField) // Without tasks, a rate says nothing.
		}
		measures = append(measures, m)
	}
	return measures
}

// Measure returns the measure with this name, or nil.
func (d *DataSet) Measure(name string) *Measure { return find(d.Measures(), name) }

// Figure is a number of a group: a measure or, of a comparison, one of its aspects.
type Figure struct {
	Name    string // of its field
	Measure string
	Aspect  string // empty: the measure itself
}

// The aspects of a measure: those of a comparison, and how far off the sum of a time range may be.
const (
	Before     = "before"     // its earlier value
	Change     = "change"     // by which fraction of that it has changed
	Difference = "difference" // by how much, of a share in percentage points
	Margin     = "margin"     // the service adds up whole days back from now, which are not those of the time range
)

// Aspects are the aspects, which follow a measure and a point in the name of a figure.
var Aspects = []string{Before, Change, Difference, Margin}

// IsCompared reports whether it is an aspect of a comparison.
func (f Figure) IsCompared() bool { return f.Aspect != "" && f.Aspect != Margin }

// MeasuresOf returns the measures of figures, each once.
func MeasuresOf(figures []Figure) (measures []string) {
	for _, f := range figures {
		if !slices.Contains(measures, f.Measure) {
			measures = append(measures, f.Measure)
		}
	}
	return measures
}

// IsAboutNow reports whether the measure describes the current state of tasks, independent of the time range.
func (m *Measure) IsAboutNow() bool { return m.Time == "now" }

// HasHistory reports whether tasks from before the time range decide about the measure.
func (m *Measure) HasHistory() bool { return m.History }

// Compares reports whether an earlier value of a measure can be known; nil: of a field that is not in the description.
func (d *DataSet) Compares(m *Measure) bool {
	return m != nil && !m.IsAboutNow() && (d.HasTimes() || m.Additive)
}
