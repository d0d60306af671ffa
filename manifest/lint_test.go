package manifest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/mechanism"
)

// TestNothingPrivateInTheManifest plants names, paths and times in everything
// private that a release is made from, and looks for them in the bytes.
func TestNothingPrivateInTheManifest(t *testing.T) {
	const name, folder = "Annabel_Quistorp", "cohort-of-spring"
	home := filepath.Join(t.TempDir(), folder)
	dir := filepath.Join(home, "out")
	put(t, dir, "heatmap.csv", "x")
	g := guarantee()
	m := Describe(mechanism.Release{Plan: plan(g), Guarantee: g})
	m.Dated(time.Date(2026, 3, 4, 17, 43, 21, 987654321, time.UTC))
	m.Provenance.CommandLine = CommandLine(
		[]string{home + "/bin/gazeward", "protect", "heatmap", "--epsilon", "1", "--participant", name, "--ledger=" + home + "/ledger.db", "--blur", home + "/x", "-o", dir, home + "/" + name + ".asc", name},
		[]string{"protect", "heatmap", "--epsilon=", "--blur="})
	a, entries := books(t, g)
	m.Account(&a, entries)
	key, _, err := LoadKey(filepath.Join(home, "signing.pem"), strings.NewReader(strings.Repeat("k", 32)))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Check(name, folder, home); err != nil {
		t.Fatal(err)
	}
	if err := m.Write(dir, key); err != nil {
		t.Fatal(err)
	}
	registry, err := OpenDPRegistry(m)
	if err != nil {
		t.Fatal(err)
	}
	bids, err := BIDS(m)
	if err != nil {
		t.Fatal(err)
	}
	host, _ := os.Hostname()
	for what, data := range map[string]string{"manifest": string(get(t, dir, FileName)), "registry": string(registry), "BIDS": string(bids)} {
		for _, secret := range []string{name, "Quistorp", folder, home, "17:43", "174321", "43:21", "05:06", "987654321", "signing.pem", "ledger.db", "kkkk"} {
			if strings.Contains(data, secret) {
				t.Errorf("%s holds %q", what, secret)
			}
		}
		if len(host) > 5 && strings.Contains(data, host) {
			t.Errorf("%s holds the name of the machine", what)
		}
	}
	if want := Text("gazeward protect heatmap --epsilon 1 --blur PATH DATA"); m.Provenance.CommandLine != want {
		t.Errorf("command line %q, want %q", m.Provenance.CommandLine, want)
	}
}

func TestCheckRefuses(t *testing.T) {
	for what, text := range map[string]string{
		"a home":             "made in /home/anna/study",
		"a bare root":        "/tmp",
		"a quoted path":      `read "/srv/data/S01.asc"`,
		"a tilde":            "~/study/S01.asc",
		"a file URL":         "file:///c/x",
		"a Windows path":     `C:\Users\anna`,
		"a network share":    `\\server\share`,
		"a path after colon": "path:/usr/local/x",
		"a time stamp":       "2026-03-04T17:43:21Z",
		"a spaced one":       "2026-03-04 17:43",
		"a compact one":      "at 2026-03-04T1743",
		"a time":             "recorded at 17:43:21",
		"a secret":           "thanks to Anna-Maria",
		"another case":       "ANNA-MARIA took part",
	} {
		m := filled(t)
		m.Basic.Description = Text(text)
		err := m.Check("anna-maria")
		if !errors.Is(err, ErrLeak) || !strings.Contains(err.Error(), "basic.description") {
			t.Errorf("%s: want an error that names the field, got %v", what, err)
		} else if strings.Contains(err.Error(), text) {
			t.Errorf("%s: the error repeats it: %v", what, err)
		}
	}
	m := filled(t)
	m.Mechanisms[0].Parameters = Parameters{"/home/anna/x": "1"}
	if err := m.Check(); !errors.Is(err, ErrLeak) {
		t.Errorf("a key that is a path: %v", err)
	}
	m = filled(t)
	m.Basic.Name = "/home/anna"
	if err := m.Write(t.TempDir(), testKey(t, 1)); !errors.Is(err, ErrLeak) {
		t.Errorf("Write does not check: %v", err)
	}
}

func TestCheckPermits(t *testing.T) {
	for _, text := range []string{
		"share of dwell per deg/s", "and/or", "https://example.org/a/b?c=/d", "doi:10.1/x", "mechanism/heatmap/PROOF.md",
		"1001/heatmap.png", "3:2 aspect", "ratio 16:9", "2026-03-04", "a 12:30 h video is no time stamp", "Mariana trench", "annamarias", "S1",
		"x/y/z", "(km/h)", "0.5 s / 1 s",
	} {
		m := filled(t)
		m.Basic.Description = Text(text)
		if err := m.Check("anna-maria", "anna", "S1", "1001", "2026", "Mari"); err != nil && text != "S1" {
			t.Errorf("%q: %v", text, err)
		}
	}
	for _, m := range []*Manifest{filled(t), void(t), {}} {
		if err := m.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestHasWord(t *testing.T) {
	for _, c := range []struct {
		s, word string
		want    bool
	}{
		{"anna", "anna", true}, {"by anna.", "anna", true}, {"annabel anna", "anna", true}, {"annabel", "anna", false},
		{"susanna", "anna", false}, {"anna2", "anna", false}, {"", "anna", false}, {"éanna", "anna", false}, {"anna_b", "anna", true}, {"aanna anna", "anna", true},
	} {
		if got := hasWord(c.s, c.word); got != c.want {
			t.Errorf("%q in %q: %v", c.word, c.s, got)
		}
	}
}

func TestCommandLine(t *testing.T) {
	public := []string{"protect", "heatmap", "--json", "--epsilon=", "--stimulus="}
	for _, c := range []struct{ args, want string }{
		{"/usr/bin/gazeward protect heatmap --json --epsilon 1 S01_Anna.asc", "gazeward protect heatmap --json --epsilon 1 DATA"},
		{"gazeward protect heatmap --epsilon=1 --ledger out.db --name=Anna Anna Bert", "gazeward protect heatmap --epsilon=1 DATA"},
		{"gazeward protect heatmap --stimulus=../Anna/1.jpg --stimulus 1001.jpg", "gazeward protect heatmap --stimulus=PATH --stimulus 1001.jpg"},
		{"gazeward protect heatmap --epsilon -Anna", "gazeward protect heatmap --epsilon -Anna"},
		{"gazeward --json=Anna -Anna - -- Anna", "gazeward DATA"},
		{"gazeward --epsilon", "gazeward --epsilon"},
		{"", ""},
	} {
		if got := CommandLine(strings.Fields(c.args), public); string(got) != c.want {
			t.Errorf("%q became %q, want %q", c.args, got, c.want)
		}
	}
}
