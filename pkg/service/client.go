package service

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/sync/semaphore"
)

// Client sends requests to one service with one login. It is safe for use by many goroutines, and is made anew when the
// settings change: the token goes with the old one.
type Client struct {
	config  Config
	http    *http.Client
	slots   *semaphore.Weighted // requests in flight
	large   *semaphore.Weighted // answers beyond largeAnswer that are being read
	pause   pause
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
		large:  semaphore.NewWeighted(largeAnswers),
	}
	c.session.login, c.session.life = c.logIn, lifeOf(config)
	return c
}

// Close closes idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Login makes sure that there is a session, and returns the organization that data requests name.
func (c *Client) Login(ctx context.Context) (organization string, err error) {
	cred, err := c.session.get(ctx)
	if err != nil {
		return "", err
	}
	return cred.organization, nil
}

// URL returns the address of a request. No secret is ever part of it.
func (c *Client) URL(path string, query url.Values) string {
	address := c.config.BaseURL + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// Redact makes a text that quotes the service fit to show: key and token are replaced in whatever form they have.
func (c *Client) Redact(text string) string {
	return c.secrets().mask(text)
}

// Quote makes words of the service fit to be repeated in a message: their beginning, on one line, without key and token.
// cut says that the text went on.
func (c *Client) Quote(text string, cut bool) string {
	return c.secrets().quote(text, cut)
}

// secrets returns the values that must not reach a message: the key, and the tokens of the latest logins.
func (c *Client) secrets() secrets {
	return append(secrets{c.config.Key}, c.session.latestTokens()...)
}

// host names the service in messages.
func (c *Client) host() string {
	return strings.TrimPrefix(strings.TrimPrefix(c.config.BaseURL, "https://"), "http://")
}

// redirectError carries the address that the service pointed to.
type redirectError struct{ target string }

func (e *redirectError) Error() string { return "redirect to " + e.target }

// origin is where an address leads, for messages. What has been replaced in the address is in it, too: of a secret with a
// slash only the beginning would stand in the host.
func origin(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return scheme + "://" + host[strings.LastIndex(host, "@")+1:]
}

// refuseOtherHosts stops redirects to another origin: Go sends custom headers on to wherever a redirect points, and
// login even the body. One that is followed is a request more.
func refuseOtherHosts(req *http.Request, via []*http.Request) error {
	first := via[0].URL
	if req.URL.Scheme != first.Scheme || req.URL.Host != first.Host {
		return &redirectError{target: req.URL.String()}
	}
	if len(via) >= 10 {
		return errors.New("stopped after 10 redirects")
	}
	return spend(req.Context())
}
