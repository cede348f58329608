package service

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
)

// Request is a GET of a data route.
type Request struct {
	Route    string     // name in metrics and traces: the data set
	Path     string     // below the base URL
	Query    url.Values // contains no secret
	NotFound string     // advice for a 404; empty: check the base URL
	Limit    int64      // maximum decompressed bytes of the response; 0: 64 MiB, which is also the upper bound
	Usage    *Usage     // accumulates the cost of the request; may be nil
}

// kind distinguishes a login from a data request: a login has no credential yet, and its response is never quoted,
// because it may contain a token.
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

// limit returns how many bytes of the response may be read.
func (r *request) limit() int64 {
	if r.Limit <= 0 {
		return maxAnswer
	}
	return min(r.Limit, maxAnswer)
}

// httpRequest builds the net/http request.
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
