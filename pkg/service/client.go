package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"
)

// Client reads one service with one login. It is safe for use by many goroutines, and is made anew when the
// settings change: the token goes with the old one.
type Client struct {
	config  Config
	http    *http.Client
	slots   *semaphore.Weighted
	session session
}

// New makes a client that sends its requests with httpClient.
func New(config Config, httpClient *http.Client) *Client {
	// A copy, since the redirect rule is ours alone.
	own := *httpClient
	own.CheckRedirect = refuseOtherHosts
	c := &Client{
		config: config,
		http:   &own,
		slots:  semaphore.NewWeighted(int64(config.MaxConcurrent)),
	}
	c.session.login = c.logIn
	return c
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Login makes sure that there is a session, and returns the organization that data requests name.
func (c *Client) Login(ctx context.Context) (organization string, err error) {
	cred, err := c.session.get(ctx)
	if err != nil {
		return "", err
	}
	return cred.organization, nil
}

// secrets returns the values that must not reach a message: key and token, as they are and as they stand in JSON.
func (c *Client) secrets(cred *credential) []string {
	secrets := []string{c.config.Key, inJSON(c.config.Key)}
	if cred != nil {
		secrets = append(secrets, cred.token, inJSON(cred.token))
	}
	return secrets
}

// inJSON returns a text with the escapes that it has in a body that quotes it.
func inJSON(text string) string {
	// A string always marshals.
	raw, _ := json.Marshal(text)
	return string(raw[1 : len(raw)-1])
}

// errRedirect carries the host that the service pointed to.
type errRedirect struct{ target string }

func (e *errRedirect) Error() string { return "redirect to " + e.target }

// refuseOtherHosts: Go sends custom headers on to wherever a redirect points, and login even the body. Token and
// key must not reach another origin.
func refuseOtherHosts(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
		return &errRedirect{target: req.URL.Scheme + "://" + req.URL.Host}
	}
	if len(via) >= 10 {
		return errors.New("stopped after 10 redirects")
	}
	return nil
}

// call is one request to the service, and what to do with a good answer.
type call struct {
	Request
	method string
	body   []byte
	cred   *credential
	// read gets the body of a 2xx answer.
	read func(io.Reader) error
	// answer, where set, gets every answer instead, whatever its status.
	answer func(*http.Response, io.Reader) error
}

// URL returns the address of a request. No secret is ever part of it.
func (c *Client) URL(path string, query url.Values) string {
	address := c.config.BaseURL + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

func (c *Client) request(ctx context.Context, call *call) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, call.method, c.URL(call.Path, call.Query), bytes.NewReader(call.body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.config.UserAgent)
	if call.body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	if call.cred != nil {
		req.Header.Set("token", call.cred.token)
		req.Header.Set("organization", call.cred.organization)
	}
	return req, nil
}

// send makes one attempt: waits for a free slot, sends, and gives a 2xx body to read. Every other outcome is an
// *Error, or the error of a context that ended.
func (c *Client) send(ctx context.Context, call *call) (err error) {
	if err := c.slots.Acquire(ctx, 1); err != nil {
		return context.Cause(ctx)
	}
	defer c.slots.Release(1)
	ctx, span := startSpan(ctx, "insights request", call.Route)
	defer func() { endSpan(span, err) }()

	req, err := c.request(ctx, call)
	if err != nil {
		return err
	}
	start := time.Now()
	status := "error"
	defer func() { observeRequest(call.Route, status, time.Since(start)) }()
	call.Usage.request()
	resp, err := c.http.Do(req)
	if err != nil {
		return c.transportError(ctx, err)
	}
	defer func() { _ = resp.Body.Close() }()
	status = strconv.Itoa(resp.StatusCode)
	body := &head{reader: resp.Body, stats: call.Usage}
	if call.answer != nil {
		return call.answer(resp, body)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return c.statusError(resp, body, call)
	}
	if err := call.read(body); err != nil {
		return c.readError(ctx, err, body, resp, call)
	}
	// What is left unread would cost the connection.
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 64<<10))
	return nil
}

// host names the service in messages.
func (c *Client) host() string {
	return strings.TrimPrefix(strings.TrimPrefix(c.config.BaseURL, "https://"), "http://")
}
