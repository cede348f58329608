package pages

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Two automations with accents, in bytes that are no UTF-8, would have the same name if something stood for these bytes.
func TestBytesInNoCharset(t *testing.T) {
	p := readPage(t, tasks, `[{"id":1,"activityLabel":"c`+"\xe2"+`mbio"},{"id":2,"activityLabel":"c`+"\xea"+`mbio","new":["`+"\xe7"+`"]},{"id":3,"activityLabel":"câmbio"}]`)
	assert.Equal(t, []bool{false, false, true}, p.Table.Column("activityLabel").Valid)
	assert.Equal(t, []int64{1, 2, 3}, p.Table.Column("id").Integers)
	const why = " values are shown as null, because the service's value is not in UTF-8, and the response names no charset, for example "
	assert.Equal(t, []string{"activityLabel: 2" + why + "\"c\xe2mbio\"", "new: 1" + why + "[\"\xe7\"]"}, notices(p))
}
