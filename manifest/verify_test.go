package manifest

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func TestVerifyIntact(t *testing.T) {
	key := testKey(t, 1)
	dir := release(t, filled(t), key)
	r := verify(t, dir, fingerprintOf(key))
	if !r.OK() || !r.Signed || !r.Trusted || !r.Private || r.Files != 3 || r.Fingerprint != fingerprintOf(key) {
		t.Errorf("%+v", r)
	}
	r = verify(t, dir, "")
	if !r.OK() || r.Trusted || len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "proves nothing by itself") {
		t.Errorf("without a fingerprint: %+v", r)
	}
	if o := r.Manifest.Outputs; o[0].Path != "1001/heatmap.png" || o[0].MediaType != "image/png" || o[1].Schema != "x_px,y_px,value" || o[1].Bytes != 24 {
		t.Errorf("outputs: %+v", o)
	}
}

// wants asserts that a release does not verify and that the problem names the
// file.
func wants(t *testing.T, r *Result, file, words string) {
	t.Helper()
	for _, p := range r.Problems {
		if p.Path == file && strings.Contains(p.What, words) {
			return
		}
	}
	t.Errorf("want a problem with %s (%q), got %v", file, words, r.Problems)
}

// TestEveryByteOfEveryOutputCounts flips each byte in turn.
func TestEveryByteOfEveryOutputCounts(t *testing.T) {
	key := testKey(t, 1)
	dir := release(t, filled(t), key)
	for _, name := range []string{"heatmap.csv", "1001/heatmap.png", "report.html"} {
		good := get(t, dir, name)
		for i := range good {
			bad := bytes.Clone(good)
			bad[i] ^= 1
			put(t, dir, name, string(bad))
			r := verify(t, dir, "")
			wants(t, r, name, "was changed")
		}
		put(t, dir, name, string(good)+"x")
		wants(t, verify(t, dir, ""), name, "length")
		put(t, dir, name, string(good))
	}
	if r := verify(t, dir, fingerprintOf(key)); !r.OK() {
		t.Errorf("restored: %v", r.Problems)
	}
}

func TestMissingAndAddedFiles(t *testing.T) {
	for name, c := range map[string]struct {
		change      func(dir string)
		file, words string
	}{
		"missing":       {func(dir string) { _ = os.Remove(filepath.Join(dir, "heatmap.csv")) }, "heatmap.csv", "is missing"},
		"folder gone":   {func(dir string) { _ = os.RemoveAll(filepath.Join(dir, "1001")) }, "1001/heatmap.png", "is missing"},
		"added":         {func(dir string) { put(t, dir, "raw.csv", "x") }, "raw.csv", "is not listed"},
		"added below":   {func(dir string) { put(t, dir, "1001/raw.csv", "x") }, "1001/raw.csv", "is not listed"},
		"hidden":        {func(dir string) { put(t, dir, ".DS_Store", "x") }, ".DS_Store", "is not listed"},
		"folder added":  {func(dir string) { put(t, dir, "raw/a/b.csv", "x") }, "raw", "does not list"},
		"empty folder":  {func(dir string) { _ = os.Mkdir(filepath.Join(dir, "S01"), 0o755) }, "S01", "does not list"},
		"now a folder":  {func(dir string) { _ = os.Remove(filepath.Join(dir, "heatmap.csv")); put(t, dir, "heatmap.csv/x", "") }, "heatmap.csv", "is missing"},
		"left halfway":  {func(dir string) { put(t, dir, temporaryName, "x") }, temporaryName, "is not listed"},
		"linked":        {func(dir string) { relink(t, dir, "heatmap.csv") }, "heatmap.csv", "not a regular file"},
		"linked inside": {func(dir string) { _ = os.Symlink("heatmap.csv", filepath.Join(dir, "copy.csv")) }, "copy.csv", "is not listed"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := release(t, filled(t), testKey(t, 1))
			c.change(dir)
			wants(t, verify(t, dir, ""), c.file, c.words)
		})
	}
}

// relink replaces a file by a symbolic link to an equal file elsewhere.
func relink(t *testing.T, dir, name string) {
	t.Helper()
	elsewhere := filepath.Join(t.TempDir(), "same")
	if err := os.Rename(filepath.Join(dir, name), elsewhere); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(elsewhere, filepath.Join(dir, name)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
}

// change returns the JSON tree with one leaf replaced by another value of its
// kind.
func change(tree any, at string) any {
	var edit func(prefix string, node any) any
	edit = func(prefix string, node any) any {
		switch v := node.(type) {
		case map[string]any:
			out := map[string]any{}
			for k, e := range v {
				out[k] = edit(strings.TrimPrefix(prefix+"."+k, "."), e)
			}
			return out
		case []any:
			if len(v) == 0 && prefix == at {
				return []any{"x"}
			}
			out := make([]any, len(v))
			for i, e := range v {
				out[i] = edit(prefix+"["+string(rune('0'+i))+"]", e)
			}
			return out
		}
		if prefix != at {
			return node
		}
		switch v := node.(type) {
		case string:
			return v + "x"
		case float64:
			return v + 1
		case bool:
			return !v
		}
		return "x"
	}
	return edit("", tree)
}

// TestEveryFieldOfTheManifestCounts edits each leaf in turn, the signature's
// among them; none may verify.
func TestEveryFieldOfTheManifestCounts(t *testing.T) {
	for name, m := range map[string]*Manifest{"private": filled(t), "void": void(t)} {
		t.Run(name, func(t *testing.T) {
			key := testKey(t, 1)
			dir := release(t, m, key)
			var tree any
			if err := json.Unmarshal(get(t, dir, FileName), &tree); err != nil {
				t.Fatal(err)
			}
			fingerprint := ""
			if m.Private {
				fingerprint = fingerprintOf(key)
			}
			edited := 0
			walkLeaves("", tree, func(at string, _ any) {
				bad, err := json.MarshalIndent(change(tree, at), "", "  ")
				if err != nil {
					t.Fatal(err)
				}
				put(t, dir, FileName, string(bad))
				r := verify(t, dir, fingerprint)
				if r.OK() {
					t.Errorf("%s was edited and the release verifies", at)
				}
				edited++
			})
			if edited < 100 {
				t.Errorf("only %d leaves were edited", edited)
			}
		})
	}
}

// TestLayoutOfTheManifestDoesNotCount: tools that reformat JSON break nothing.
func TestLayoutOfTheManifestDoesNotCount(t *testing.T) {
	key := testKey(t, 1)
	dir := release(t, filled(t), key)
	var tree any
	if err := json.Unmarshal(get(t, dir, FileName), &tree); err != nil {
		t.Fatal(err)
	}
	compact, err := json.Marshal(tree)
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, FileName, string(compact))
	if r := verify(t, dir, fingerprintOf(key)); !r.OK() || !r.Trusted {
		t.Errorf("%+v", r)
	}
}

// TestAnotherKey: whoever changes a release can sign it anew, and only the
// fingerprint tells.
func TestAnotherKey(t *testing.T) {
	curator, thief := testKey(t, 1), testKey(t, 2)
	dir := release(t, filled(t), thief)
	if r := verify(t, dir, ""); !r.OK() || r.Trusted {
		t.Errorf("without a fingerprint: %+v", r)
	}
	r := verify(t, dir, fingerprintOf(curator))
	wants(t, r, FileName, "another key")
	if r.Trusted {
		t.Error("trusted")
	}
}

// TestSwappedSignatures: neither another public key nor another release's
// signature fits.
func TestSwappedSignatures(t *testing.T) {
	key, thief := testKey(t, 1), testKey(t, 2)
	dir := release(t, filled(t), key)
	other := filled(t)
	other.Basic.Name = "another release"
	foreign := release(t, other, thief)
	for name, c := range map[string]struct {
		edit  func(own, theirs *Signature)
		words string
	}{
		"public key": {func(own, theirs *Signature) { own.PublicKey, own.KeyID = theirs.PublicKey, theirs.KeyID }, "signature is not valid"},
		"signature":  {func(own, theirs *Signature) { own.Signature = theirs.Signature }, "signature is not valid"},
		"key id":     {func(own, theirs *Signature) { own.KeyID = theirs.KeyID }, "not the fingerprint"},
		"everything": {func(own, theirs *Signature) { *own = *theirs }, "signature is not valid"},
		"none":       {func(own, _ *Signature) { own.Signed = false }, "must be signed"},
		"not base64": {func(own, _ *Signature) { own.Signature = "*" }, "signature is not valid"},
		"short":      {func(own, _ *Signature) { own.Signature = Text(base64.StdEncoding.EncodeToString([]byte("short"))) }, "signature is not valid"},
		"no key":     {func(own, _ *Signature) { own.PublicKey = "" }, "public key cannot be read"},
		"algorithm":  {func(own, _ *Signature) { own.Algorithm = "none" }, "does not know"},
	} {
		t.Run(name, func(t *testing.T) {
			own, theirs := load(t, dir), load(t, foreign)
			c.edit(&own.Signature, &theirs.Signature)
			wants(t, verify(t, store(t, dir, own), ""), FileName, c.words)
		})
	}
}

func load(t *testing.T, dir string) *Manifest {
	t.Helper()
	m, err := Parse(get(t, dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// store copies a release with another manifest.
func store(t *testing.T, dir string, m *Manifest) string {
	t.Helper()
	to := t.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	put(t, to, FileName, string(data))
	return to
}

// TestVoidIsNeverSigned, and never passes for private.
func TestVoidIsNeverSigned(t *testing.T) {
	key := testKey(t, 1)
	dir := release(t, void(t), key)
	m := load(t, dir)
	if m.Signature.Signed || m.Signature.Statement != StatementNotPrivate || m.Signature.PublicKey != NotApplicable || bytes.Contains(get(t, dir, FileName), []byte("PUBLIC KEY")) {
		t.Errorf("signature: %+v", m.Signature)
	}
	r := verify(t, dir, "")
	if !r.OK() || r.Signed || r.Private || !strings.Contains(strings.Join(r.Notes, " "), "no privacy guarantee: none (") {
		t.Errorf("%+v", r)
	}
	wants(t, verify(t, dir, fingerprintOf(key)), FileName, "is not signed")
	lie := load(t, dir)
	lie.Private, lie.Guarantee = true, "(1, 1e-05)-DP per subject, replace one, central"
	wants(t, verify(t, store(t, dir, lie), ""), FileName, "must be signed")
	forged := load(t, dir)
	forged.Private = true
	if err := forged.Sign(key); err != nil {
		t.Fatal(err)
	}
	forged.Private = false
	wants(t, verify(t, store(t, dir, forged), ""), FileName, "must not be signed")
}

func TestPrivateNeedsAKey(t *testing.T) {
	dir := t.TempDir()
	if err := filled(t).Write(dir, nil); err == nil {
		t.Error("a private release was written without a signature")
	}
	if _, err := os.Stat(filepath.Join(dir, FileName)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a manifest was written all the same")
	}
}

// TestPathsOutsideAreRefused: a manifest cannot make Verify read elsewhere.
func TestPathsOutsideAreRefused(t *testing.T) {
	key := testKey(t, 1)
	for _, path := range []string{"../secret", "/etc/passwd", "a/../../secret", `..\secret`, "C:secret", "", ".", "a//b", "a/", "manifest.json", "a\x00b"} {
		m := filled(t)
		m.Outputs = List[Output]{{Path: path, SHA256: "00", MediaType: "text/plain"}}
		m.Excluded = List[string]{}
		if err := m.Sign(key); err != nil {
			t.Fatal(err)
		}
		data, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		r, err := Verify(fstest.MapFS{FileName: {Data: data}}, "")
		if err != nil {
			t.Fatal(err)
		}
		wants(t, r, path, "no path of a file inside")
	}
}

func TestOutputsListedTwice(t *testing.T) {
	dir := release(t, filled(t), testKey(t, 1))
	m := load(t, dir)
	m.Outputs = append(m.Outputs, m.Outputs[0])
	if err := m.Sign(testKey(t, 1)); err != nil {
		t.Fatal(err)
	}
	wants(t, verify(t, store(t, dir, m), ""), m.Outputs[0].Path, "listed twice")
}

func TestNothingToVerify(t *testing.T) {
	for name, fsys := range map[string]fs.FS{
		"empty":    fstest.MapFS{},
		"too big":  fstest.MapFS{FileName: {Data: bytes.Repeat([]byte(" "), maxManifest+1)}},
		"a folder": fstest.MapFS{FileName + "/x": {}},
		"a link":   fstest.MapFS{FileName: {Data: []byte("elsewhere"), Mode: fs.ModeSymlink}},
	} {
		if _, err := Verify(fsys, ""); err == nil {
			t.Errorf("%s: want an error", name)
		}
	}
	if _, err := VerifyDir(filepath.Join(t.TempDir(), "nowhere"), ""); err == nil {
		t.Error("a folder that does not exist: want an error")
	}
	r, err := Verify(fstest.MapFS{FileName: {Data: []byte("not json")}}, "")
	if err != nil {
		t.Fatal(err)
	}
	wants(t, r, FileName, "not JSON")
}

func TestExcludedFolders(t *testing.T) {
	key := testKey(t, 1)
	m := filled(t)
	dir := t.TempDir()
	put(t, dir, "heatmap.csv", "x")
	put(t, dir, "home/ledger.db", "private")
	m.Excluded = List[string]{"home"}
	if err := m.Write(dir, key); err != nil {
		t.Fatal(err)
	}
	if len(m.Outputs) != 1 {
		t.Errorf("outputs: %+v", m.Outputs)
	}
	put(t, dir, "home/ledger.db", "changed")
	r := verify(t, dir, fingerprintOf(key))
	if !r.OK() || !strings.Contains(strings.Join(r.Notes, " "), "home") {
		t.Errorf("%+v", r)
	}
	put(t, dir, "other/x", "")
	wants(t, verify(t, dir, ""), "other", "does not list")
	for _, bad := range []string{"..", "a/b", ".", ""} {
		m.Excluded = List[string]{bad}
		if err := m.Sign(key); err != nil {
			t.Fatal(err)
		}
		wants(t, verify(t, store(t, dir, m), ""), bad, "can be excluded")
	}
}

// TestWriteIsAtomic: what a crash left behind neither survives nor is listed,
// and a second manifest replaces the first.
func TestWriteIsAtomic(t *testing.T) {
	key := testKey(t, 1)
	dir := t.TempDir()
	put(t, dir, temporaryName, strings.Repeat("rubbish", 10_000))
	put(t, dir, "a.csv", "x")
	for _, name := range []Text{"first", "second"} {
		m := filled(t)
		m.Basic.Name = name
		if err := m.Write(dir, key); err != nil {
			t.Fatal(err)
		}
		if r := verify(t, dir, fingerprintOf(key)); !r.OK() || r.Files != 1 || r.Manifest.Basic.Name != name {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestWriteRefusesLinks(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a.csv", "x")
	if err := os.Symlink("a.csv", filepath.Join(dir, "b.csv")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if err := filled(t).Write(dir, testKey(t, 1)); err == nil || !strings.Contains(err.Error(), "b.csv") {
		t.Errorf("want an error that names b.csv, got %v", err)
	}
}

// TestProblemsAreInAFixedOrder, so that reports can be compared.
func TestProblemsAreInAFixedOrder(t *testing.T) {
	dir := release(t, filled(t), testKey(t, 1))
	put(t, dir, "z", "")
	put(t, dir, "a", "")
	_ = os.Remove(filepath.Join(dir, "heatmap.csv"))
	var first []Problem
	for range 5 {
		r := verify(t, dir, "")
		if first == nil {
			first = r.Problems
		}
		if !slices.Equal(first, r.Problems) || len(first) != 3 {
			t.Errorf("%v and then %v", first, r.Problems)
		}
	}
	if got := slices.Sorted(maps.Keys(map[string]bool{first[0].Path: true, first[1].Path: true, first[2].Path: true})); !slices.Equal(got, []string{"a", "heatmap.csv", "z"}) {
		t.Errorf("%v", got)
	}
}
