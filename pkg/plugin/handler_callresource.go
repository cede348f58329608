package plugin

import (
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	"github.com/insights/insights-reporting-datasource/schema"
)

// handler responds to a request, or returns why it cannot.
type handler func(w http.ResponseWriter, r *http.Request) error

// handlers maps resource paths to their handlers.
func (i *Instance) handlers() map[string]handler {
	handlers := map[string]handler{"/values": i.values}
	for _, set := range i.sets {
		handlers[set.Path] = func(w http.ResponseWriter, r *http.Request) error { return i.forward(w, r, set) }
		if set.HasKeyRoute() {
			handlers["/"+set.Name] = func(w http.ResponseWriter, r *http.Request) error { return i.suggest(w, r, set) }
		}
	}
	return handlers
}

// routes serves /api/datasources/uid/<uid>/resources/…: GET of exactly these paths.
func (i *Instance) routes() http.Handler {
	handlers := i.handlers()
	paths := strings.Join(slices.Sorted(maps.Keys(handlers)), ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The escaped path, because an escaped slash must not match.
		handle, known := handlers[r.URL.EscapedPath()]
		if !known {
			writeMessage(w, http.StatusNotFound, "unknown resource "+strconv.Quote(r.URL.Path)+": use one of "+paths)
			return
		}
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			writeMessage(w, http.StatusMethodNotAllowed, r.Method+" is not allowed: the service is read-only, use GET")
			return
		}
		err := i.settingsErr
		if err == nil {
			err = handle(w, r)
		}
		if err != nil {
			writeMessage(w, int(statusOf(err)), i.sentence(err))
		}
	})
}

// forward is the proxy route: it forwards a GET to one of the three data routes and returns the service's own response,
// or, of a failure that is not JSON, its status and a sentence.
func (i *Instance) forward(w http.ResponseWriter, r *http.Request, set *schema.DataSet) error {
	if err := i.forwarding.Acquire(r.Context(), 1); err != nil {
		return err
	}
	defer i.forwarding.Release(1)
	request := i.source.Route(set)
	request.Query = r.URL.Query()
	answer, err := i.client.Forward(r.Context(), request)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", answer.ContentType)
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body)
	// The adapter would send the response after this handler has returned, and a slow reader keeps it in memory until then.
	_ = http.NewResponseController(w).Flush()
	return nil
}

func writeMessage(w http.ResponseWriter, status int, text string) {
	writeJSON(w, status, map[string]string{"message": text})
}

func writeJSON(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// A failed write means that the client is gone.
	_ = json.NewEncoder(w).Encode(value)
}

// suggestionDays is the default look-back of suggestions: the service's own default.
const suggestionDays = 30

// option is one suggestion: the value to search or filter by, and its display text.
type option struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

// suggest returns the labels and names of a data set.
func (i *Instance) suggest(w http.ResponseWriter, r *http.Request, set *schema.DataSet) error {
	return i.options(w, r, set, set.Key, cmp.Or(set.NameField, set.Key))
}

// values returns the distinct values of a field.
func (i *Instance) values(w http.ResponseWriter, r *http.Request) error {
	name := cmp.Or(r.URL.Query().Get("queryType"), i.sets.Default().Name)
	set := i.sets.Get(name)
	if set == nil {
		return inputerror.Errorf("unknown data set (queryType) %q: use one of %s", name, schema.List(schema.Names(i.sets)))
	}
	field := r.URL.Query().Get("field")
	return i.options(w, r, set, field, field)
}

func (i *Instance) options(w http.ResponseWriter, r *http.Request, set *schema.DataSet, valueField, textField string) error {
	days, err := resourceDays(r)
	if err != nil {
		return err
	}
	result, err := i.reads.Read(r.Context(), pages.Question{DataSet: set, Days: days})
	if err != nil {
		return err
	}
	value, text := result.Table.ColumnOrNulls(valueField), result.Table.ColumnOrNulls(textField)
	if value == nil || text == nil {
		return inputerror.Errorf("unknown field %q in data set %s: use one of %s", valueField, set.Name, schema.List(result.Table.Names()))
	}
	writeJSON(w, http.StatusOK, distinct(value, text, r.URL.Query().Get("search")))
	return nil
}

func resourceDays(r *http.Request) (int, error) {
	text := r.URL.Query().Get("days")
	if text == "" {
		return suggestionDays, nil
	}
	days, ok := wholeNumber(text, 1, math.MaxInt32)
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
