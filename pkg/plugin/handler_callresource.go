package plugin

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/grafana/grafana-plugin-sdk-go/backend"

	"github.com/insights/insights-reporting-datasource/pkg/columns"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/pkg/pages"
	saved "github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/schema"
)

// handler responds to a request, or returns why it cannot.
type handler func(ctx context.Context, query url.Values, to *response) error

// handlers maps resource paths to their handlers.
func (i *Instance) handlers() map[string]handler {
	handlers := map[string]handler{"/values": i.values}
	for _, set := range i.sets {
		handlers[set.Path] = i.forward(set)
		if !set.HasTimes() { // They have names.
			handlers["/"+set.Name] = func(ctx context.Context, query url.Values, to *response) error {
				return i.options(ctx, query, to, set, set.Key, cmp.Or(set.NameField, set.Key))
			}
		}
	}
	return handlers
}

// CallResource serves /api/datasources/uid/<uid>/resources/…: GET of exactly these paths. An error is a response that breaks off.
func (i *Instance) CallResource(ctx context.Context, req *backend.CallResourceRequest, sender backend.CallResourceResponseSender) error {
	to, handlers := &response{sender: sender, headers: map[string][]string{}, patience: time.Minute}, i.handlers()
	path := "/" + strings.TrimPrefix(req.Path, "/")
	handle, known := handlers[path]
	if !known {
		paths := strings.Join(slices.Sorted(maps.Keys(handlers)), ", ")
		return to.message(http.StatusNotFound, "unknown resource "+strconv.Quote(path)+": use one of "+paths)
	}
	if req.Method != http.MethodGet {
		to.headers["Allow"] = []string{http.MethodGet}
		return to.message(http.StatusMethodNotAllowed, req.Method+" is not allowed: the service is read-only, use GET")
	}
	err := i.settingsErr
	if err == nil {
		_, raw, _ := strings.Cut(req.URL, "?")
		query, _ := url.ParseQuery(raw)
		err = handle(ctx, query, to)
	}
	switch {
	case err == nil:
		return nil
	case to.begun:
		return backend.DownstreamError(err)
	default:
		return to.message(int(statusOf(err)), i.sentence(err))
	}
}

// response is sent in pieces, of which the first has the status and the headers.
type response struct {
	sender   backend.CallResourceResponseSender
	status   int
	headers  map[string][]string
	patience time.Duration // how long the reader may take for a piece
	begun    bool
}

// errReaderStopped ends a response whose reader would hold a place of the proxy route forever.
var errReaderStopped = errors.New("the reader of the response stopped reading")

// Write sends a piece. gRPC waits until the reader has taken most of the earlier ones: an error ends the call, and with it that wait.
func (r *response) Write(body []byte) (int, error) {
	piece, sent := &backend.CallResourceResponse{Body: bytes.Clone(body)}, make(chan error, 1)
	if !r.begun {
		piece.Status, piece.Headers, r.begun = r.status, r.headers, true
	}
	go func() { sent <- r.sender.Send(piece) }()
	select {
	case err := <-sent:
		return len(body), err
	case <-time.After(r.patience):
		return 0, errReaderStopped
	}
}

// json sends a whole response.
func (r *response) json(status int, value any) error {
	r.status, r.headers["Content-Type"] = status, []string{"application/json"}
	body, _ := json.Marshal(value) // Texts always marshal.
	_, err := r.Write(body)
	return err
}

func (r *response) message(status int, text string) error {
	return r.json(status, map[string]string{"message": text})
}

const (
	forwardedAtOnce = 16 // responses of the proxy route, which bounds its memory
	// pieceBytes of a response are passed on at once. gRPC takes a buffer of 1 MiB for more than 32 KiB, with the rest of the message.
	pieceBytes = 30 << 10
)

// forward is the proxy route to a data route. It passes the service's response on while it is read.
func (i *Instance) forward(set *schema.DataSet) handler {
	return func(ctx context.Context, query url.Values, to *response) error {
		if err := i.forwarding.Acquire(ctx, 1); err != nil {
			return err
		}
		defer i.forwarding.Release(1)
		request := i.source.Route(set)
		request.Query = query
		answer, err := i.client.Forward(ctx, request)
		if err != nil {
			return err
		}
		defer func() { _ = answer.Body.Close() }()
		to.status, to.patience, to.headers["Content-Type"] = answer.Status, i.settings.Service.Timeout, []string{answer.ContentType}
		if answer.Length > 0 {
			// Grafana ends a response that breaks off like a complete one: its length shows the difference.
			to.headers["Content-Length"] = []string{strconv.FormatInt(answer.Length, 10)}
		}
		pieces := bufio.NewWriterSize(to, pieceBytes)
		size, err := io.Copy(pieces, answer.Body)
		switch {
		case err != nil:
			return err
		case size == 0:
			_, err = to.Write(nil) // A flush would send nothing.
			return err
		}
		return pieces.Flush()
	}
}

// suggestionDays is the default look-back of suggestions: the service's own default.
const suggestionDays = 30

// option is one suggestion: the value to search or filter by, and its display text.
type option struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

// values returns the distinct values of a field. Those of deadlines and teams are in the settings, so that a dashboard can hide
// what is about them where there are none, whatever ran.
func (i *Instance) values(ctx context.Context, query url.Values, to *response) error {
	name := cmp.Or(query.Get("queryType"), i.sets.Default().Name)
	set := i.sets.Get(name)
	if set == nil {
		return inputerror.Errorf("unknown data set (queryType) %q: use one of %s", name, schema.List(schema.Names(i.sets)))
	}
	field := query.Get("field")
	var used, lines []string
	switch {
	case field == "deadlines" && set == i.sets.Default():
		used = []string{"calendar", "deadlines"}
		for _, d := range i.settings.Deadlines {
			lines = append(lines, d.Automation)
		}
	case field == schema.TeamField && set.Field(field) != nil:
		used = []string{"teams"}
		for _, t := range i.settings.Teams {
			lines = append(lines, t.Team)
		}
	default:
		return i.options(ctx, query, to, set, field, field)
	}
	if err := i.settings.wrong(used...); err != nil {
		return err
	}
	text := func(n int) string { return lines[n] }
	return to.json(http.StatusOK, distinct(len(lines), text, text, query.Get("search")))
}

func (i *Instance) options(ctx context.Context, query url.Values, to *response, set *schema.DataSet, valueField, textField string) error {
	days, err := strconv.Atoi(cmp.Or(query.Get("days"), strconv.Itoa(suggestionDays)))
	if err != nil || days < 1 || days > saved.MaxDays {
		return inputerror.Errorf("days is %q: must be a whole number from 1 to %d; omit it to use %d", query.Get("days"), saved.MaxDays, suggestionDays)
	}
	result, err := i.reads.Read(ctx, pages.Question{DataSet: set, Days: days})
	if err != nil {
		return err
	}
	value, text := result.Table.ColumnOrNulls(valueField), result.Table.ColumnOrNulls(textField)
	if f := set.Field(valueField); f != nil && f.Workspace && result.Table.Column(valueField) == nil {
		value = columns.Same(valueField, i.workspace(result)[valueField], 1)
		text = value
	}
	if value == nil || text == nil {
		return inputerror.Errorf("unknown field %q in data set %s: use one of %s", valueField, set.Name, schema.List(result.Table.Names()))
	}
	return to.json(http.StatusOK, distinct(len(value.Valid), value.Text, text.Text, query.Get("search")))
}

// distinct returns each of n values once, without empty ones, sorted by text, of those that contain what is searched, whatever the case.
func distinct(n int, value, text func(n int) string, search string) []option {
	search = strings.ToLower(search)
	seen := map[string]bool{}
	options := []option{}
	for each := range n {
		o := option{Value: value(each), Text: cmp.Or(text(each), value(each))}
		if o.Value == "" || seen[o.Value] {
			continue
		}
		seen[o.Value] = true
		if strings.Contains(strings.ToLower(o.Value), search) || strings.Contains(strings.ToLower(o.Text), search) {
			options = append(options, o)
		}
	}
	slices.SortFunc(options, func(a, b option) int {
		return strings.Compare(strings.ToLower(a.Text)+"\x00"+a.Value, strings.ToLower(b.Text)+"\x00"+b.Value)
	})
	return options
}
