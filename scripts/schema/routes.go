package main

import (
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/grafana/grafana-plugin-sdk-go/experimental/pluginschema"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/plugin"
)

// meaning describes a parameter of a resource, whatever its name.
type meaning struct {
	description string
	isNumber    bool
	required    bool
}

var meanings = map[string]meaning{
	"queryType": {description: "Data set; tasks when it is left out"},
	"field":     {description: "Field whose values are asked for", required: true},
	"search":    {description: "Keeps what contains this text"},
	"days":      {description: "Days to look back; 30 when it is left out", isNumber: true},
}

// serviceParameters returns the parameters of a route of the service, by their names there.
func serviceParameters(p datasets.Parameters) map[string]meaning {
	all := map[string]meaning{
		p.Page:   {description: "Page, from 0 on", isNumber: true},
		p.Size:   {description: "Rows of a page; the service may give another number", isNumber: true},
		p.Days:   {description: "Days to look back; the service has a default", isNumber: true},
		p.Sort:   {description: "Field to sort by"},
		p.Search: {description: "Keeps the rows of this one"},
	}
	delete(all, "") // parameters that the route does not have
	return all
}

// own are some parameters of the plugin's own resources.
func own(names ...string) map[string]meaning {
	some := map[string]meaning{}
	for _, name := range names {
		some[name] = meanings[name]
	}
	return some
}

// routesSchema describes each resource of the backend.
func routesSchema() *pluginschema.Routes {
	routes := &pluginschema.Routes{}
	for _, path := range plugin.ResourcePaths() {
		routes.Register("/resources"+path, spec3.PathProps{Get: &spec3.Operation{OperationProps: operation(path)}})
	}
	return routes
}

func operation(path string) spec3.OperationProps {
	suggestions := spec.ArrayProperty(object(map[string]*spec.Schema{"value": spec.StringProperty(), "text": spec.StringProperty()}))
	if set := datasets.Get(strings.TrimPrefix(path, "/")); set != nil {
		return spec3.OperationProps{
			Summary:    "Labels or ids of " + set.Name + ", with their names",
			Parameters: inQuery(own("days", "search")),
			Responses:  answer("Suggestions, by text", suggestions),
		}
	}
	if path == "/values" {
		return spec3.OperationProps{
			Summary:    "The distinct values of a field",
			Parameters: inQuery(own("queryType", "field", "days", "search")),
			Responses:  answer("Suggestions, by text", suggestions),
		}
	}
	i := slices.IndexFunc(datasets.All(), func(d *datasets.DataSet) bool { return d.Path == path })
	if i < 0 {
		panic(path + " is not described")
	}
	set := datasets.All()[i]
	return spec3.OperationProps{
		Summary:    "The service's own answer: " + set.Description,
		Parameters: inQuery(serviceParameters(set.Parameters)),
		Responses:  answer("As the service sends it", new(spec.Schema)),
	}
}

func inQuery(parameters map[string]meaning) []*spec3.Parameter {
	var found []*spec3.Parameter
	for _, name := range slices.Sorted(maps.Keys(parameters)) {
		p := parameters[name]
		schema := spec.StringProperty()
		if p.isNumber {
			schema = new(spec.Schema).Typed("integer", "")
		}
		found = append(found, &spec3.Parameter{ParameterProps: spec3.ParameterProps{
			Name: name, In: "query", Description: p.description, Required: p.required, Schema: schema,
		}})
	}
	return found
}

func answer(description string, schema *spec.Schema) *spec3.Responses {
	ok := &spec3.Response{ResponseProps: spec3.ResponseProps{Description: description, Content: content(schema)}}
	refused := object(map[string]*spec.Schema{"message": spec.StringProperty()})
	return &spec3.Responses{ResponsesProps: spec3.ResponsesProps{
		StatusCodeResponses: map[int]*spec3.Response{http.StatusOK: ok},
		Default: &spec3.Response{ResponseProps: spec3.ResponseProps{
			Description: "What is wrong, and what to do", Content: content(refused),
		}},
	}}
}

func content(schema *spec.Schema) map[string]*spec3.MediaType {
	return map[string]*spec3.MediaType{"application/json": {MediaTypeProps: spec3.MediaTypeProps{Schema: schema}}}
}

// object returns the schema of an object; without properties: of any.
func object(properties map[string]*spec.Schema) *spec.Schema {
	schema := new(spec.Schema).Typed("object", "")
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		schema.SetProperty(name, *properties[name])
	}
	return schema
}
