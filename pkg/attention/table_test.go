package attention

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the tables in testdata")

// table is what a test measured, in a file of testdata: a change of any decision shows there, like that of a golden frame.
// Worlds are measured side by side, each with its own random numbers.
type table struct {
	name, header string
	rows         map[int]string
	lock         sync.Mutex
	wait         sync.WaitGroup
	atOnce       chan struct{}
}

// newTable creates a table. That of the short form is another file.
func newTable(name, header string) *table {
	if testing.Short() {
		name += "-short"
	}
	return &table{name: name, header: header, rows: map[int]string{}, atOnce: make(chan struct{}, 4)}
}

// row measures a row.
func (m *table) row(n int, name string, measure func() string) {
	m.wait.Go(func() {
		m.atOnce <- struct{}{}
		defer func() { <-m.atOnce }()
		row := "| " + name + " | " + measure() + " |\n"
		m.lock.Lock()
		defer m.lock.Unlock()
		m.rows[n] = row
	})
}

func (m *table) compare(t *testing.T) {
	t.Helper()
	m.wait.Wait()
	text := "| " + m.header + " |\n|" + strings.Repeat(" --- |", strings.Count(m.header, "|")+1) + "\n"
	for n := range len(m.rows) {
		text += m.rows[n]
	}
	t.Log("\n" + text)
	path := filepath.Join("testdata", m.name+".md")
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path) //nolint:gosec // a file of this folder
	require.NoError(t, err)
	assert.Equal(t, string(want), text, "other decisions than in %s: go test ./pkg/attention -run %s -update, and look at the difference", path, t.Name())
}
