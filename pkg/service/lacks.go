package service

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
)

// CheckLogin is Login for somebody who wants to know what is wrong. Where the login is refused, it finds out whether the
// service refused it: another server, which answers whatever it is asked, does not have the data route.
func (c *Client) CheckLogin(ctx context.Context, data Request) (organization string, err error) {
	organization, err = c.Login(ctx)
	var e, refused *Error
	if !errors.As(err, &e) || !errors.Is(err, ErrLogin) || !errors.As(e.Cause, &refused) || isAboutAddress(refused) || !c.lacks(ctx, data) {
		return organization, err
	}
	return "", &Error{Kind: ErrLogin, Status: e.Status, Cause: e.Cause, Message: fmt.Sprintf(
		"%s rejected the login (%d) and does not appear to be the service, because it has no %s (404): check the base URL, then the login and key. Response: %s",
		c.host(), e.Status, data.Path, cmp.Or(refused.said, "empty"))}
}

// isAboutAddress says whether a refusal tells by itself that the base URL is wrong.
func isAboutAddress(refused *Error) bool {
	return hasNoRoute(refused) || refused.stranger != ""
}

// lacks says whether a route is a 404 for a request without a token. Any other answer, and none, says nothing.
func (c *Client) lacks(ctx context.Context, r Request) bool {
	unread := func(io.Reader) error { return nil }
	return errors.Is(c.fetch(ctx, &request{Request: r}, unread), ErrNotFound)
}
