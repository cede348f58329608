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

// request is what one attempt sends.
type request struct {
	Request
	login []byte      // the body of a login; nil: a data request
	cred  *credential // of a data request; nil: none is sent
}

// isLogin reports whether a response is never quoted, because it may contain a token.
func (r *request) isLogin() bool { return r.login != nil }

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
	if r.isLogin() {
		method = http.MethodPost
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL(r.Path, r.Query), bytes.NewReader(r.login))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", c.config.UserAgent)
	if r.isLogin() {
		req.Header.Set("Content-Type", "application/json")
		return req, nil
	}
	if r.cred != nil {
		req.Header.Set("token", r.cred.token)
		req.Header.Set("organization", r.cred.organization)
	}
	return req, nil
}
