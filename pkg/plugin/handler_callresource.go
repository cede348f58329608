package plugin

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	saved "github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/pkg/reads"
	"github.com/insights/insights-reporting-datasource/schema"
)

type handler func(ctx context.Context, query url.Values, respond respond) error

// respond sends a response. Its error is errUnsent.
type respond func(status int, contentType string, body []byte) error

func (r respond) json(status int, value any) error {
	body, _ := json.Marshal(value) // Texts always marshal.
	return r(status, "application/json", body)
}

func (r respond) message(status int, text string) error {
	return r.json(status, map[string]string{"message": text})
}

func (i *Instance) handlers() map[string]handler {
	handlers := map[string]handler{"/values": i.values}
	for _, set := range i.sets {
		handlers[set.Path] = i.forward(set)
		if !set.HasTimes() { // They have names.
			handlers["/"+set.Name] = func(ctx context.Context, query url.Values, respond respond) error {
				return i.options(ctx, query, respond, set, set.Key, cmp.Or(set.NameField, set.Key))
			}
		}
	}
	return handlers
}

// CallResource serves /api/datasources/uid/<uid>/resources/…: GET of exactly these paths. An error is a response that breaks off.
func (i *Instance) CallResource(ctx context.Context, req *backend.CallResourceRequest, sender backend.CallResourceResponseSender) error {
	handlers, headers := i.handlers(), map[string][]string{}
	respond := respond(func(status int, contentType string, body []byte) error {
		headers["Content-Type"] = []string{contentType}
		return send(sender, &backend.CallResourceResponse{Status: status, Headers: headers, Body: body}, cmp.Or(i.settings.Service.Timeout, time.Minute))
	})
	path := "/" + strings.TrimPrefix(req.Path, "/")
	handle, known := handlers[path]
	if !known {
		paths := strings.Join(slices.Sorted(maps.Keys(handlers)), ", ")
		return respond.message(http.StatusNotFound, "unknown resource "+strconv.Quote(path)+": use one of "+paths)
	}
	if req.Method != http.MethodGet {
		headers["Allow"] = []string{http.MethodGet}
		return respond.message(http.StatusMethodNotAllowed, req.Method+" is not allowed: the service is read-only, use GET")
	}
	err := i.settingsErr
	if err == nil {
		_, raw, _ := strings.Cut(req.URL, "?")
		query, _ := url.ParseQuery(raw)
		err = handle(ctx, query, respond)
	}
	if err != nil && !errors.Is(err, errUnsent) {
		err = respond.message(int(statusOf(err)), i.sentence(err))
	}
	return err
}

var errUnsent = errors.New("the reader of the response stopped reading") // A response that nobody takes would hold its place forever.

const pieceBytes = 30 << 10 // of a response are sent at once: for a message of more than 32 KiB, gRPC takes a buffer of 1 MiB

// send sends a response in pieces, of which the first has the status and the headers. gRPC waits until the reader has taken most of
// the earlier ones: an error ends the call, and with it that wait, which takes no longer than the reader may need for a piece.
func send(sender backend.CallResourceResponseSender, r *backend.CallResourceResponse, patience time.Duration) error {
	sent, body := make(chan error, 1), r.Body
	for begin := 0; begin == 0 || begin < len(body); begin += pieceBytes {
		piece := &backend.CallResourceResponse{Body: body[begin:min(begin+pieceBytes, len(body))]}
		if begin == 0 {
			piece.Status, piece.Headers = r.Status, r.Headers
		}
		go func() { sent <- sender.Send(piece) }()
		select {
		case err := <-sent:
			if err != nil {
				return backend.DownstreamError(fmt.Errorf("%w: %w", errUnsent, err))
			}
		case <-time.After(patience):
			return backend.DownstreamError(errUnsent)
		}
	}
	return nil
}

const forwardedAtOnce = 4 // how many responses of the proxy route are in memory at once, each until its reader has it

func (i *Instance) forward(set *schema.DataSet) handler {
	return func(ctx context.Context, query url.Values, respond respond) error {
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
		return respond(answer.Status, answer.ContentType, answer.Body)
	}
}

const suggestionDays = 30 // the default look-back of suggestions: the service's own default

type option struct {
	Value string `json:"value"`
	Text  string `json:"text"`
}

// values returns the distinct values of a field. Those of deadlines and teams are in the settings, whatever ran: dashboards hide by them.
func (i *Instance) values(ctx context.Context, query url.Values, respond respond) error {
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
		return i.options(ctx, query, respond, set, field, field)
	}
	if err := i.settings.wrong(used...); err != nil {
		return err
	}
	text := func(n int) string { return lines[n] }
	return respond.json(http.StatusOK, distinct(len(lines), text, text, query.Get("search")))
}

func (i *Instance) options(ctx context.Context, query url.Values, respond respond, set *schema.DataSet, valueField, textField string) error {
	days, err := strconv.Atoi(cmp.Or(query.Get("days"), strconv.Itoa(suggestionDays)))
	if err != nil || days < 1 || days > saved.MaxDays {
		return inputerror.Errorf("days is %q: must be a whole number from 1 to %d; omit it to use %d", query.Get("days"), saved.MaxDays, suggestionDays)
	}
	patient, cancel := reads.Patient(ctx, time.Now())
	defer cancel()
	result, err := i.reads.Read(patient, schema.Question{DataSet: set, Days: days})
	if err != nil {
		return err
	}
	value, text := result.Table.ColumnOrNulls(valueField), result.Table.ColumnOrNulls(textField)
	if f := set.Field(valueField); f != nil && f.Workspace && result.Table.Column(valueField) == nil {
		value = columns.Same(valueField, i.workspace(result)[valueField], 1)
		text = value
	}
	if value == nil {
		return inputerror.Errorf("unknown field %q in data set %s: use one of %s", valueField, set.Name, schema.List(result.Table.Names()))
	}
	return respond.json(http.StatusOK, distinct(len(value.Valid), value.Text, text.Text, query.Get("search")))
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
