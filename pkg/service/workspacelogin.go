package service

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// workspaceLogin is the form of a login (specification, "Login"): where it is sent, what it contains, and how its
// response is read. The specification leaves the last two open: they are what public clients use.
type workspaceLogin struct {
	login, key   string
	organization string // instead of what the response says; empty: what the response says
}

func (workspaceLogin) path() string { return "/api/v2/workspace/login" }

func (l workspaceLogin) body() []byte {
	// Two strings always marshal.
	body, _ := json.Marshal(map[string]string{"login": l.login, "key": l.key})
	return body
}

// read finds the token and the organization in a response. An error message repeats none of the secrets.
func (l workspaceLogin) read(raw []byte, secrets *secrets) (*credential, error) {
	var fields map[string]any
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, ErrNotJSON
	}
	cred := &credential{issued: time.Now(), organization: l.organization}
	cred.token = cmp.Or(text(fields["accessToken"]), text(fields["token"]), text(fields["access_token"]))
	if l.organization == "" {
		cred.organization = cmp.Or(label(fields["organizationLabel"]), label(fields["organization"]), label(fields["organizations"]))
	}
	var missing []string
	if cred.token == "" {
		missing = append(missing, "a token (accessToken, token, access_token)")
	}
	if cred.organization == "" {
		missing = append(missing, "an organization (organizationLabel, organization, organizations); set Organization in the data source settings to send your own")
	}
	if len(missing) > 0 {
		found := secrets.quote(strings.Join(slices.Sorted(maps.Keys(fields)), ", "))
		return nil, &Error{Kind: ErrLogin, Message: fmt.Sprintf("the login succeeded, but the response is missing %s. Its fields are: %s – if this is not the service, check the base URL",
			strings.Join(missing, " and "), cmp.Or(found, "none"))}
	}
	return cred, nil
}

func text(value any) string {
	text, _ := value.(string)
	return text
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
