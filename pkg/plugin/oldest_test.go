package plugin

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/pkg/servicetest"
)

// listing answers with tasks that were created some days ago, as far as the look-back goes, in pages of one.
func listing(longest int, daysAgo ...float64) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		days, _ := strconv.Atoi(r.URL.Query().Get("days"))
		var rows []string
		for id, ago := range daysAgo {
			if ago < float64(min(days, longest)) {
				at := time.Now().Add(-time.Duration(ago * float64(24*time.Hour)))
				rows = append(rows, fmt.Sprintf(`{"id":%d,"state":"FINISHED","dateCreation":%q}`, id, at.UTC().Format(time.RFC3339)))
			}
		}
		number, _ := strconv.Atoi(r.URL.Query().Get("page"))
		servicetest.OK(servicetest.Envelope(rows, number, 1))(w, r)
	}
}

// Whether a beginning was quiet, or the service has forgotten it, follows from the oldest task that it lists at all.
func TestCompareWithAQuietBeginning(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		before string
	}{
		"older tasks":                   {listing(3650, 1, 3, 9, 60), "1"},
		"nothing in the whole period":   {listing(3650, 1, 3, 60), "0"},
		"a service with a shorter past": {listing(30, 1, 3, 9, 60), "null"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newService().Data(tasksPath, test.answer)
			i := start(t, s)
			f := askFrame(t, i, `{"format":"numeric","measure":"tasks","compare":"previous","shape":"long"}`)
			assert.Equal(t, []string{test.before}, column(t, f, "before"))
			assert.Equal(t, []string{"2"}, column(t, f, "tasks"))
			assert.Equal(t, test.before == "null", strings.Contains(notices(f), "the service is known to have data only since "))
		})
	}
}

// Whoever asks what there is now gets an answer, even if nobody knows what there was: of an empty service, and of one that
// does not list tasks.
func TestNothingKnownButNow(t *testing.T) {
	for name, tasks := range map[string]http.HandlerFunc{
		"empty": servicetest.OK(page()), "no permission": servicetest.Status(http.StatusForbidden, `{"message":"no"}`),
	} {
		t.Run(name, func(t *testing.T) {
			i := start(t, newService().Data(tasksPath, tasks).Data(automationsPath, savings(each(0), each(0))))
			if name == "empty" {
				count := askFrame(t, i, `{"format":"numeric","measure":"tasks"}`)
				assert.Equal(t, []string{"0"}, column(t, count, "tasks"))
				assert.Empty(t, notices(count))
				line := column(t, askFrame(t, i, `{"format":"timeseries","measure":"tasks"}`), "tasks")
				assert.Equal(t, "0", line[len(line)-1])
				assert.Equal(t, "null", line[len(line)-2])
			}
			number := askFrame(t, i, savingsNumber)
			assert.Equal(t, []string{"0"}, column(t, number, "savings"))
			assert.Empty(t, notices(number))
			line := askFrame(t, i, savingsLine)
			assert.Equal(t, append(slices.Repeat([]string{"null"}, 6), "0"), column(t, line, "savings"))
			assert.Contains(t, notices(line), "does not tell since when it has data: a time without data is null, not 0")
			assert.Empty(t, askOver(t, i, savingsNumber, 30, 10).Fields)
		})
	}
}
