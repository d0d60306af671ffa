package main

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"gazeward": func() { os.Exit(run(os.Args[1:])) }, "drawer": drawer})
}

// drawer is a program to be audited: Laplace noise for ε = 1, the noise of
// another one, or nonsense.
func drawer() {
	kind, scale := os.Args[1], 1.0
	if kind == "careless" {
		scale = 0.5
	}
	src := noise.Seeded(7)
	in, out := bufio.NewScanner(os.Stdin), bufio.NewWriter(os.Stdout)
	for in.Scan() {
		var side string
		var n int
		if _, err := fmt.Sscan(in.Text(), &side, &n); err != nil {
			os.Exit(2)
		}
		switch {
		case kind == "babble":
			fmt.Fprintln(out, "how many?")
		case kind == "blank":
			fmt.Fprintln(out, "nan")
		case kind == "generous":
			fmt.Fprintln(out, 0.5)
		case kind == "sleepy" && side == "B":
			time.Sleep(time.Hour)
		}
		for range n {
			v := scale * src.ExpFloat64() * (float64(src.Uint64()&1)*2 - 1)
			if side == "B" {
				v++
			}
			fmt.Fprintln(out, v)
		}
		out.Flush()
		if kind == "silent" {
			return
		}
	}
	if kind == "failing" {
		os.Exit(7)
	}
}

// TestScripts runs the program as a user does: testdata/*.txt. The commands
// that scripts have besides the usual ones are documented where they stand.
func TestScripts(t *testing.T) {
	data := realRecordings()
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GAZEWARD_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("DATA", data)
			return nil
		},
		Condition: func(cond string) (bool, error) {
			switch cond {
			case "data":
				return data != "", nil
			case "modes": // files can be made unreadable
				return runtime.GOOS != "windows" && os.Getuid() != 0, nil
			}
			return false, fmt.Errorf("unknown condition %q", cond)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "json": jsonIs, "people": people, "flip": flip, "edit": edit, "binary": binary, "sees": sees, "bare": bare,
			"fingerprint": fingerprint, "peak": peak,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

// realRecordings finds shared/data beside the checkout; empty = there is none.
func realRecordings() string {
	dir, err := os.Getwd()
	for err == nil {
		data := filepath.Join(dir, "shared", "data")
		if info, err := os.Stat(data); err == nil && info.IsDir() {
			return data
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// exits CODE COMMAND ARGS… runs a command that must end with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	var failed *exec.ExitError
	if err := ts.Exec(args[1], args[2:]...); errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%s exits with %d, want %d", args[1], got, want)
	}
	if got > 1 && !strings.Contains(ts.ReadFile("stderr"), "\nhint: ") {
		ts.Fatalf("the error has no hint")
	}
}

// json FILE PATH OPERATOR [VALUE] looks into a JSON file, or into stdout,
// which must hold one JSON value and nothing else. A path is keys and indexes
// joined by dots, or a single dot; "len" is the length of a list. Operators:
// == (text, number, or other JSON), ~ (number, to 5 significant digits), <, >,
// matches (regular expression), exists. ! negates.
func jsonIs(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) < 3 || len(args) > 4 || (args[2] == "exists") != (len(args) == 3) {
		ts.Fatalf("usage: json FILE PATH OPERATOR [VALUE]")
	}
	decoder := json.NewDecoder(strings.NewReader(ts.ReadFile(args[0])))
	var root any
	if err := decoder.Decode(&root); err != nil {
		ts.Fatalf("%s holds no JSON: %v", args[0], err)
	}
	if decoder.More() {
		ts.Fatalf("%s holds more than one JSON value", args[0])
	}
	value, found := look(root, args[1])
	if args[2] == "exists" {
		if found == neg {
			ts.Fatalf("%s: exists is %v", args[1], found)
		}
		return
	}
	if !found {
		ts.Fatalf("%s is not there", args[1])
	}
	ok, err := compare(value, args[2], args[3])
	ts.Check(err)
	if ok == neg {
		ts.Fatalf("%s is %v: %s %s is %v", args[1], show(value), args[2], args[3], ok)
	}
}

// look follows a path.
func look(v any, path string) (any, bool) {
	if path == "." {
		return v, true
	}
	for key := range strings.SplitSeq(strings.TrimPrefix(path, "."), ".") {
		switch node := v.(type) {
		case map[string]any:
			child, ok := node[key]
			if !ok {
				return nil, false
			}
			v = child
		case []any:
			if key == "len" {
				return float64(len(node)), true
			}
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(node) {
				return nil, false
			}
			v = node[i]
		default:
			return nil, false
		}
	}
	return v, true
}

func compare(value any, operator, want string) (bool, error) {
	if operator == "matches" {
		return regexp.MatchString(want, show(value))
	}
	number, isNumber := value.(float64)
	target, err := strconv.ParseFloat(want, 64)
	if operator == "==" && (!isNumber || err != nil) {
		return show(value) == want, nil
	}
	if !isNumber || err != nil {
		return false, fmt.Errorf("%s compares numbers, got %s and %q", operator, show(value), want)
	}
	switch operator {
	case "==":
		return number == target, nil
	case "~":
		return math.Abs(number-target) <= 5e-6*math.Abs(target), nil
	case "<":
		return cmp.Less(number, target), nil
	case ">":
		return cmp.Less(target, number), nil
	}
	return false, fmt.Errorf("unknown operator %q", operator)
}

// show is text as it is, anything else as JSON.
func show(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// people N SESSIONS SCENES LAYOUT writes recordings of n simulated people, 3 s
// each at 60 Hz on a screen of 640 × 480 px, as labs keep them; participants are
// Quokka01, Quokka02, …
//
//	files PATTERN  one CSV file each, named by the pattern's fields
//	table FILE     one CSV file with columns participant, session, stimulus
func people(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 5 || args[3] != "files" && args[3] != "table" {
		ts.Fatalf("usage: people N SESSIONS SCENES files PATTERN | table FILE")
	}
	var n [3]int
	for i := range n {
		var err error
		n[i], err = strconv.Atoi(args[i])
		ts.Check(err)
	}
	c := simulate.Cohort{People: n[0], Sessions: n[1], Seconds: 3, Rate: 60}
	for i := range n[2] {
		s := simulate.ShopWindow().Resize(640, 480)
		s.Name = "window-" + string(rune('a'+i))
		c.Scenes = append(c.Scenes, s)
	}
	written := map[string]*bytes.Buffer{}
	for r, err := range gaze.Join(c.Recordings(noise.Seeded(1))) {
		ts.Check(err)
		r.Participant = "Quokka" + r.Participant[1:] // a word that stands nowhere by chance
		name, header, prefix := args[4], "participant,session,stimulus,", r.Participant+","+r.Session+","+r.Stimulus+","
		if args[3] == "files" {
			header, prefix = "", ""
			name = strings.NewReplacer("{participant}", r.Participant, "{session}", r.Session, "{stimulus}", r.Stimulus).Replace(name)
		}
		if written[name] == nil {
			written[name] = bytes.NewBufferString(header + "time [ms],x [px],y [px]\n")
		}
		writeRows(written[name], prefix, r)
	}
	for name, text := range written {
		file := ts.MkAbs(name)
		ts.Check(os.MkdirAll(filepath.Dir(file), 0o755))
		ts.Check(os.WriteFile(file, text.Bytes(), 0o644))
	}
}

func writeRows(w *bytes.Buffer, prefix string, r *gaze.Recording) {
	track, _, _ := r.Best()
	for i, t := range r.Samples.T {
		fmt.Fprintf(w, "%s%.3f,", prefix, t.Seconds()*1000)
		if !gaze.Lost(track.X[i], track.Y[i]) {
			fmt.Fprintf(w, "%.1f,%.1f", track.X[i], track.Y[i])
		} else {
			w.WriteByte(',')
		}
		w.WriteByte('\n')
	}
}

// flip FILE changes one bit in the middle of a file.
func flip(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: flip FILE")
	}
	file := ts.MkAbs(args[0])
	b, err := os.ReadFile(file)
	ts.Check(err)
	b[len(b)/2] ^= 1
	ts.Check(os.WriteFile(file, b, 0o644))
}

// sees FOLDER REGEXP: at least one file below the folder holds the pattern, in
// its name or its bytes.
func sees(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: sees FOLDER REGEXP")
	}
	pattern, err := regexp.Compile(args[1])
	ts.Check(err)
	root, found := ts.MkAbs(args[0]), ""
	ts.Check(filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := plain(name)
		if pattern.Match(b) || pattern.MatchString(strings.TrimPrefix(name, root)) {
			found = name
		}
		return err
	}))
	switch {
	case neg && found != "":
		ts.Fatalf("%q found in %q", args[1], found)
	case !neg && found == "":
		ts.Fatalf("no file below %s holds %q", args[0], args[1])
	}
}

// plain reads a file as a reader of it would: in compressed bytes a pattern
// is hidden when it is there, and now and then found when it is not.
func plain(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !strings.HasSuffix(name, ".gz") {
		return io.ReadAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(z)
}

// edit FILE OLD NEW replaces text that must be there.
func edit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: edit FILE OLD NEW")
	}
	text := ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(text, args[1], args[2])), 0o644))
}

// binary FILE writes bytes that are no text and no format.
func binary(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: binary FILE")
	}
	b := make([]byte, 4096)
	_, err := noise.Seeded(1).Read(b)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o644))
}

// bare FOLDER: nothing lies there, or it is not there; also nothing hidden.
func bare(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 1 {
		ts.Fatalf("usage: bare FOLDER")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	if !errors.Is(err, os.ErrNotExist) {
		ts.Check(err)
	}
	if (len(entries) == 0) == neg {
		ts.Fatalf("%d files in %s: %v", len(entries), args[0], entries)
	}
}

// fingerprint MANIFEST sets $FINGERPRINT to that of the key that signed.
func fingerprint(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: fingerprint MANIFEST")
	}
	var m struct{ Signature struct{ KeyID string } }
	ts.Check(json.Unmarshal([]byte(strings.ReplaceAll(ts.ReadFile(args[0]), `"key_id"`, `"keyid"`)), &m))
	ts.Setenv("FINGERPRINT", m.Signature.KeyID)
}

// peak CSV X Y: the largest value of a map lies within a cell of the place, in px.
func peak(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: peak CSV X Y")
	}
	lines := strings.Split(strings.TrimSpace(ts.ReadFile(args[0])), "\n")
	var rows [][3]float64
	for _, line := range lines[1:] {
		var row [3]float64
		if n, err := fmt.Sscanf(strings.ReplaceAll(line, ",", " "), "%g %g %g", &row[0], &row[1], &row[2]); n != 3 {
			ts.Fatalf("%s: %q: %v", args[0], line, err)
		}
		rows = append(rows, row)
	}
	top := slices.MaxFunc(rows, func(a, b [3]float64) int { return cmp.Compare(a[2], b[2]) })
	cell := rows[1][0] - rows[0][0]
	for i := range 2 {
		want, err := strconv.ParseFloat(args[1+i], 64)
		ts.Check(err)
		if math.Abs(top[i]-want) > cell {
			ts.Fatalf("the peak lies at (%g, %g), want (%s, %s) within %g", top[0], top[1], args[1], args[2], cell)
		}
	}
}
