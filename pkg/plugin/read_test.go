package plugin

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/query"
	"github.com/insights/insights-reporting-datasource/schema"
)

// Rows of more days answer a query that shows only what was created in its range, unless something in it follows from the
// other rows of its own days.
func TestQueriesThatMoreDaysAnswer(t *testing.T) {
	for raw, want := range map[string]bool{
		`{"columns":["id"]}`: true,
		`{"format":"numeric","measure":"tasks","groupBy":["activityLabel"]}`: true,
		`{}`:                          false, // which fields its own rows have
		`{"columns":["slowness"]}`:    false,
		`{"columns":["id"],"days":7}`: false,
		`{"columns":["id"],"timeField":"dateStartRunning"}`:                                                                         false,
		`{"columns":["id"],"filters":[{"key":"slowness","operator":">","value":"2"}]}`:                                              false,
		`{"columns":["id"],"sort":{"field":"slowness","order":"desc"}}`:                                                             false,
		`{"format":"numeric","measure":"tasks","groupBy":["zone"]}`:                                                                 false,
		`{"format":"numeric","measure":"tasks","groupBy":["activityLabel"],"shape":"long","sort":{"field":"tasks","order":"desc"}}`: true,
		`{"format":"timeline"}`: false,
	} {
		q, err := query.Parse(schema.All(), dataQuery("A", raw), time.Now(), "en-US")
		require.NoError(t, err, raw)
		assert.Equal(t, want, isCut(q), raw)
	}
}
