package filter_test

import (
	"encoding/json"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/insights/insights-reporting-datasource/pkg/columnstest"
	"github.com/insights/insights-reporting-datasource/pkg/filter"
	"github.com/insights/insights-reporting-datasource/pkg/inputerror"
	"github.com/insights/insights-reporting-datasource/schema"
)

// FuzzFilter checks that every operator over every type keeps the rows according to the rules of filter.Filter,
// implemented again for one cell, or is bad input if one of its values does not match the type.
func FuzzFilter(f *testing.F) {
	for operator := range len(filter.Operators) + 1 {
		for _, seed := range [][3]string{
			{"a", "", "a"}, {"7", "7.5", "7"}, {" 10 ", "1e1", "010"}, {"2026-01-31T09:00:00Z", "1769850000000", "2026-01-31"}, {"true", "false", "[]"},
			{"9007199254740993", "9007199254740992.0", "-0"}, {"NaN", "1e309", "0x1p-2"}, {"(?i)a|b", "", "B"}, {`{"a":1}`, "\xff", `"\xff"`},
			{"7", "", "7"}, {"2026-01-31", "", "x"}, {"true", "", "[]"}, {"0", "7", "0"}, {"", "7", "x"}, {"9007199254740992.0", "1e300", "x"}, {"10.5", "9", "x"},
		} {
			f.Add(uint8(operator), uint8(operator), seed[0], seed[1], seed[2], int64(9007199254740993), 0.25, true)
			f.Add(uint8(operator), uint8(2), seed[1], seed[2], seed[0], int64(7), -0.5, false)
		}
	}
	f.Fuzz(func(t *testing.T, which, values uint8, first, second, text string, whole int64, number float64, yes bool) {
		if math.IsNaN(number) || math.IsInf(number, 0) || whole == math.MinInt64 || whole == math.MaxInt64 {
			t.Skip("no cell holds such a number or time")
		}
		operators := append([]string{first}, filter.Operators...)
		operator := operators[int(which)%len(operators)]
		given := []string{first, second}[:values%3]
		raw, err := json.Marshal(text)
		require.NoError(t, err)
		for typ, cells := range map[schema.Type][]any{
			schema.String:  {nil, "", text, first, second},
			schema.Integer: {nil, int64(0), whole, wholeOf(first)},
			schema.Number:  {nil, 0.0, number, float64(wholeOf(second))},
			schema.Time:    {nil, time.Unix(0, 0), time.Unix(0, whole), time.Unix(0, whole-whole%1e6)},
			schema.Boolean: {nil, yes, !yes},
			schema.JSON:    {nil, json.RawMessage(raw), json.RawMessage(`{"a":1}`)},
		} {
			f, err := filter.New("field", operator, given)
			if err == nil {
				err = f.Check(typ)
			}
			if err != nil {
				require.ErrorIs(t, err, inputerror.Err)
				require.False(t, fits(operator, given, typ), "%s %q over %s was refused: %s", operator, given, typ, err)
				continue
			}
			want := []int64{}
			for row, cell := range cells {
				if keeps(operator, given, typ, cell) {
					want = append(want, int64(row))
				}
			}
			require.Equal(t, want, kept(t, columnstest.New("field", typ, cells...), operator, given), "%s %q over %v", operator, given, cells)
		}
	})
}

func wholeOf(text string) int64 {
	n, _ := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	return n
}

func isPattern(operator string) bool { return strings.HasSuffix(operator, "~") }

// fits reports whether a filter must be accepted. A pattern may be rejected for its size.
func fits(operator string, values []string, typ schema.Type) bool {
	if isPattern(operator) || len(values) == 0 || !strings.Contains(" = != =| !=| < <= > >= ", " "+operator+" ") {
		return false
	}
	for _, value := range values {
		meansNull := value == "" && !strings.ContainsAny(operator, "<>")
		if _, ok := comparedWith(typ, nil, value); !ok && !meansNull {
			return false
		}
	}
	return true
}

// keeps reports whether a filter keeps a cell.
func keeps(operator string, values []string, typ schema.Type, cell any) bool {
	switch operator {
	case "!~", "!=", "!=|":
		return !keeps(map[string]string{"!~": "=~", "!=": "=", "!=|": "=|"}[operator], values, typ, cell)
	case "=~":
		pattern := regexp.MustCompile(values[0])
		pattern.Longest()
		match := pattern.FindStringIndex(plainText(cell))
		return match != nil && match[0] == 0 && match[1] == len(plainText(cell))
	case "=", "=|":
		for _, value := range values {
			if value == "" && plainText(cell) == "" {
				return true
			}
			if order, _ := comparedWith(typ, cell, value); value != "" && cell != nil && order == 0 {
				return true
			}
		}
		return false
	}
	order, _ := comparedWith(typ, cell, values[0])
	holds := map[string]bool{"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}
	return cell != nil && holds[operator]
}

// comparedWith compares a cell with a value of a filter, exactly; ok is false if the value does not match the type.
func comparedWith(typ schema.Type, cell any, value string) (order int, ok bool) {
	trimmed := strings.TrimSpace(value)
	switch typ {
	case schema.Integer, schema.Number:
		n, ok := exactNumber(typ, trimmed)
		switch cell := cell.(type) {
		case int64:
			return new(big.Float).SetInt64(cell).Cmp(n), ok
		case float64:
			return big.NewFloat(cell).Cmp(n), ok
		}
		return 0, ok
	case schema.Time:
		at, ok := plainTime(trimmed)
		if cell == nil {
			return 0, ok
		}
		return cell.(time.Time).Compare(at), ok
	default:
		return strings.Compare(plainText(cell), value), true
	}
}

func exactNumber(typ schema.Type, text string) (*big.Float, bool) {
	if typ == schema.Integer {
		n, err := strconv.ParseInt(text, 10, 64)
		return new(big.Float).SetInt64(n), err == nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(n) {
		return new(big.Float), false
	}
	return big.NewFloat(n), true
}

func plainTime(text string) (time.Time, bool) {
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil {
		return time.UnixMilli(ms), true
	}
	for _, layout := range []string{"2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// plainText returns a cell as text; null is empty text.
func plainText(cell any) string {
	switch cell := cell.(type) {
	case string:
		return cell
	case int64:
		return strconv.FormatInt(cell, 10)
	case float64:
		return strconv.FormatFloat(cell, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(cell)
	case json.RawMessage:
		return string(cell)
	case time.Time:
		return cell.UTC().Format("2006-01-02T15:04:05.999999999Z07:00")
	default:
		return ""
	}
}
