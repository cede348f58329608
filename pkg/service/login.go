package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// loginAnswerLimit is far more than a token and an organization need, in bytes.
const loginAnswerLimit = 1 << 20

// logIn requests a credential.
func (c *Client) logIn(ctx context.Context) (*credential, error) {
	form := workspaceLogin{login: c.config.Login, key: c.config.Key, organization: c.config.Organization}
	logins.Inc()
	var cred *credential
	err := retry(ctx, func() error {
		r := &request{Request: Request{Route: "login", Path: form.path()}, login: form.body()}
		return c.fetch(ctx, r, func(answer io.Reader) error {
			raw, err := io.ReadAll(io.LimitReader(answer, loginAnswerLimit))
			if err != nil {
				return err
			}
			cred, err = form.read(raw, c.secrets())
			return err
		})
	})
	if err != nil {
		return nil, c.loginError(err, form.path())
	}
	return cred, nil
}

// loginError explains a rejected login. Connection failures keep their message.
func (c *Client) loginError(err error, path string) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	if e.Status < 400 || e.Status >= 500 || errors.Is(e, ErrRateLimited) {
		failed := *e // a copy: during a pause, several requests get the same error
		failed.ofLogin = true
		return &failed
	}
	message := "the service rejected the login: " + cmp.Or(e.serviceMessage, e.Message) + " – check the login and key in the data source settings, and that the base URL is the address of the service"
	switch {
	case errors.Is(e, ErrNotFound) || e.Status == http.StatusMethodNotAllowed:
		message = withMessage(fmt.Sprintf("there is no login route at %s (%d): check the base URL", c.config.BaseURL+path, e.Status), e)
	case e.impostor != "":
		message = withMessage(fmt.Sprintf("the login at %s was answered by %s instead of the service (%d): check the base URL, and any proxy in between",
			c.host(), e.impostor, e.Status), e)
	}
	return &Error{Kind: ErrLogin, Status: e.Status, Cause: e, Message: message, ofLogin: true}
}

// withMessage adds what the server responded, if it is known.
func withMessage(message string, refused *Error) string {
	if refused.serviceMessage == "" {
		return message
	}
	return message + ". The server responded: " + refused.serviceMessage
}
