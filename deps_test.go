package gazeward

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// graph says who may import whom inside the project: "a < b" lets b import a,
// NONE lets it import nothing. "x/*" are all rooms directly or further below x. What is not
// written is forbidden.
const graph = `
NONE < gaze, signal, dp, noise, mechanism/heatmap/estimate
noise < classify
dp < calibrate, account
dp, account < account/sqlite
gaze < format, grid, detect
gaze, signal, detect < feature
gaze, noise < simulate
format, gaze < format/*
format/canonical < format/*
format, format/* < format/all
format, gaze < dataset
gaze, dp, noise < mechanism
mechanism, gaze, signal, detect, feature, grid, simulate, dp, noise, calibrate, account < mechanism/*
mechanism/heatmap/estimate < mechanism/heatmap
mechanism/synth/* < mechanism/synth, mechanism/synth/*
mechanism, mechanism/* < mechanism/all
gaze, grid, detect, feature, signal, noise < metric
classify, metric, feature, detect, grid, signal, gaze, noise < attack
dp, noise < audit
dataset, format, format/*, mechanism, mechanism/*, metric, classify, attack, audit, feature, detect, grid, signal, simulate, gaze, account, dp, noise < experiment
dp, gaze, account, mechanism < manifest
experiment, manifest, mechanism, metric, detect, grid, gaze, dp < report
account, account/sqlite, dataset, format, format/*, detect, grid, feature, simulate, mechanism, mechanism/*, metric, manifest, report, gaze, dp, noise < curator
curator, report, audit, account, manifest, dataset, mechanism, mechanism/*, format, simulate, detect, grid, feature, metric, gaze, dp, noise < studio
ALL < cmd/gazeward
`

// testRooms may be imported by tests only, and import what they like.
var testRooms = []string{"internal/stattest", "gaze/gazetest", "format/formattest", "mechanism/mechtest"}

// bans are imports with the rooms that may have them and the reason.
var bans = []struct {
	path   string
	except []string
	why    string
}{
	{"math/rand", nil, "learners and simulations take a noise.Source, so that a run can be repeated"},
	{"math/rand/v2", nil, "learners and simulations take a noise.Source, so that a run can be repeated"},
	{"crypto/rand", []string{"noise"}, "there is one source of randomness: noise.Secure"},
	{"log", nil, "libraries return errors; programs use log/slog"},
	{"log/slog", []string{"cmd/gazeward", "studio"}, "libraries return errors"},
	{"os", []string{"format/all", "dataset", "manifest", "curator", "account/sqlite", "experiment", "studio", "cmd/gazeward"}, "only doors to the outside touch the file system"},
	{"net/http", []string{"studio"}, "the programs never phone home"},
}

const module = "github.com/gazeward/gazeward"

// imports parses the rooms in process: a test that runs the go command is
// cached by it, and lies.
func imports(t *testing.T) map[string][]string {
	t.Helper()
	found := map[string][]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && name != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata" || e.Name() == "out" || e.Name() == "tools") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		room := path.Dir(name)
		found[room] = append(found[room], "")
		for _, i := range f.Imports {
			p, _ := strconv.Unquote(i.Path.Value)
			found[room] = append(found[room], p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func below(pattern, room string) bool {
	prefix, star := strings.CutSuffix(pattern, "/*")
	if !star {
		return pattern == room
	}
	return strings.HasPrefix(room, prefix+"/")
}

// allowed reports whether a line of the graph lets room import other.
func allowed(room, other string) bool {
	for line := range strings.Lines(graph) {
		from, to, ok := strings.Cut(strings.TrimSpace(line), " < ")
		if !ok || !slices.ContainsFunc(strings.Split(to, ", "), func(p string) bool { return below(p, room) }) {
			continue
		}
		if from == "ALL" || slices.ContainsFunc(strings.Split(from, ", "), func(p string) bool { return below(p, other) }) {
			return !sibling(room, other)
		}
	}
	return false
}

// sibling reports two mechanisms or two formats: they never know each other.
// The canonical table is what several formats store.
func sibling(room, other string) bool {
	for _, family := range []string{"mechanism/", "format/"} {
		a, inA := strings.CutPrefix(room, family)
		b, inB := strings.CutPrefix(other, family)
		if inA && inB && a != "all" && other != "format/canonical" && strings.Split(a, "/")[0] != strings.Split(b, "/")[0] {
			return true
		}
	}
	return false
}

func TestImportGraph(t *testing.T) {
	for room, list := range imports(t) {
		if room == "." || slices.Contains(testRooms, room) {
			continue
		}
		for _, p := range list {
			other, inside := strings.CutPrefix(p, module+"/")
			if inside && !allowed(room, other) {
				t.Errorf("%s must not import %s: the graph in deps_test.go does not allow it", room, other)
			}
		}
	}
}

func TestBannedImports(t *testing.T) {
	for room, list := range imports(t) {
		if slices.Contains(testRooms, room) {
			continue
		}
		for _, ban := range bans {
			if slices.Contains(list, ban.path) && !slices.Contains(ban.except, room) {
				t.Errorf("%s must not import %s: %s", room, ban.path, ban.why)
			}
		}
	}
}

// TestEveryRoomIsInTheGraph keeps the map true.
func TestEveryRoomIsInTheGraph(t *testing.T) {
	for room := range imports(t) {
		if room == "." || slices.Contains(testRooms, room) {
			continue
		}
		placed := false
		for line := range strings.Lines(graph) {
			_, to, _ := strings.Cut(strings.TrimSpace(line), " < ")
			placed = placed || slices.ContainsFunc(strings.Split(to, ", "), func(p string) bool { return below(p, room) })
		}
		if !placed {
			t.Errorf("room %s stands in no line of the graph", room)
		}
	}
}

func TestTheGraphItself(t *testing.T) {
	for _, no := range [][2]string{{"gaze", "dp"}, {"noise", "dp"}, {"mechanism/heatmap", "mechanism/series"}, {"format/eyelink", "format/matlab"}, {"report", "noise"}, {"mechanism/heatmap", "curator"}} {
		if allowed(no[0], no[1]) {
			t.Errorf("%s may import %s", no[0], no[1])
		}
	}
	for _, yes := range [][2]string{{"mechanism/heatmap", "mechanism/heatmap/estimate"}, {"format/all", "format/eyelink"}, {"curator", "account/sqlite"}, {"cmd/gazeward", "curator"}} {
		if !allowed(yes[0], yes[1]) {
			t.Errorf("%s may not import %s", yes[0], yes[1])
		}
	}
}
