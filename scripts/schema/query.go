package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	sdkapi "github.com/grafana/grafana-plugin-sdk-go/experimental/apis/datasource/v0alpha1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/frame"
	"github.com/insights/insights-reporting-datasource/pkg/query"
)

// notSaved are the properties that the browser side adds to a saved query.
var notSaved = []string{"untilNow", "shape"}

// queryTypes describes the saved queries, a type for each data set.
func queryTypes() *sdkapi.QueryTypeDefinitionList {
	list := &sdkapi.QueryTypeDefinitionList{
		TypeMeta: sdkapi.TypeMeta{Kind: "QueryTypeDefinitionList", APIVersion: "datasource.grafana.app/v0alpha1"},
	}
	for _, set := range datasets.All() {
		list.Items = append(list.Items, sdkapi.QueryTypeDefinition{
			ObjectMeta: sdkapi.ObjectMeta{Name: set.Name},
			Spec: sdkapi.QueryTypeDefinitionSpec{
				Description:    set.Description,
				Discriminators: sdkapi.NewDiscriminators("queryType", set.Name),
				Schema:         sdkapi.JSONSchema{Spec: querySchema(set)},
			},
		})
	}
	return list
}

// querySchema describes the properties that the model has, one by one.
func querySchema(set *datasets.DataSet) *spec.Schema {
	described := queryProperties(set)
	properties := map[string]*spec.Schema{}
	for i := range reflect.TypeFor[query.Model]().NumField() {
		name := reflect.TypeFor[query.Model]().Field(i).Tag.Get("json")
		if slices.Contains(notSaved, name) {
			continue
		}
		property, ok := described[name]
		if !ok {
			panic(fmt.Sprintf("queryProperties does not describe %s", name))
		}
		if property != nil {
			properties[name] = property
		}
		delete(described, name)
	}
	if len(described) > 0 {
		panic(fmt.Sprintf("the saved query has none of these properties: %v", slices.Collect(maps.Keys(described))))
	}
	schema := object(properties)
	schema.Schema = "https://json-schema.org/draft-04/schema"
	schema.AdditionalProperties = &spec.SchemaOrBool{Allows: false}
	table := object(map[string]*spec.Schema{"format": spec.StringProperty().WithEnum(query.Table)})
	measured := object(map[string]*spec.Schema{"format": spec.StringProperty().WithEnum(query.TimeSeries, query.Numeric)}).WithRequired("format", "measure")
	schema.AnyOf = []spec.Schema{*table, *measured}
	if set.HasTimes() {
		schema.AnyOf = append(schema.AnyOf, *object(map[string]*spec.Schema{"format": spec.StringProperty().WithEnum(query.Timeline)}).WithRequired("format"))
	}
	return schema
}

// queryProperties describes each property of a saved query; nil if a data set does not have it. Fields are not a closed
// list: the service may send additional ones.
func queryProperties(set *datasets.DataSet) map[string]*spec.Schema {
	fields := text("Field: " + datasets.List(set.FieldNames(func(datasets.Field) bool { return true })) + ", or another one of the service")
	labels := text("Field: " + datasets.List(set.FieldNames(func(f datasets.Field) bool { return f.Groupable })) + ", or another one of the service")
	properties := map[string]*spec.Schema{
		"queryType": choice("Data set", set.Name),
		"format":    formatSchema(set),
		"days":      positive("Number of days to look back; follows the time range when absent"),
		"search":    text("Keeps the rows whose " + set.SearchField + " has this value; all when absent"),
		"filters":   spec.ArrayProperty(filterSchema(fields)).WithDescription("Keeps the rows that all of them are true for"),
		"sort":      sortSchema(),
		"columns":   spec.ArrayProperty(fields).WithDescription("Table: these fields, in this order; all when absent").UniqueValues(),
		"limit":     positive("Table: the first rows; otherwise the first groups, the largest ones unless sort says so. All when absent"),
		"measure":   choice("What a line or a number shows: "+measureMeanings(set), measureNames(set)...),
		"groupBy":   spec.ArrayProperty(labels).WithDescription("Line or number: fields that become labels; one group when absent. Timeline: the lanes; machineId when absent").UniqueValues(),
		"state":     nil,
		"timeField": nil,
		"compare":   orVariable(text("Line or number: the earlier time that is compared with; nothing when absent. A dashboard may have a variable here"), query.Comparisons),
		"per":       orVariable(text("Line: a point for each of these; auto: the panel's interval. A dashboard may have a variable here").WithDefault(query.Units[0]), query.Units),
		"timezone":  text("Name such as America/Sao_Paulo, or utc; the dashboard's when absent, and UTC in a rule"),
	}
	if set.HasTimes() {
		properties["state"] = text("Timeline: the field that names and colors a bar").WithDefault("activityLabel")
		properties["timeField"] = choice("The time of a row that the time range and lines go by", set.TimeFields...).WithDefault(set.TimeFields[0])
	}
	return properties
}

// formatSchema has no timeline for a data set that does not say when tasks ran.
func formatSchema(set *datasets.DataSet) *spec.Schema {
	formats := slices.DeleteFunc(slices.Clone(query.Formats), func(format string) bool { return format == query.Timeline && !set.HasTimes() })
	description := "How rows become a frame: rows, a line for each group, or a number for each group"
	if set.HasTimes() {
		description += "; a timeline has a frame for each lane, with the bars of when tasks ran"
	}
	return choice(description, formats...).WithDefault(query.Table)
}

func filterSchema(field *spec.Schema) *spec.Schema {
	return object(map[string]*spec.Schema{
		"key":      field,
		"operator": choice("=~ and !~ match the whole text (RE2); =| and !=| take values", frame.Operators...),
		"value":    text("What is compared with; null when empty"),
		"values":   spec.ArrayProperty(spec.StringProperty()).WithDescription("What =| and !=| compare with"),
	}).WithRequired("key", "operator")
}

func sortSchema() *spec.Schema {
	return object(map[string]*spec.Schema{
		"field": text("Table: a field; otherwise the measure, or a field of groupBy"),
		"order": choice("", "asc", "desc").WithDefault("asc"),
	}).WithRequired("field").WithDescription("As the service sends when absent, or the largest group first")
}

// orVariable accepts one of the values, or a dashboard variable.
func orVariable(schema *spec.Schema, values []string) *spec.Schema {
	schema.AnyOf = []spec.Schema{*choice("", values...), *spec.StringProperty().WithPattern(`^\$`)}
	return schema
}

func measureNames(set *datasets.DataSet) []string {
	var names []string
	for _, m := range set.Measures() {
		names = append(names, m.Name)
	}
	return names
}

func measureMeanings(set *datasets.DataSet) string {
	var all []string
	for _, m := range set.Measures() {
		all = append(all, m.Name+" ("+strings.TrimSuffix(m.Description, ".")+")")
	}
	return strings.Join(all, "; ")
}

func text(description string) *spec.Schema { return spec.StringProperty().WithDescription(description) }

func choice(description string, values ...string) *spec.Schema {
	return text(description).WithEnum(anys(values)...)
}

func positive(description string) *spec.Schema {
	return new(spec.Schema).Typed("integer", "").WithMinimum(1, false).WithDescription(description)
}
