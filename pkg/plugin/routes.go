package plugin

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// handlers maps resource paths to their handlers.
func (i *Instance) handlers() map[string]http.HandlerFunc {
	handlers := map[string]http.HandlerFunc{
		"/automations": func(w http.ResponseWriter, r *http.Request) { i.suggest(w, r, "automations") },
		"/runners":     func(w http.ResponseWriter, r *http.Request) { i.suggest(w, r, "runners") },
		"/values":      i.values,
	}
	for _, set := range datasets.All() {
		handlers[set.Path] = func(w http.ResponseWriter, r *http.Request) { i.forward(w, r, set) }
	}
	return handlers
}

// routes serves /api/datasources/uid/<uid>/resources/…: GET of exactly these paths.
func (i *Instance) routes() http.Handler {
	handlers := i.handlers()
	paths := strings.Join(slices.Sorted(maps.Keys(handlers)), ", ")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// The escaped path, because an escaped slash must not match.
		handler, known := handlers[r.URL.EscapedPath()]
		if !known {
			writeMessage(w, http.StatusNotFound, "unknown resource "+strconv.Quote(r.URL.Path)+": use one of "+paths)
			return
		}
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			writeMessage(w, http.StatusMethodNotAllowed, r.Method+" is not allowed: the service is read-only, use GET")
			return
		}
		handler(w, r)
	})
}

// forward is the proxy route: it forwards a GET to one of the three data routes and returns the service's own response,
// or, of a failure that is not JSON, its status and a sentence.
func (i *Instance) forward(w http.ResponseWriter, r *http.Request, set *datasets.DataSet) {
	if i.settingsErr != nil {
		i.writeError(w, i.settingsErr)
		return
	}
	request := i.source.Route(set)
	request.Query = r.URL.Query()
	answer, err := i.client.Forward(r.Context(), request)
	if err != nil {
		i.writeError(w, err)
		return
	}
	w.Header().Set("Content-Type", answer.ContentType)
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body)
}

func (i *Instance) writeError(w http.ResponseWriter, err error) {
	status, _ := classify(err)
	writeMessage(w, int(status), i.sentence(err))
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
