package report

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPageInABrowser opens report.html as its reader does: it shows, nothing is
// written to the console, and nothing is loaded from elsewhere.
func TestPageInABrowser(t *testing.T) {
	browser := findBrowser()
	if browser == "" {
		t.Skip("no browser: install the package chromium to run this test")
	}
	var page bytes.Buffer
	if err := full(false).WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "report.html")
	if err := os.WriteFile(file, page.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := []string{
		"--headless", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--disable-sync", "--enable-logging=stderr", "--user-data-dir=" + filepath.Join(dir, "profile"), "--dump-dom", "file://" + file,
	}
	if os.Getuid() == 0 { // the sandbox refuses root
		args = append([]string{"--no-sandbox"}, args...)
	}
	var dom, said bytes.Buffer
	run := exec.CommandContext(ctx, browser, args...)
	run.Stdout, run.Stderr = &dom, &said
	if err := run.Run(); err != nil {
		t.Skipf("the browser does not start here: %v", err)
	}
	if strings.Contains(said.String(), "CONSOLE") {
		t.Errorf("the page wrote to the console: %s", said.String())
	}
	for _, want := range []string{"<h1", "</html>", "Guarantee"} {
		if !strings.Contains(dom.String(), want) {
			t.Errorf("the page as shown lacks %q", want)
		}
	}
	if strings.Contains(dom.String(), "<script>alert") || strings.Contains(dom.String(), "<img src=\"x\"") {
		t.Error("text from outside became part of the page") // the sample's title tries it
	}
	for _, elsewhere := range []string{`src="http`, `href="http`, "@import", "url(http"} {
		if strings.Contains(page.String(), elsewhere) {
			t.Errorf("the page loads something from elsewhere: %s", elsewhere)
		}
	}
}

func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}
