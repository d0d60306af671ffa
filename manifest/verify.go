package manifest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// maxFiles bounds the outputs of a manifest.
const maxFiles = 100_000

// Problem is one thing that is wrong with a release.
type Problem struct {
	Path string `json:"path"` // the offending file
	What string `json:"what"`
}

// String returns path and problem in one line.
func (p Problem) String() string { return p.Path + ": " + p.What }

// Result is what [Verify] found.
type Result struct {
	Private     bool      `json:"private"`
	Guarantee   string    `json:"guarantee"`
	Signed      bool      `json:"signed"`
	Fingerprint string    `json:"fingerprint"` // of the key in the release; empty = not signed
	Trusted     bool      `json:"trusted"`     // the fingerprint is the one that was asked for
	Files       int       `json:"files"`       // intact files
	Bytes       int64     `json:"bytes"`
	Problems    []Problem `json:"problems"`
	Notes       []string  `json:"notes"`
	Manifest    *Manifest `json:"-"` // nil when it cannot be read
}

// OK reports whether nothing is wrong. For a void release that means intact
// files, and no privacy.
func (r *Result) OK() bool { return len(r.Problems) == 0 }

func (r *Result) problem(path, format string, args ...any) {
	r.Problems = append(r.Problems, Problem{path, fmt.Sprintf(format, args...)})
}

// Parse reads a manifest. It is strict: what it returns encodes to the same
// canonical JSON, so that nothing in the text was overlooked.
func Parse(data []byte) (*Manifest, error) {
	want, err := Canonical(data)
	if err != nil {
		return nil, err
	}
	var version struct {
		V string `json:"manifest_version"`
	}
	if err := json.Unmarshal(want, &version); err != nil || version.V != Version {
		return nil, fmt.Errorf("manifest: version must be %q: this program reads no other", Version)
	}
	m := new(Manifest)
	d := json.NewDecoder(bytes.NewReader(want))
	d.DisallowUnknownFields()
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("manifest: fields do not fit version %s: %w", Version, err)
	}
	encoded, err := m.Encode()
	if err != nil {
		return nil, err
	}
	if got, err := Canonical(encoded); err != nil || !bytes.Equal(got, want) {
		return nil, fmt.Errorf("manifest: fields do not fit version %s: some are missing or have another form", Version)
	}
	return m, nil
}

// VerifyDir verifies the release in a folder; see [Verify].
func VerifyDir(dir, fingerprint string) (*Result, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("manifest: cannot open the release: %w", err)
	}
	defer func() { _ = root.Close() }()
	return Verify(root.FS(), fingerprint)
}

// Verify checks a release: the manifest's form and signature, every file's
// length and hash, that no file is missing and none is there that it does not
// list, and that the signing key has the given fingerprint. With an empty
// fingerprint it notes that a key inside the release proves nothing by itself.
//
// The error says that there is nothing to verify; everything else that is
// wrong is a Problem.
func Verify(fsys fs.FS, fingerprint string) (*Result, error) {
	data, err := readManifest(fsys)
	if err != nil {
		return nil, err
	}
	r := &Result{Problems: []Problem{}, Notes: []string{}}
	m, err := Parse(data)
	if err != nil {
		r.problem(FileName, "%v", err)
		return r, nil
	}
	r.Manifest, r.Private, r.Guarantee = m, m.Private, m.Guarantee
	r.signature(m, data, fingerprint)
	r.files(m, fsys)
	return r, nil
}

func readManifest(fsys fs.FS) ([]byte, error) {
	info, err := fs.Lstat(fsys, FileName)
	if errors.Is(err, fs.ErrNotExist) {
		err = fs.ErrNotExist // the folder has no such file: how it was looked for says nothing
	}
	if err != nil {
		return nil, fmt.Errorf("manifest: there is no %s to verify: %w", FileName, err)
	}
	if !info.Mode().IsRegular() || info.Size() > maxManifest {
		return nil, fmt.Errorf("manifest: %s must be a file of at most %d bytes, got %v with %d", FileName, maxManifest, info.Mode().Type(), info.Size())
	}
	f, err := fsys.Open(FileName)
	if err != nil {
		return nil, fmt.Errorf("manifest: cannot be read: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxManifest+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("manifest: cannot be read: %w", err)
	}
	return data, nil
}

func (r *Result) signature(m *Manifest, data []byte, fingerprint string) {
	content, err := canonical(data, signatureMember)
	if err != nil {
		r.problem(FileName, "%v", err)
		return
	}
	s := m.Signature
	if s.ContentSHA256 != contentHash(content) {
		r.problem(FileName, "was changed: its contents do not have the hash that it states")
	}
	if !m.Private {
		r.notPrivate(m, fingerprint)
		return
	}
	if !s.Signed {
		r.problem(FileName, "a private release must be signed; this one is not")
		return
	}
	if want := signed(s.KeyID, s.PublicKey, s.Signature); s.Statement != want.Statement || s.Reason != want.Reason || s.Canonicalization != want.Canonicalization || s.Algorithm != want.Algorithm {
		r.problem(FileName, "its signature was made in a way that this program does not know")
		return
	}
	r.check(s, content, fingerprint)
}

func (r *Result) notPrivate(m *Manifest, fingerprint string) {
	want := unsigned(m.Guarantee)
	want.ContentSHA256 = m.Signature.ContentSHA256
	if m.Signature != want {
		r.problem(FileName, "a release without a guarantee must not be signed, and must say so")
	}
	r.Notes = append(r.Notes, "this release has no privacy guarantee: "+m.Guarantee)
	if fingerprint != "" {
		r.problem(FileName, "is not signed, so it does not come from the holder of that key")
	}
}

func (r *Result) check(s Signature, content []byte, fingerprint string) {
	public, err := ParsePublicPEM([]byte(s.PublicKey))
	if err != nil {
		r.problem(FileName, "its public key cannot be read")
		return
	}
	r.Fingerprint = Fingerprint(public)
	if r.Fingerprint != string(s.KeyID) {
		r.problem(FileName, "its key_id is not the fingerprint of its public key")
	}
	signature, err := base64.StdEncoding.Strict().DecodeString(string(s.Signature))
	if err != nil || !ed25519.Verify(public, content, signature) {
		r.problem(FileName, "its signature is not valid: the manifest or the signature was changed")
	} else {
		r.Signed = true
	}
	r.trust(fingerprint)
}

func (r *Result) trust(fingerprint string) {
	switch {
	case fingerprint == "":
		r.Notes = append(r.Notes, "the key came with the release and proves nothing by itself: compare "+r.Fingerprint+" with what the curator publishes elsewhere, and verify with --key")
	case sameFingerprint(fingerprint, r.Fingerprint):
		r.Trusted = r.Signed
	default:
		r.problem(FileName, "was signed with another key: %s", r.Fingerprint)
	}
}

// files compares what is listed with what is there.
func (r *Result) files(m *Manifest, fsys fs.FS) {
	if len(m.Outputs) > maxFiles {
		r.problem(FileName, "lists more than %d files", maxFiles)
		return
	}
	listed, folders := r.listed(m)
	for _, dir := range m.Excluded {
		if checkPath(dir) != nil || folders[dir] || strings.Contains(dir, "/") {
			r.problem(dir, "is no folder that can be excluded")
			return
		}
	}
	seen := r.walk(fsys, listed, folders, m.Excluded)
	for _, o := range m.Outputs {
		if _, ok := listed[o.Path]; ok && !seen[o.Path] {
			r.problem(o.Path, "is missing")
		}
	}
}

// listed are the outputs by path, and the folders that hold them.
func (r *Result) listed(m *Manifest) (map[string]Output, map[string]bool) {
	listed, folders := map[string]Output{}, map[string]bool{".": true}
	for _, o := range m.Outputs {
		if err := checkPath(o.Path); err != nil || o.Path == FileName {
			r.problem(o.Path, "is no path of a file inside the release")
			continue
		}
		if _, twice := listed[o.Path]; twice {
			r.problem(o.Path, "is listed twice")
		}
		listed[o.Path] = o
		for dir := path.Dir(o.Path); dir != "."; dir = path.Dir(dir) {
			folders[dir] = true
		}
	}
	return listed, folders
}

// walk looks at everything that is there and returns which listed files it met.
func (r *Result) walk(fsys fs.FS, listed map[string]Output, folders map[string]bool, excluded []string) map[string]bool {
	seen := map[string]bool{}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch o, ok := listed[name]; {
		case err != nil:
			r.problem(name, "cannot be read")
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && folders[name] || name == FileName:
		case d.IsDir() && slices.Contains(excluded, name):
			r.Notes = append(r.Notes, fmt.Sprintf("%s/ is declared as no part of the release and was not checked: do not publish it", name))
			return fs.SkipDir
		case d.IsDir():
			r.problem(name, "is a folder that the manifest does not list")
			return fs.SkipDir
		case !ok:
			r.problem(name, "is not listed in the manifest")
		case !d.Type().IsRegular():
			seen[name] = true
			r.problem(name, "is not a regular file")
		default:
			seen[name] = true
			r.file(fsys, o)
		}
		return nil
	})
	if err != nil {
		r.problem(".", "cannot be read")
	}
	return seen
}

func (r *Result) file(fsys fs.FS, o Output) {
	if info, err := fs.Lstat(fsys, o.Path); err != nil || info.Size() != o.Bytes {
		r.problem(o.Path, "does not have the length that the manifest states")
		return
	}
	sum, n, err := hashFile(fsys, o.Path)
	switch {
	case err != nil:
		r.problem(o.Path, "cannot be read")
	case sum != o.SHA256 || n != o.Bytes:
		r.problem(o.Path, "was changed: it does not have the hash that the manifest states")
	default:
		r.Files++
		r.Bytes += n
	}
}
