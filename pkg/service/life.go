package service

import (
	"sync"
	"time"
)

// life is how long tokens of one login have lived. It outlasts the client, which is made anew when settings are saved:
// right then somebody wants to know.
type life struct {
	mu      sync.Mutex
	longest time.Duration // from a login to the last request that took its token
	ended   time.Duration // from a login to the request that refused its token; 0 while none has
}

// lives are those of all data sources of this process, by service and login.
var lives sync.Map

func lifeOf(config Config) *life {
	of, _ := lives.LoadOrStore(config.BaseURL+"\n"+config.Login, &life{})
	return of.(*life)
}

func (l *life) accepted(age time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.longest = max(l.longest, age)
}

func (l *life) refused(age time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = age
}

// SessionFacts is what is known of the login. It holds no secret.
type SessionFacts struct {
	TokenField        string        // of the login's answer
	OrganizationField string        // of the login's answer; "" where the settings name the organization
	Lived             time.Duration // the longest that a token has worked so far
	Ended             time.Duration // the age at which a token that had worked was last refused; 0 while none was
}

// SessionFacts says what is known of the login so far.
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
