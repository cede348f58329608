package query

import (
	"encoding/json"
	"fmt"
	"iter"

	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
)

// saved is an object of a saved query. A person, a provisioning file, or a variable may write its properties in another way than
// the editor: what is unambiguous is read, and everything else is an error that names the property, its value, and what is allowed.
type saved struct {
	path       string // of its properties, such as "filters[0]."
	properties map[string]json.RawMessage
	fail       func(error)
}

func savedQuery(raw []byte, fail func(error)) *saved {
	var value json.RawMessage
	if err := json.Unmarshal(raw, &value); err != nil {
		fail(inputerror.Errorf("the query is not valid JSON: correct it where it is saved, such as in the panel JSON or in a provisioning file"))
	}
	query := (&saved{fail: fail}).objectOf("the query", value, "an object")
	query.path = ""
	return query
}

// text reads a text. That of a number or a boolean is how it is written; of null or nothing, it is empty.
func (s *saved) text(name string) string {
	return s.textOf(s.path+name, s.properties[name], "a text or a number")
}

func (s *saved) textOf(name string, value json.RawMessage, allowed string) (text string) {
	switch {
	case isNull(value):
	case value[0] == '"':
		_ = json.Unmarshal(value, &text) // It is valid, as are all parts of the query.
	case value[0] == '{' || value[0] == '[':
		s.mismatch(name, value, allowed)
	default:
		text = string(value)
	}
	return text
}

func (s *saved) texts(name string) (texts []string) {
	for at, value := range s.list(name) {
		texts = append(texts, s.textOf(at, value, "a text or a number, or a list of these"))
	}
	return texts
}

// objects reads a list of objects, which have these properties.
func (s *saved) objects(name, properties string) (objects []*saved) {
	for at, value := range s.list(name) {
		objects = append(objects, s.objectOf(at, value, "an object with "+properties+", or a list of these"))
	}
	return objects
}

func (s *saved) object(name, allowed string) *saved {
	return s.objectOf(s.path+name, s.properties[name], allowed)
}

func (s *saved) objectOf(name string, value json.RawMessage, allowed string) *saved {
	of := &saved{path: name + ".", fail: s.fail}
	switch {
	case isNull(value):
	case value[0] != '{':
		s.mismatch(name, value, allowed)
	default:
		_ = json.Unmarshal(value, &of.properties)
	}
	return of
}

// list returns the elements of a list, with their names. A single value is a list of one.
func (s *saved) list(name string) iter.Seq2[string, json.RawMessage] {
	return func(yield func(string, json.RawMessage) bool) {
		value := s.properties[name]
		if !isNull(value) && value[0] != '[' {
			yield(s.path+name, value)
			return
		}
		var elements []json.RawMessage
		_ = json.Unmarshal(value, &elements)
		for n, element := range elements {
			if !yield(fmt.Sprintf("%s%s[%d]", s.path, name, n), element) {
				return
			}
		}
	}
}

func (s *saved) mismatch(name string, value json.RawMessage, allowed string) {
	s.fail(inputerror.Errorf("%s is %.200s: must be %s", name, value, allowed))
}

func isNull(value json.RawMessage) bool { return len(value) == 0 || string(value) == "null" }
