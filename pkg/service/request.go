package service

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
)

// Request is a GET of a data route.
type Request struct {
	Route    string     // names the route in metrics and traces: the data set
	Path     string     // below the base URL
	Query    url.Values // holds no secret
	NotFound string     // what to do about a 404; empty: check the base URL
	Limit    int64      // bytes of the answer that may be read, unpacked; 0: 64 MiB, which is the most in any case
	Usage    *Usage     // adds up what the request costs; may be nil
}

// kind tells a login from a request for data: a login has no credential yet, and its answer is never quoted, because
// it may hold a token.
type kind int

const (
	dataRequest kind = iota
	loginRequest
)

// request is what one attempt sends.
type request struct {
	Request
	kind kind
	body []byte      // of a login
	cred *credential // of a data request; nil: none is sent
}

// limit is how many bytes of the answer may be read.
func (r *request) limit() int64 {
	if r.Limit <= 0 {
		return maxAnswer
	}
	return min(r.Limit, maxAnswer)
}

// httpRequest makes the request as net/http sends it.
func (c *Client) httpRequest(ctx context.Context, r *request) (*http.Request, error) {
	method := http.MethodGet
	if r.kind == loginRequest {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL(r.Path, r.Query), bytes.NewReader(r.body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.config.UserAgent)
	if r.kind == loginRequest {
		req.Header.Set("Content-Type", "application/json")
		return req, nil
	}
	if r.cred != nil {
		req.Header.Set("token", r.cred.token)
		req.Header.Set("organization", r.cred.organization)
	}
	return req, nil
}
