package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/insights/insights-reporting-datasource/"

// mayImport lists the packages of this module that each package may import: dependencies are one-way. Tests are exempt.
var mayImport = map[string][]string{
	"pkg":             {"pkg/plugin"},
	"pkg/plugin":      {"pkg/columns", "pkg/deadlines", "pkg/frame", "pkg/health", "pkg/inputerror", "pkg/pages", "pkg/query", "pkg/rates", "pkg/reads", "pkg/service", "schema"},
	"pkg/health":      {"pkg/attention", "pkg/columns", "pkg/deadlines", "pkg/pages", "pkg/rates", "pkg/service", "schema"},
	"pkg/query":       {"pkg/filter", "pkg/inputerror", "pkg/written", "pkg/period", "schema"},
	"pkg/reads":       {"pkg/columns", "pkg/list", "pkg/pages", "pkg/paging", "pkg/service", "schema"},
	"pkg/list":        {"pkg/pages", "pkg/paging", "pkg/service", "schema"},
	"pkg/paging":      {"pkg/columns", "pkg/pages", "schema"},
	"pkg/pages":       {"pkg/columns", "pkg/written", "pkg/service", "schema"},
	"pkg/service":     {},
	"pkg/frame":       {"pkg/attention", "pkg/columns", "pkg/deadlines", "pkg/filter", "pkg/inputerror", "pkg/period", "pkg/rates", "schema"},
	"pkg/rates":       {"pkg/columns", "schema"},
	"pkg/attention":   {"pkg/deadlines"},
	"pkg/deadlines":   {"pkg/period", "schema"},
	"pkg/filter":      {"pkg/columns", "pkg/inputerror", "pkg/written", "schema"},
	"pkg/period":      {},
	"pkg/inputerror":  {},
	"pkg/written":     {},
	"pkg/columns":     {"pkg/written", "schema"},
	"pkg/columnstest": {"pkg/columns", "schema"},
	"pkg/servicetest": {"schema"},
}

// importedBy lists the only packages that may import a library, such as an HTTP client or Grafana's frames.
var importedBy = map[string][]string{
	"net/http": {"pkg/plugin", "pkg/service", "pkg/servicetest"},
	"github.com/grafana/grafana-plugin-sdk-go/data": {"pkg/frame", "pkg/plugin"},
}

// imports returns the imports of each package under pkg, without its tests.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	require.NoError(t, filepath.WalkDir(".", func(path string, entry os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var names []string
		for _, spec := range file.Imports {
			names = append(names, strings.Trim(spec.Path.Value, `"`))
		}
		folder := filepath.ToSlash(filepath.Join("pkg", filepath.Dir(path)))
		found[folder] = append(found[folder], names...)
		return nil
	}))
	return found
}

func TestImportsRunOneWay(t *testing.T) {
	found := imports(t)
	for folder := range mayImport {
		assert.Contains(t, found, folder, "a package that does not exist")
	}
	for folder, imported := range found {
		allowed, known := mayImport[folder]
		if !assert.True(t, known, "%s is new: say in this table what it may import", folder) {
			continue
		}
		for _, name := range imported {
			if own, ok := strings.CutPrefix(name, module); ok {
				assert.Contains(t, allowed, own, "%s must not import %s", folder, own)
			}
			if owners, ok := importedBy[name]; ok {
				assert.True(t, slices.Contains(owners, folder), "%s must not import %s", folder, name)
			}
		}
	}
}
