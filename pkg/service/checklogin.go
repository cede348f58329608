package service

import (
	"context"
	"errors"
	"fmt"
	"io"
)

// CheckLogin is Login with a better diagnosis. If the login is rejected, it checks whether the service rejected it:
// another server, which rejects any request, does not have the data route.
func (c *Client) CheckLogin(ctx context.Context, data Request) (organization string, err error) {
	organization, err = c.Login(ctx)
	var e, refused *Error
	if !errors.As(err, &e) || !errors.Is(err, ErrLogin) || !errors.As(e.Cause, &refused) || isAboutAddress(refused) || !c.isMissing(ctx, data) {
		return organization, err
	}
	message := fmt.Sprintf("%s rejected the login (%d) and does not appear to be the service, because it has no %s (404): check the base URL, then the login and key",
		c.host(), e.Status, data.Path)
	return "", &Error{Kind: ErrLogin, Status: e.Status, Cause: e.Cause, Message: withMessage(message, refused)}
}

// isAboutAddress reports whether a rejection alone shows that the base URL is wrong.
func isAboutAddress(refused *Error) bool {
	return hasNoRoute(refused) || refused.impostor != ""
}

// isMissing reports whether a route returns 404 to a request without a token. Any other response, or none, is
// inconclusive.
func (c *Client) isMissing(ctx context.Context, r Request) bool {
	unread := func(io.Reader) error { return nil }
	return errors.Is(c.fetch(ctx, &request{Request: r}, unread), ErrNotFound)
}
