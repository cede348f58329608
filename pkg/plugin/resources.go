package plugin

import (
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
)

// suggestionDays is the default look-back of suggestions: the service's own default.
const suggestionDays = 30

// option is one suggestion: the value to search or filter by, and its display text.
type option struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

// suggest returns the labels and names of a data set.
func (i *Instance) suggest(w http.ResponseWriter, r *http.Request, name string) {
	set := datasets.Get(name)
	text := set.NameField
	if text == "" {
		text = set.Key
	}
	i.options(w, r, set, set.Key, text)
}

// values returns the distinct values of a field.
func (i *Instance) values(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("queryType")
	if name == "" {
		name = "tasks"
	}
	set := datasets.Get(name)
	if set == nil {
		i.writeError(w, inputerror.Errorf("unknown data set (queryType) %q: use one of %s", name, datasets.List(datasets.Names())))
		return
	}
	field := r.URL.Query().Get("field")
	i.options(w, r, set, field, field)
}

func (i *Instance) options(w http.ResponseWriter, r *http.Request, set *datasets.DataSet, valueField, textField string) {
	days, err := resourceDays(r)
	if err == nil {
		err = i.settingsErr
	}
	if err != nil {
		i.writeError(w, err)
		return
	}
	result, err := i.reads.Read(r.Context(), reads.Read{Question: pages.Question{DataSet: set, Days: days}})
	if err != nil {
		i.writeError(w, err)
		return
	}
	value, text := result.Table.ColumnOrNulls(valueField), result.Table.ColumnOrNulls(textField)
	if value == nil || text == nil {
		i.writeError(w, inputerror.Errorf("unknown field %q in data set %s: use one of %s", valueField, set.Name, datasets.List(result.Table.Names())))
		return
	}
	writeJSON(w, http.StatusOK, distinct(value, text, r.URL.Query().Get("search")))
}

func resourceDays(r *http.Request) (int, error) {
	text := r.URL.Query().Get("days")
	if text == "" {
		return suggestionDays, nil
	}
	days, ok := wholeNumber(parseText(text), 1, math.MaxInt32)
	if !ok {
		return 0, inputerror.Errorf("days is %q: must be a whole number of at least 1; omit it to use %d", text, suggestionDays)
	}
	return days, nil
}

// distinct returns each value once, without null, sorted by text. search keeps values that contain it,
// case-insensitively.
func distinct(value, text *columns.Column, search string) []option {
	search = strings.ToLower(search)
	seen := map[string]bool{}
	options := []option{}
	for row, valid := range value.Valid {
		o := option{Value: value.Text(row), Text: text.Text(row)}
		if !valid || seen[o.Value] {
			continue
		}
		seen[o.Value] = true
		if o.Text == "" {
			o.Text = o.Value
		}
		if strings.Contains(strings.ToLower(o.Value), search) || strings.Contains(strings.ToLower(o.Text), search) {
			options = append(options, o)
		}
	}
	slices.SortFunc(options, func(a, b option) int {
		return strings.Compare(strings.ToLower(a.Text)+"\x00"+a.Value, strings.ToLower(b.Text)+"\x00"+b.Value)
	})
	return options
}
