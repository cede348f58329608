package service

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"
)

const loginPath = "/api/v2/workspace/login"

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
		r := &request{Request: Request{Route: "login", Path: loginPath}, kind: loginRequest, body: body}
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

// loginError tells what a rejected login means. Failures of the way to the service stay what they are.
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

// parseLogin finds token and organization. known are the secrets that a message about the answer must not repeat.
func parseLogin(raw []byte, organization string, known secrets) (*credential, error) {
	var answer map[string]json.RawMessage
	if err := json.Unmarshal(raw, &answer); err != nil {
		return nil, ErrNotJSON
	}
	cred := &credential{
		issued:       time.Now(),
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
		return nil, &Error{Kind: ErrLogin, Message: fmt.Sprintf("the login was accepted, but its answer lacks %s. It has the fields: %s",
			strings.Join(missing, " and "), orNone(append(known, textsOf(answer)...).quote(found, false)))}
	}
	return cred, nil
}

// textsOf returns the texts of an answer, any of which may be the token: a message that lists its fields holds none of
// them.
func textsOf(answer map[string]json.RawMessage) []string {
	var texts []string
	for _, raw := range answer {
		if text := firstText(raw); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
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
