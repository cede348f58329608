package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
)

const (
	loginPath  = "/api/v2/workspace/login"
	loginRoute = "login"
)

// loginAnswerLimit is far more than an answer with a token and an organization needs.
const loginAnswerLimit = 1 << 20

// logIn asks the login route for a credential (specification, "Login"; the JSON body and the names in the answer
// are those that public clients use).
func (c *Client) logIn(ctx context.Context) (*credential, error) {
	// Two strings always marshal.
	body, _ := json.Marshal(map[string]string{"login": c.config.Login, "key": c.config.Key})
	logins.Inc()
	var cred *credential
	err := c.retry(ctx, func() error {
		return c.send(ctx, &call{
			Request: Request{Route: loginRoute, Path: loginPath}, method: http.MethodPost, body: body,
			read: func(answer io.Reader) error {
				raw, err := io.ReadAll(io.LimitReader(answer, loginAnswerLimit))
				if err != nil {
					return err
				}
				cred, err = parseLogin(raw, c.config.Organization)
				return err
			},
		})
	})
	return cred, c.loginError(err)
}

// loginError tells what a refused login means. Failures of the way to the service stay what they are.
func (c *Client) loginError(err error) error {
	var e *Error
	if !errors.As(err, &e) || e.Status < 400 || e.Status >= 500 || errors.Is(e, ErrRateLimited) {
		return err
	}
	if errors.Is(e, ErrNotFound) {
		return &Error{Kind: ErrLogin, Status: e.Status, Cause: e,
			Message: "there is no login route at " + c.config.BaseURL + loginPath + " (404): check the base URL"}
	}
	return &Error{Kind: ErrLogin, Status: e.Status, Cause: e,
		Message: "the service refused the login: " + e.Message + " – check login and key in the data source settings"}
}

func parseLogin(raw []byte, organization string) (*credential, error) {
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, ErrNotJSON
	}
	cred := &credential{
		token:        firstText(answer["accessToken"], answer["token"], answer["access_token"]),
		organization: organization,
	}
	if cred.organization == "" {
		cred.organization = loginOrganization(answer)
	}
	var missing []string
	if cred.token == "" {
		missing = append(missing, "a token (accessToken, token, access_token)")
	}
	if cred.organization == "" {
		missing = append(missing, "an organization (organizationLabel, organization, organizations); set Organization in the data source settings to send one of your own")
	}
	if len(missing) > 0 {
		found := strings.Join(slices.Sorted(maps.Keys(answer)), ", ")
		return nil, newError(ErrLogin, "the login was accepted, but its answer lacks %s. It has the fields: %s",
			strings.Join(missing, " and "), orNone(found))
	}
	return cred, nil
}

func loginOrganization(answer map[string]json.RawMessage) string {
	if label := firstText(answer["organizationLabel"], answer["organization"]); label != "" {
		return label
	}
	if label := label(answer["organization"]); label != "" {
		return label
	}
	var list []json.RawMessage
	if json.Unmarshal(answer["organizations"], &list) != nil || len(list) == 0 {
		return ""
	}
	if text := firstText(list[0]); text != "" {
		return text
	}
	return label(list[0])
}

// label returns the label of an organization that is an object.
func label(raw json.RawMessage) string {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil {
		return ""
	}
	return firstText(object["label"], object["organizationLabel"])
}

// firstText returns the first of the values that is a string with something in it.
func firstText(values ...json.RawMessage) string {
	for _, raw := range values {
		var s string
		if len(bytes.TrimSpace(raw)) > 0 && json.Unmarshal(raw, &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
