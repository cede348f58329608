package frame_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/datasets"
)

// equalsOne evaluates "=|" value by value, as a reference.
func equalsOne(typ datasets.Type, cell any, values []string) bool {
	for _, value := range values {
		if value == "" {
			if cell == nil || cell == "" {
				return true
			}
			continue
		}
		if cell != nil && equals(typ, cell, value) {
			return true
		}
	}
	return false
}

func equals(typ datasets.Type, cell any, value string) bool {
	value = strings.TrimSpace(value)
	number, _ := strconv.ParseFloat(value, 64)
	switch typ {
	case datasets.Integer:
		whole, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return new(big.Float).SetInt64(cell.(int64)).Cmp(big.NewFloat(number)) == 0
		}
		return cell == whole
	case datasets.Number:
		return cell == number
	case datasets.Time:
		if ms, err := strconv.ParseInt(value, 10, 64); err == nil {
			return cell.(time.Time).Equal(time.UnixMilli(ms))
		}
		at, err := time.Parse(time.RFC3339, value)
		return err == nil && cell.(time.Time).Equal(at)
	case datasets.JSON:
		return string(cell.(json.RawMessage)) == value
	default:
		return fmt.Sprint(cell) == value
	}
}

// alike are cells and values of each type that are equal, nearly equal, or only look equal.
var alike = map[datasets.Type]struct {
	cells  []any
	values []string
}{
	datasets.String: {[]any{nil, "", "a", "A", "10", "é", "a|b"}, []string{"", "a", "A", "10", "10.0", "é", "a|b", "x"}},
	datasets.Integer: {
		[]any{nil, int64(0), int64(7), int64(-7), int64(12), int64(1<<53 + 1), int64(1 << 53)},
		[]string{"", "0", "-0", "7", " 7 ", "007", "7.0", "12.5", "-7", "1e1", "9007199254740993", "9007199254740992", "9007199254740992.0"},
	},
	datasets.Number: {[]any{nil, 0.0, 7.0, -7.0, 12.5, 1e21}, []string{"", "0", "-0", "7", " 7.0 ", "-7e0", "12.50", "1e21", "inf"}},
	datasets.Time: {
		[]any{nil, jan31, jan31.Add(time.Millisecond), time.Unix(0, 0)},
		[]string{"", "2026-01-31T09:00:00Z", "2026-01-31T06:00:00-03:00", "1769850000001", "0", "1970-01-01T00:00:00Z", "7"},
	},
	datasets.Boolean: {[]any{nil, true, false}, []string{"", "true", "false", "1", "TRUE"}},
	datasets.JSON:    {[]any{nil, json.RawMessage(`{"a":1}`), json.RawMessage(`""`), json.RawMessage(`7`)}, []string{"", `{"a":1}`, `""`, "7", "7.0"}},
}

// Lookups in a set keep exactly the rows that a linear search keeps.
func TestEqualityAgreesWithComparingOneByOne(t *testing.T) {
	for typ, of := range alike {
		t.Run(string(typ), func(t *testing.T) {
			rng := rand.New(rand.NewSource(1))
			for range 300 {
				cells := make([]any, rng.Intn(30))
				for i := range cells {
					cells[i] = of.cells[rng.Intn(len(of.cells))]
				}
				values := make([]string, 1+rng.Intn(4))
				for i := range values {
					values[i] = of.values[rng.Intn(len(of.values))]
				}
				want := []int64{}
				for i, cell := range cells {
					if equalsOne(typ, cell, values) {
						want = append(want, int64(i))
					}
				}
				c := column("field", typ, cells...)
				require.Equal(t, want, kept(t, c, "=|", values), "%v =| %q", cells, values)
				require.Equal(t, without(len(cells), want), kept(t, c, "!=|", values), "%v !=| %q", cells, values)
				if len(values) == 1 {
					require.Equal(t, want, kept(t, c, "=", values), "%v = %q", cells, values)
					require.Equal(t, without(len(cells), want), kept(t, c, "!=", values), "%v != %q", cells, values)
				}
			}
		})
	}
}
