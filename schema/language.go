package schema

import _ "embed"

// Language is the language of display names, by its tag such as pt-BR.
type Language string

const (
	// English is also the language of notices and errors.
	English Language = "en-US"
	// API stands for the API's own names, with English words around them.
	API Language = "api"
)

// IsTranslated reports whether the words are others than the English ones.
func (l Language) IsTranslated() bool {
	_, ok := words[l]
	return ok && l != English
}

// Words are the words around names.
type Words struct {
	None              string // a label without a value
	LastDay, LastDays string
	Days              string // at least two
	Clock             string // a time of today
	Nothing, NoTasks  string // needs attention, or are there to judge
	NothingRead       string // needs attention, but something could not be read
	NoMatch           string // of the groups
	NotJudged         string // how many groups
	UntilNow          string
	Change            string
	Severities        []string          // from 1 on
	Start, End        string            // of a bar
	Open              map[string]string // titles of links, by their settings
	Before            map[string]string // the value of compare and its period
	Weekdays          []string          // from Sunday on
	ShortWeekdays     []string
	Months            []string
}

//go:embed words.json
var wordsFile []byte

var words = decode[map[Language]Words]("words.json", wordsFile)

// Words returns the words in the language; English for an unknown one.
func (l Language) Words() Words {
	if w, ok := words[l]; ok {
		return w
	}
	return words[English]
}
