package pages

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/insights/insights-reporting-datasource/datasets"
)

func TestFormsOfDates(t *testing.T) {
	for date, want := range map[string]string{
		`"2026-11-20T10:00:00.123+00:00"`:    "YYYY-MM-DDThh:mm:ss.SSS+00:00",
		`"2026-11-20T10:00:00.123456-03:00"`: "YYYY-MM-DDThh:mm:ss.SSSSSS-03:00",
		`"2026-11-20T10:00:00-0300"`:         "YYYY-MM-DDThh:mm:ss-0300",
		`"2026-11-20T10:00:00Z"`:             "YYYY-MM-DDThh:mm:ssZ",
		`"2026-11-20T10:00:00"`:              "YYYY-MM-DDThh:mm:ss",
		`"20/11/2026"`:                       Unreadable,
		`"2026-11-20T10:00:00 token"`:        Unreadable,
		`1700000000`:                         Unreadable,
		`{"year":2026}`:                      Unreadable,
	} {
		forms := formsOf([]byte(`[{"dateCreation":`+date+`}]`), datasets.Get("tasks"))
		assert.Equal(t, []string{want}, forms.Dates, date)
	}
}

func TestFormsOfRecords(t *testing.T) {
	set := datasets.Get("runners")
	all := []string{"_id", "tasks", "items", "itemsErrorCount", "utilizationRate"}
	for name, test := range map[string]struct {
		raw     string
		records int
		absent  []string
	}{
		"an array":                     {`[{"_id":"a","tasks":1},{"items":null}]`, 2, []string{"itemsErrorCount", "utilizationRate"}},
		"an envelope":                  {`{"size":20,"sort":{"a":[1]},"content":[{"_id":"a"}],"last":true}`, 1, all[1:]},
		"other records":                {`[{"label":"x"}]`, 1, all},
		"no records":                   {`[]`, 0, nil},
		"no content":                   {`{"size":20}`, 0, nil},
		"content that is not an array": {`{"content":{"_id":"a"}}`, 0, nil},
		"cut off in a record":          {`[{"_id":"a"},{"tasks":1,"it`, 1, all[1:]},
		"cut off in the envelope":      {`{"size":2`, 0, nil},
		"a number, then a record":      {`[1,{"_id":"a"}]`, 0, nil},
		"no JSON":                      {`<html>`, 0, nil},
		"nothing":                      {``, 0, nil},
		"names that are written odd":   {`[{"\u005fid":"a"}]`, 1, all[1:]},
	} {
		t.Run(name, func(t *testing.T) {
			forms := formsOf([]byte(test.raw), set)
			assert.Equal(t, test.records, forms.Records)
			assert.Equal(t, test.absent, forms.Absent)
			assert.Empty(t, forms.Dates)
		})
	}
}

// Only the beginning of a long response is inspected.
func TestFirstBytes(t *testing.T) {
	var kept strings.Builder
	w := &firstBytes{buffer: &kept, left: 5}
	for _, part := range []string{"abc", "def", "ghi"} {
		n, err := w.Write([]byte(part))
		assert.NoError(t, err)
		assert.Equal(t, 3, n)
	}
	assert.Equal(t, "abcde", kept.String())
}
