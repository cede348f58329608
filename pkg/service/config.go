// Package service sends requests to the Insights reporting API: it logs in, authorizes each request, tries again and
// says what went wrong. It knows HTTP, and nothing of pages, rows or frames: whoever asks reads the body.
package service

import "time"

// Config is what the client needs to know of the data source settings, already checked.
type Config struct {
	BaseURL       string // http or https, without a trailing slash
	Login         string
	Key           string        // secret
	Organization  string        // sent instead of what login returned; empty: what login returned
	Timeout       time.Duration // of one request, for messages; the HTTP client enforces it
	MaxConcurrent int           // requests in flight at once
	UserAgent     string
}
