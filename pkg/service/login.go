package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// loginLimit is far more than a token and an organization need, in bytes.
const loginLimit = 1 << 20

// logIn requests a credential.
func (c *Client) logIn(ctx context.Context) (cred *credential, err error) {
	form := workspaceLogin{login: c.config.Login, key: c.config.Key, organization: c.config.Organization}
	err = c.retry(ctx, func() error {
		r := &request{Request: Request{Path: form.path(), Usage: &Usage{}}, login: form.body()}
		return c.fetch(ctx, r, func(a *response) error {
			raw, err := io.ReadAll(io.LimitReader(a.body, loginLimit))
			if err != nil {
				return err
			}
			if cred, err = form.read(raw, c.secrets()); err == nil {
				cred.took = time.Since(a.sent)
			}
			return err
		})
	})
	return cred, err
}

// loginError explains a rejected login. what describes the response, and message is the service's own one.
func (c *Client) loginError(a *response, what, message string, isPage bool) *Error {
	text := "the service rejected the login: " + cmp.Or(message, what) + " – check the login and key in the data source settings, and that the base URL is the address of the service"
	responded := ""
	if message != "" {
		responded = ". The server responded: " + message
	}
	switch {
	case a.StatusCode == http.StatusNotFound || a.StatusCode == http.StatusMethodNotAllowed:
		text = fmt.Sprintf("there is no login route at %s (%d): check the base URL", c.URL(a.to.Path, nil), a.StatusCode) + responded
	case isPage:
		text = fmt.Sprintf("the login at %s was answered by an HTML page instead of the service (%d): check the base URL, and any proxy in between",
			c.host(), a.StatusCode) + responded
	}
	return &Error{Kind: ErrLogin, Status: a.StatusCode, Cause: errors.New(what), Message: text}
}
