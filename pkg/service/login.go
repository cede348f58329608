package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

const (
	// loginPath is where the specification ("Login") has the login.
	loginPath = "/api/v2/workspace/login"
	// loginLimit is far more than a token and an organization need, in bytes.
	loginLimit = 1 << 20
	// loginAdvice is what to do about a login that is rejected.
	loginAdvice = " – check the login and key in the data source settings, and that the base URL is the address of the service"
)

// logIn requests a credential. The specification leaves the form of the body and of the response open: they are what public
// clients use. The request has a context of its own: it goes on when a caller leaves, and no capture of a caller's requests
// may have the key and the token.
func (c *Client) logIn() (cred *credential, err error) {
	ctx := context.Background()
	err = c.retry(ctx, func() error {
		// Two strings always marshal.
		body, _ := json.Marshal(map[string]string{"login": c.config.Login, "key": c.config.Key})
		began := time.Now()
		r := &request{Request: Request{Path: loginPath, Usage: &Usage{}}, login: body}
		return c.fetch(ctx, r, func(a *response) error {
			raw, err := io.ReadAll(io.LimitReader(a.body, loginLimit))
			if err != nil {
				return err
			}
			if cred, err = c.readLogin(raw); err == nil {
				cred.took = time.Since(began)
			}
			return err
		})
	})
	return cred, err
}

// readLogin finds the token and the organization in a response. An error message repeats none of the secrets.
func (c *Client) readLogin(raw []byte) (*credential, error) {
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, ErrNotJSON
	}
	cred := &credential{issued: time.Now(), organization: c.config.Organization}
	cred.token = cmp.Or(text(fields["accessToken"]), text(fields["token"]), text(fields["access_token"]))
	if cred.organization == "" {
		cred.organization = cmp.Or(label(fields["organizationLabel"]), label(fields["organization"]), label(fields["organizations"]))
	}
	var missing []string
	if cred.token == "" {
		if message := c.Quote(sentenceIn(fields)); message != "" {
			return nil, &Error{Kind: ErrLogin, Message: "the service rejected the login: " + message + loginAdvice}
		}
		missing = append(missing, "a token (accessToken, token, access_token)")
	}
	if cred.organization == "" {
		missing = append(missing, "an organization (organizationLabel, organization, organizations); set Organization in the data source settings to send your own")
	}
	if len(missing) > 0 {
		found := c.Quote(strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		advice, _ := c.baseURLAdvice()
		return nil, &Error{Kind: ErrLogin, Message: fmt.Sprintf("the login succeeded, but the response is missing %s. Its fields are: %s – if this is not the service, %s",
			strings.Join(missing, " and "), cmp.Or(found, "none"), advice)}
	}
	return cred, nil
}

// text returns a text without the spaces around it, which no header has.
func text(value any) string {
	text, _ := value.(string)
	return strings.TrimSpace(text)
}

// label returns a text, or the label of an object or of the first element of a list.
func label(value any) string {
	switch v := value.(type) {
	case map[string]any:
		return cmp.Or(text(v["label"]), text(v["organizationLabel"]))
	case []any:
		if len(v) > 0 {
			return label(v[0])
		}
	}
	return text(value)
}

// loginError explains a rejected login. what describes the response, and message is the service's own one.
func (c *Client) loginError(a *response, what, message string, isPage bool) *Error {
	address := c.URL(a.to.Path, nil)
	advice, hasRoute := c.baseURLAdvice()
	said := "the service rejected the login: " + cmp.Or(message, what) + loginAdvice
	responded := ""
	if message != "" {
		responded = ". The server responded: " + message
	}
	switch {
	case a.StatusCode == http.StatusNotFound || a.StatusCode == http.StatusMethodNotAllowed:
		said = fmt.Sprintf("there is no login route at %s (%d): %s", address, a.StatusCode, advice) + responded
	case isPage:
		said = fmt.Sprintf("the login at %s was answered by an HTML page instead of the service (%d): check the base URL, and any proxy in between",
			c.host(), a.StatusCode) + responded
	case hasRoute:
		said += fmt.Sprintf(". If there is no login route at %s, %s", address, advice)
	}
	return &Error{Kind: ErrLogin, Status: a.StatusCode, Cause: errors.New(what), Message: said}
}
