// Package service sends requests to the Insights reporting API: it logs in, authorizes each request, retries, and
// describes failures. It handles HTTP only; pages, rows and frames are up to the callers, which read the body.
package service

import "time"

// Config holds the validated settings of the client.
type Config struct {
	BaseURL       string // http or https, without a trailing slash
	Login         string
	Key           string        // secret
	Organization  string        // sent instead of what login returned; empty: what login returned
	Timeout       time.Duration // of one request, for messages; the HTTP client enforces it
	MaxConcurrent int           // requests in flight at once
	UserAgent     string
}
