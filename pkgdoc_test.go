package gazeward

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestEveryPackageHasADoc wants a package comment that begins the usual way.
func TestEveryPackageHasADoc(t *testing.T) {
	for room := range imports(t) {
		files, err := filepath.Glob(filepath.Join(room, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		if !documented(t, files) {
			t.Errorf("package in %s has no package comment", room)
		}
	}
}

func documented(t *testing.T, files []string) bool {
	t.Helper()
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		doc := f.Doc.Text()
		if strings.HasPrefix(doc, "Package "+f.Name.Name+" ") || f.Name.Name == "main" && len(doc) > 40 {
			return true
		}
	}
	return false
}
