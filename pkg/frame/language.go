package frame

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Language is the language of display names: en-US, pt-BR, es-ES, or datasets.API for the API's names with English words
// around them.
type Language string

// English is the language of notices.
const English Language = "en-US"

// words are the words around names.
type words struct {
	None              string // a label without a value
	LastDay, LastDays string
	UntilNow          string
	Change            string
	Start, End        string            // of a bar
	Open              map[string]string // titles of links, by their settings
	Before            map[string]string // the value of compare and its period
	Weekdays          []string          // from Sunday on
	Months            []string
}

//go:embed words.json
var allWords []byte

var wordsOf = loadWords()

func loadWords() map[Language]words {
	var loaded map[Language]words
	if err := json.Unmarshal(allWords, &loaded); err != nil {
		panic(fmt.Sprintf("words.json: %v", err))
	}
	return loaded
}

func (l Language) words() words {
	if w, ok := wordsOf[l]; ok {
		return w
	}
	return wordsOf[English]
}

// LastDays describes the last days up to now.
func (l Language) LastDays(days int) string {
	if days == 1 {
		return l.words().LastDay
	}
	return fmt.Sprintf(l.words().LastDays, days)
}

// Since describes the days from about one until now.
func (l Language) Since(from, now time.Time) string {
	return "≈ " + l.date(from, now) + " " + l.words().UntilNow
}

// Between describes about the days from one to another: "≈ 1 – 31 Oct", with the year if that is not the one of now.
func (l Language) Between(from, to, now time.Time) string {
	switch {
	case from.Year() != to.Year() || from.Month() != to.Month():
		return "≈ " + l.date(from, now) + " – " + l.date(to, now)
	case from.Day() != to.Day():
		return "≈ " + from.Format("2") + " – " + l.date(to, now)
	default:
		return "≈ " + l.date(to, now)
	}
}

func (l Language) date(t, now time.Time) string {
	text := t.Format("2 ") + l.words().Months[t.Month()-1]
	if t.Year() != now.Year() {
		text += t.Format(" 2006")
	}
	return text
}

// value returns the display name of a label's value.
func (l Language) value(field, text string) string {
	if text == "" {
		return l.words().None
	}
	if i := slices.Index(wordsOf[English].Weekdays, text); field == "weekday" && i >= 0 {
		return l.words().Weekdays[i]
	}
	return text
}
