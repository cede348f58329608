package frame

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Language is the language of display names: en-US, pt-BR, es-ES, or datasets.API for the API's names with English words
// around them.
type Language string

// English is the language of notices.
const English Language = "en-US"

// words are the words around names.
type words struct {
	none     string // a label without a value
	lastDay  string
	lastDays string
	untilNow string
	change   string
	start    string // of a bar
	end      string
	before   map[string]string // the value of compare and its period
	weekdays []string          // from Sunday on
	months   []string
}

var inEnglish = words{
	none: "(none)", lastDay: "last 24 h", lastDays: "last %d days", untilNow: "until now", change: "Change", start: "Started", end: "Ended",
	before: map[string]string{
		"previous": "previous period", "day": "previous day", "week": "previous week", "month": "previous month", "year": "previous year",
	},
	weekdays: strings.Fields("Sunday Monday Tuesday Wednesday Thursday Friday Saturday"),
	months:   strings.Fields("Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"),
}

var translated = map[Language]words{
	"pt-BR": {
		none: "(nenhum)", lastDay: "últimas 24 h", lastDays: "últimos %d dias", untilNow: "até agora", change: "Variação", start: "Iniciada em", end: "Encerrada em",
		before: map[string]string{
			"previous": "período anterior", "day": "dia anterior", "week": "semana anterior", "month": "mês anterior", "year": "ano anterior",
		},
		weekdays: strings.Fields("domingo segunda-feira terça-feira quarta-feira quinta-feira sexta-feira sábado"),
		months:   strings.Fields("jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez."),
	},
	"es-ES": {
		none: "(ninguno)", lastDay: "últimas 24 h", lastDays: "últimos %d días", untilNow: "hasta ahora", change: "Variación", start: "Iniciada", end: "Finalizada",
		before: map[string]string{
			"previous": "periodo anterior", "day": "día anterior", "week": "semana anterior", "month": "mes anterior", "year": "año anterior",
		},
		weekdays: strings.Fields("domingo lunes martes miércoles jueves viernes sábado"),
		months:   strings.Fields("ene feb mar abr may jun jul ago sept oct nov dic"),
	},
}

func (l Language) words() words {
	if w, ok := translated[l]; ok {
		return w
	}
	return inEnglish
}

// LastDays describes the last days up to now.
func (l Language) LastDays(days int) string {
	if days == 1 {
		return l.words().lastDay
	}
	return fmt.Sprintf(l.words().lastDays, days)
}

// Since describes the days from about one until now.
func (l Language) Since(from, now time.Time) string {
	return "≈ " + l.date(from, now) + " " + l.words().untilNow
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
	text := t.Format("2 ") + l.words().months[t.Month()-1]
	if t.Year() != now.Year() {
		text += t.Format(" 2006")
	}
	return text
}

// before describes the period of a comparison.
func (l Language) before(compare string) string { return l.words().before[compare] }

// value returns the display name of a label's value.
func (l Language) value(field, text string) string {
	if text == "" {
		return l.words().none
	}
	if i := slices.Index(inEnglish.weekdays, text); field == "weekday" && i >= 0 {
		return l.words().weekdays[i]
	}
	return text
}
