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

const loginPath = "/api/v2/workspace/login"

// loginAnswerLimit is far more than a token and an organization need.
const loginAnswerLimit = 1 << 20

// maxToken is the longest accepted token, in bytes: servers bound all headers of a request to about as much.
const maxToken = 8 << 10

// logIn requests a credential (specification, "Login"; the JSON body and the names in the response are those that
// public clients use).
func (c *Client) logIn(ctx context.Context) (*credential, error) {
	// Two strings always marshal.
	body, _ := json.Marshal(map[string]string{"login": c.config.Login, "key": c.config.Key})
	logins.Inc()
	var cred *credential
	err := retry(ctx, func() error {
		r := &request{Request: Request{Route: "login", Path: loginPath}, login: body}
		return c.fetch(ctx, r, func(answer io.Reader) error {
			raw, err := io.ReadAll(io.LimitReader(answer, loginAnswerLimit))
			if err != nil {
				return err
			}
			cred, err = parseLogin(raw, c.config.Organization, c.secrets())
			return err
		})
	})
	return cred, c.loginError(err)
}

// loginError explains a rejected login. Connection failures remain unchanged.
func (c *Client) loginError(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Status < 400 || e.Status >= 500 || errors.Is(e, ErrRateLimited) {
		return err
	}
	message := "the service rejected the login: " + cmp.Or(e.serviceMessage, e.Message) + " – check the login and key in the data source settings"
	switch {
	case hasNoRoute(e):
		message = withMessage(fmt.Sprintf("there is no login route at %s (%d): check the base URL", c.config.BaseURL+loginPath, e.Status), e)
	case e.impostor != "":
		message = withMessage(fmt.Sprintf("the login at %s was answered by %s instead of the service (%d): check the base URL, and any proxy in between",
			c.host(), e.impostor, e.Status), e)
	}
	return &Error{Kind: ErrLogin, Status: e.Status, Cause: e, Message: message}
}

// withMessage adds what the server responded, if it is known.
func withMessage(message string, refused *Error) string {
	if refused.serviceMessage == "" {
		return message
	}
	return message + ". The server responded: " + refused.serviceMessage
}

// hasNoRoute reports whether a server does not have the login route, or not for this method.
func hasNoRoute(e *Error) bool {
	return errors.Is(e, ErrNotFound) || e.Status == http.StatusMethodNotAllowed
}

// parseLogin finds the token and the organization. known are secrets that an error message must not repeat.
func parseLogin(raw []byte, organization string, known *secrets) (*credential, error) {
	var answer map[string]any
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, ErrNotJSON
	}
	cred := &credential{issued: time.Now(), organization: organization}
	cred.token = cmp.Or(text(answer["accessToken"]), text(answer["token"]), text(answer["access_token"]))
	if organization == "" {
		cred.organization = cmp.Or(label(answer["organizationLabel"]), label(answer["organization"]), label(answer["organizations"]))
	}
	var missing []string
	if cred.token == "" {
		missing = append(missing, "a token (accessToken, token, access_token)")
	}
	if cred.organization == "" {
		missing = append(missing, "an organization (organizationLabel, organization, organizations); set Organization in the data source settings to send your own")
	}
	if len(missing) > 0 {
		found := strings.Join(slices.Sorted(maps.Keys(answer)), ", ")
		found = known.quote(withoutTexts(found, answer))
		return nil, &Error{Kind: ErrLogin, Message: fmt.Sprintf("the login succeeded, but the response is missing %s. Its fields are: %s – if this is not the service, check the base URL",
			strings.Join(missing, " and "), cmp.Or(found, "none"))}
	}
	if len(cred.token) > maxToken {
		return nil, &Error{Kind: ErrLogin, Message: fmt.Sprintf("the login returned a token of %d bytes, and the maximum for a header is %d – if this is not the service, check the base URL",
			len(cred.token), maxToken)}
	}
	return cred, nil
}

// withoutTexts redacts the strings of a response in the names of its fields: any of them may be the token.
func withoutTexts(names string, answer map[string]any) string {
	for _, value := range answer {
		if text := text(value); text != "" {
			names = strings.ReplaceAll(names, text, secretMark)
		}
	}
	return names
}

func text(value any) string {
	text, _ := value.(string)
	return text
}

// label returns a text, or the label of an object, or that of the first element of a list.
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
