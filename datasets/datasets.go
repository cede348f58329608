// Package datasets describes what the service offers: data sets, their routes, parameters, fields and
// measures. The description itself stands in datasets.json, which the editors read too.
package datasets

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

//go:embed datasets.json
var description []byte

// Type is the type of a field's values.
type Type string

// The types a field can have. JSON holds nested values, and values of an unknown field that come in several types.
const (
	String  Type = "string"
	Integer Type = "integer"
	Number  Type = "number"
	Boolean Type = "boolean"
	Time    Type = "time"
	JSON    Type = "json"
)

// Field describes one field of a record (specification, "Resources and their fields").
type Field struct {
	Name string `json:"name"`
	// Label is what people call it, in English; Labels says it in the other languages.
	Label       string            `json:"label"`
	Labels      map[string]string `json:"labels"`
	Type        Type              `json:"type"`
	Description string            `json:"description"`
	// Unit is a Grafana unit id; of an amount of money, the one that it has while its currency is unknown.
	Unit     string `json:"unit"`
	Decimals *int   `json:"decimals"`
	// Rate marks a rate of unknown scale: 0..1 or 0..100 (setting rateScale).
	Rate bool `json:"rate"`
	// Money marks an amount in the workspace's currency, which the service does not say (setting currency).
	Money bool `json:"money"`
	// Aggregate says how grouped rows combine: "sum", "mean", or empty where the field is no measure.
	Aggregate string `json:"aggregate"`
	// Additive fields add up over time: those of two periods, one after the other, together are that of both. So the
	// difference of two sums up to now is what happened between their beginnings. A rate, a mean, roi and fte do not.
	Additive bool `json:"additive"`
	// Groupable fields may become labels: few values, no ids, no free text.
	Groupable bool `json:"groupable"`
	// ServiceSort fields are those that the service itself can sort by.
	ServiceSort bool `json:"serviceSort"`
	// AcceptsNumber lets a JSON number stand in a string field; its literal is kept.
	AcceptsNumber bool `json:"acceptsNumber"`
	// Colors maps values to Grafana colour names.
	Colors map[string]string `json:"colors"`
}

// Measure is a number that numeric and timeseries frames show.
type Measure struct {
	Name string `json:"name"`
	// Label and Labels are as in Field.
	Label       string            `json:"label"`
	Labels      map[string]string `json:"labels"`
	Description string            `json:"description"`
	Unit        string            `json:"unit"`
	Decimals    *int              `json:"decimals"`
	// Empty is what no rows give: "zero" for counts and sums, "null" for ratios and means.
	Empty string `json:"empty"`
	// Time is what it is about where that is not the time field of its rows: "now" for tasks as they are now, "runs" for
	// when they ran.
	Time string `json:"time"`
	// Rate, Money, Aggregate and Additive are those of the field, where the measure is a field of the record.
	Rate      bool   `json:"-"`
	Money     bool   `json:"-"`
	Aggregate string `json:"-"`
	Additive  bool   `json:"-"`
}

// Sort is an order of rows.
type Sort struct {
	Field string `json:"field"`
	Order string `json:"order"`
}

// Parameters are the names of the query parameters that a route has; empty where it has none.
type Parameters struct {
	Page string `json:"page"`
	// Size asks for so many records in a page. The specification does not list it, so that only the answer is believed.
	Size   string `json:"size"`
	Days   string `json:"days"`
	Sort   string `json:"sort"`
	Search string `json:"search"`
}

// End says which rows have come to their end: nothing about them changes any more.
type End struct {
	Field  string   `json:"field"`
	Values []string `json:"values"`
}

// DataSet describes one data set and its route (specification, "Endpoints").
type DataSet struct {
	Name        string `json:"name"`
	Label       string `json:"label"`
	Description string `json:"description"`
	Path        string `json:"path"`
	PathSetting string `json:"pathSetting"`
	Key         string `json:"key"`
	// End is nil where rows never come to one.
	End         *End       `json:"end"`
	Parameters  Parameters `json:"parameters"`
	SearchField string     `json:"searchField"`
	NameField   string     `json:"nameField"`
	TimeFields  []string   `json:"timeFields"`
	Fields      []Field    `json:"fields"`
	// Derived are fields that the plugin makes of the others. The service does not send them, and a table has them where it
	// names them.
	Derived []Field `json:"derived"`
	// Computed are measures made from the rows; without any, the fields with an Aggregate are the measures.
	Computed []Measure `json:"measures"`
}

var all = load()

func load() []*DataSet {
	var file struct {
		DataSets []*DataSet `json:"dataSets"`
	}
	if err := json.Unmarshal(description, &file); err != nil {
		panic(fmt.Sprintf("datasets.json: %v", err))
	}
	return file.DataSets
}

// All returns every data set, in the order of the description.
func All() []*DataSet { return all }

// Names returns the names of all data sets.
func Names() []string {
	names := make([]string, len(all))
	for i, d := range all {
		names[i] = d.Name
	}
	return names
}

// Get finds a data set by its name, or nil.
func Get(name string) *DataSet {
	i := slices.IndexFunc(all, func(d *DataSet) bool { return d.Name == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

// Field finds a field by its name, derived ones included, or nil.
func (d *DataSet) Field(name string) *Field {
	for _, fields := range [][]Field{d.Fields, d.Derived} {
		if i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name }); i >= 0 {
			return &fields[i]
		}
	}
	return nil
}

// FieldNames returns the names of the fields that keep accepts, in the specification's order, then those of the derived ones.
func (d *DataSet) FieldNames(keep func(Field) bool) []string {
	var names []string
	for _, f := range slices.Concat(d.Fields, d.Derived) {
		if keep(f) {
			names = append(names, f.Name)
		}
	}
	return names
}

// HasHistory says whether rows carry times. Where they do not, the past is the difference of sums (Field.Additive).
func (d *DataSet) HasHistory() bool { return len(d.TimeFields) > 0 }

// Drawn returns the measures that a timeseries can show: all where rows carry times, else those that add up over time.
func (d *DataSet) Drawn() []Measure {
	if d.HasHistory() {
		return d.Measures()
	}
	return slices.DeleteFunc(d.Measures(), func(m Measure) bool { return !m.Additive })
}

// DrawnNames are the names of Drawn.
func (d *DataSet) DrawnNames() []string {
	names := make([]string, 0, len(d.Drawn()))
	for _, m := range d.Drawn() {
		names = append(names, m.Name)
	}
	return names
}

// Measures returns what numeric and timeseries frames of this data set can show.
func (d *DataSet) Measures() []Measure {
	if len(d.Computed) > 0 {
		return d.Computed
	}
	var measures []Measure
	for _, f := range d.Fields {
		if f.Aggregate != "" {
			measures = append(measures, f.measure())
		}
	}
	return measures
}

// Measure finds a measure by its name, or nil.
func (d *DataSet) Measure(name string) *Measure {
	measures := d.Measures()
	i := slices.IndexFunc(measures, func(m Measure) bool { return m.Name == name })
	if i < 0 {
		return nil
	}
	return &measures[i]
}

func (f Field) measure() Measure {
	return Measure{
		Name: f.Name, Label: f.Label, Labels: f.Labels, Description: f.Description, Unit: f.Unit, Decimals: f.Decimals,
		Empty: "null", Rate: f.Rate, Money: f.Money, Aggregate: f.Aggregate, Additive: f.Additive,
	}
}

// List joins names for a message: "a, b, c".
func List(names []string) string { return strings.Join(names, ", ") }
