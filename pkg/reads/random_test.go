package reads

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
)

// This file decodes responses a second time, in the simplest way: encoding/json into maps, one cell after the other.
// Both results must be equal for random records.

// randomRecords returns records of a data set in which every field may be absent, null, valid or of another type.
type randomRecords struct {
	*rand.Rand
	set *datasets.DataSet
}

// pages returns n records, and arrays of size records each.
func (r randomRecords) pages(n, size int) []string {
	pages := []string{}
	for n > 0 || len(pages) == 0 {
		records := make([]string, min(n, size))
		for i := range records {
			records[i] = r.record()
		}
		n -= len(records)
		pages = append(pages, "["+strings.Join(records, r.pick(",", " , ", ",\n"))+"]")
	}
	return pages
}

func (r randomRecords) pick(choices ...string) string { return choices[r.IntN(len(choices))] }

func (r randomRecords) record() string {
	var members []string
	for _, field := range r.set.Fields {
		switch r.IntN(10) {
		case 0: // absent
		case 1:
			members = append(members, r.member(field.Name, "null"))
		case 2:
			members = append(members, r.member(field.Name, r.any()))
		default:
			members = append(members, r.member(field.Name, r.right(field)))
		}
	}
	for _, name := range []string{"extra", "another \"one\"", "É"} {
		if r.IntN(3) == 0 {
			members = append(members, r.member(name, r.any()))
		}
	}
	r.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return "{" + strings.Join(members, ",") + "}"
}

func (r randomRecords) member(name, value string) string {
	return quote(name) + r.pick(":", " : ") + value
}

func quote(text string) string {
	raw, _ := json.Marshal(text)
	return string(raw)
}

// right returns a value of the field's type.
func (r randomRecords) right(field datasets.Field) string {
	switch field.Type {
	case datasets.Integer:
		return strconv.FormatInt(r.Int64()>>r.IntN(63), 10)
	case datasets.Number:
		return r.number()
	case datasets.Time:
		at := time.Unix(r.Int64N(4e9)-1e9, r.Int64N(1e9)).In(time.FixedZone("", (r.IntN(57)-28)*1800))
		return quote(at.Format(r.pick(time.RFC3339, "2006-01-02T15:04:05.000Z07:00", "2006-01-02T15:04:05.000-0700", "2006-01-02T15:04:05", "2006-01-02T15:04:05.000")))
	default:
		return r.text()
	}
}

func (r randomRecords) number() string {
	if r.IntN(2) == 0 {
		return strconv.Itoa(r.IntN(1e6))
	}
	return strconv.FormatFloat(r.NormFloat64()*1e3, byte(r.pick("e", "f", "g")[0]), -1, 64)
}

func (r randomRecords) text() string {
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(r.pick("a", "B", " ", "é", "😀", `"`, `\`, "\n", "<", "\u2028", "0"))
	}
	return quote(b.String())
}

// any returns a value of any type.
func (r randomRecords) any() string {
	switch r.IntN(7) {
	case 0:
		return "null"
	case 1:
		return r.pick("true", "false")
	case 2:
		return r.number()
	case 3:
		return fmt.Sprintf("[%s,%s]", r.any(), r.any())
	case 4:
		return fmt.Sprintf("{%s:%s}", r.text(), r.any())
	default:
		return r.text()
	}
}

// plainRows decodes arrays with encoding/json. Of rows with the same key, the last counts, in the place of the first.
func plainRows(t *testing.T, set *datasets.DataSet, pages []string) []map[string]any {
	t.Helper()
	var all, rows []map[string]any
	for _, page := range pages {
		var records []map[string]any
		decoder := json.NewDecoder(strings.NewReader(page))
		decoder.UseNumber()
		require.NoError(t, decoder.Decode(&records), page)
		all = append(all, records...)
	}
	place := map[any]int{}
	for _, record := range all {
		key := columnstest.PlainCell(set.Field(set.Key), record[set.Key])
		at, seen := place[key]
		if seen {
			rows[at] = record
			continue
		}
		if key != nil {
			place[key] = len(rows)
		}
		rows = append(rows, record)
	}
	return rows
}

func TestAgreesWithPlainReading(t *testing.T) {
	for seed := range uint64(inShort(300)) {
		set := datasets.All()[seed%3]
		pages := randomRecords{rand.New(rand.NewPCG(seed, 2)), set}.pages(int(seed%41), 1+int(seed%13))
		plain := plainRows(t, set, pages)
		result := readPages(t, set, pages...)
		requireWhole(t, result.Table)
		require.Equal(t, len(plain), result.Table.Rows, "seed %d %v", seed, result.Warnings)
		for row, record := range plain {
			for name := range record {
				require.NotNil(t, result.Table.Column(name), "an unknown field still reaches the user")
			}
			for _, c := range result.Table.Columns {
				want, got := plainValue(record[c.Name]), columnstest.Value(c, row)
				if field := set.Field(c.Name); field != nil {
					want = columnstest.PlainCell(field, record[c.Name])
				} else if c.Type == datasets.JSON && got != nil {
					require.NoError(t, json.Unmarshal([]byte(got.(string)), &got))
				}
				require.Equal(t, want, got, "seed %d, row %d, %s of %s", seed, row, c.Name, pages)
			}
		}
	}
}

// plainValue returns the value that encoding/json yields for an unknown field.
func plainValue(v any) any {
	raw, _ := json.Marshal(v)
	var plain any
	_ = json.Unmarshal(raw, &plain)
	return plain
}
