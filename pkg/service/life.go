package service

import (
	"sync"
	"time"
)

// tokenLife is how long the tokens of one login have lived. It outlives the client, which is recreated when settings
// are saved, because that is when the check shows it.
type tokenLife struct {
	mu      sync.Mutex
	longest time.Duration // from a login to the last request that accepted its token
	ended   time.Duration // from a login to the request that rejected its token; 0 if none did
}

// lives holds the token lives of all data sources of this process, by service and login.
var lives sync.Map

func lifeOf(config Config) *tokenLife {
	of, _ := lives.LoadOrStore(config.BaseURL+"\n"+config.Login, &tokenLife{})
	return of.(*tokenLife)
}

func (l *tokenLife) accepted(age time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.longest = max(l.longest, age)
}

func (l *tokenLife) refused(age time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = age
}

// SessionFacts describes the login. It contains no secret.
type SessionFacts struct {
	TokenField        string        // in the login response
	OrganizationField string        // in the login response; "" if the settings name the organization
	Lived             time.Duration // the longest time that a token has worked so far
	Ended             time.Duration // the age at which a working token was last rejected; 0 if none was
}

// SessionFacts returns what is known of the login so far.
func (c *Client) SessionFacts() SessionFacts {
	facts := c.session.facts()
	life := c.session.life
	life.mu.Lock()
	defer life.mu.Unlock()
	facts.Lived, facts.Ended = life.longest, life.ended
	return facts
}

func (s *session) facts() SessionFacts {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return SessionFacts{}
	}
	return SessionFacts{TokenField: s.current.tokenField, OrganizationField: s.current.organizationField}
}
