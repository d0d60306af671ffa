package manifest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestByHand runs the commands of docs/manifest.md, which use nothing of this
// package, on a good and on a spoilt release.
func TestByHand(t *testing.T) {
	for _, tool := range []string{"sh", "python3", "openssl", "sha256sum", "base64"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed", tool)
		}
	}
	doc, err := os.ReadFile(filepath.Join("..", "docs", "manifest.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllSubmatch(doc, -1)
	if len(blocks) == 0 {
		t.Fatal("docs/manifest.md has no commands")
	}
	script := "set -e\n"
	for _, b := range blocks {
		script += string(b[1])
	}
	run := func(dir string) (string, error) {
		c := exec.Command("sh", "-c", script)
		c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+t.TempDir())
		out, err := c.CombinedOutput()
		return string(out), err
	}
	key := testKey(t, 5)
	m := filled(t)
	m.Basic.Description = "Umlauts: ä ö ü, \"quotes\", back\\slash, <tags> & 日本"
	dir := release(t, m, key)
	out, err := run(dir)
	if err != nil || !strings.Contains(out, strings.TrimPrefix(fingerprintOf(key), "SHA256:")) || !strings.Contains(out, "Signature Verified Successfully") {
		t.Fatalf("good release: %v\n%s", err, out)
	}
	for name, number := range map[string]string{"heatmap.csv": "0.5", FileName: "0.92"} {
		good := get(t, dir, name)
		put(t, dir, name, strings.Replace(string(good), number, "0.7", 1))
		if out, err := run(dir); err == nil {
			t.Errorf("%s was changed and passes:\n%s", name, out)
		}
		put(t, dir, name, string(good))
	}
}
