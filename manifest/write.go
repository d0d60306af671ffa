package manifest

import (
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Write lists every file of the folder dir with its hash in Outputs, signs the
// manifest and writes it as [FileName], last and at once: the file is either
// the old one or the whole new one. Schemas of outputs that were set before by
// path are kept. Folders in Excluded are passed over.
//
// A private manifest needs a key. One that is not private is never signed,
// whatever the key: it says so and why.
func (m *Manifest) Write(dir string, key ed25519.PrivateKey) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return fmt.Errorf("manifest: cannot open the release: %w", err)
	}
	defer func() { _ = root.Close() }()
	m.Excluded = append(List[string]{}, m.Excluded...)
	outputs, err := list(root.FS(), m.Excluded)
	if err != nil {
		return err
	}
	m.adopt(outputs)
	if err := m.Check(); err != nil {
		return err
	}
	if err := m.Sign(key); err != nil {
		return err
	}
	data, err := m.Encode()
	if err != nil {
		return err
	}
	return replace(root, data)
}

// adopt takes the outputs, with the schemas that were set before.
func (m *Manifest) adopt(outputs []Output) {
	schemas := map[string]Text{}
	for _, o := range m.Outputs {
		schemas[o.Path] = o.Schema
	}
	for i := range outputs {
		outputs[i].Schema = schemas[outputs[i].Path]
	}
	m.Outputs = append(List[Output]{}, outputs...)
}

// list hashes all files of a release in order of their paths.
func list(fsys fs.FS, excluded []string) ([]Output, error) {
	var outputs []Output
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(excluded, name):
			return fs.SkipDir
		case d.IsDir() || name == FileName || name == temporaryName:
			return nil
		}
		if !d.Type().IsRegular() {
			return fmt.Errorf("manifest: a release holds files and folders only, got %v for %q", d.Type(), name)
		}
		if err := checkPath(name); err != nil {
			return err
		}
		sum, n, err := hashFile(fsys, name)
		outputs = append(outputs, Output{Path: name, SHA256: sum, Bytes: n, MediaType: mediaType(name)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("manifest: cannot list the release: %w", err)
	}
	return outputs, nil
}

func hashFile(fsys fs.FS, name string) (sum string, n int64, err error) {
	f, err := fsys.Open(name)
	if err != nil {
		return "", 0, err
	}
	h := sha256.New()
	n, err = io.Copy(h, f)
	return hex.EncodeToString(h.Sum(nil)), n, errors.Join(err, f.Close())
}

// checkPath refuses names that could lead out of the release or that not every
// system can store.
func checkPath(name string) error {
	if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00") || !filepath.IsLocal(filepath.FromSlash(name)) {
		return fmt.Errorf("manifest: an output's path must be relative and inside the release, got %q", name)
	}
	return nil
}

func mediaType(name string) string {
	switch strings.ToLower(path.Ext(name)) {
	case ".png":
		return "image/png"
	case ".csv":
		return "text/csv"
	case ".tsv":
		return "text/tab-separated-values"
	case ".html":
		return "text/html"
	case ".json":
		return "application/json"
	case ".md":
		return "text/markdown"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".parquet":
		return "application/vnd.apache.parquet"
	case ".npy":
		return "application/x-npy"
	case ".svg":
		return "image/svg+xml"
	case ".txt":
		return "text/plain"
	}
	return "application/octet-stream"
}

// Encode returns the manifest as readable JSON in a fixed order of keys.
func (m *Manifest) Encode() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("manifest: cannot be written as JSON: %w", err)
	}
	return out.Bytes(), nil
}

// Content returns what is signed: the canonical JSON of the manifest without
// its signature member.
func (m *Manifest) Content() ([]byte, error) {
	data, err := m.Encode()
	if err != nil {
		return nil, err
	}
	return canonical(data, signatureMember)
}

const signatureMember = "signature"

const (
	algorithm        = "ed25519"
	canonicalization = "RFC 8785 without the member \"signature\""
)

// Sign fills the signature from the rest of the manifest; see [Manifest.Write].
func (m *Manifest) Sign(key ed25519.PrivateKey) error {
	content, err := m.Content()
	if err != nil {
		return err
	}
	if !m.Private {
		m.Signature = unsigned(m.Guarantee)
		m.Signature.ContentSHA256 = contentHash(content)
		return nil
	}
	if len(key) != ed25519.PrivateKeySize {
		return errors.New("manifest: a private release must be signed, got no key")
	}
	public := key.Public().(ed25519.PublicKey)
	text, err := PublicPEM(public)
	if err != nil {
		return err
	}
	m.Signature = signed(Text(Fingerprint(public)), Text(text), Text(base64.StdEncoding.EncodeToString(ed25519.Sign(key, content))))
	m.Signature.ContentSHA256 = contentHash(content)
	return nil
}

func contentHash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}

// signed is the signature of a private release, but for the content's hash.
func signed(keyID, publicKey, signature Text) Signature {
	return Signature{
		Signed: true, Statement: StatementPrivate, Reason: NotApplicable, Algorithm: algorithm,
		Canonicalization: canonicalization, KeyID: keyID, PublicKey: publicKey, Signature: signature,
	}
}

// unsigned is the signature of a release that is not private.
func unsigned(guarantee string) Signature {
	return Signature{
		Statement: StatementNotPrivate, Reason: Text("a release without a guarantee is never signed: " + guarantee),
		Algorithm: NotApplicable, Canonicalization: canonicalization,
		KeyID: NotApplicable, PublicKey: NotApplicable, Signature: NotApplicable,
	}
}

// temporaryName is what [FileName] is called while it is being written.
const temporaryName = ".manifest.json.new"

// replace writes the manifest under another name first and renames it.
func replace(root *os.Root, data []byte) error {
	f, err := root.OpenFile(temporaryName, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return fmt.Errorf("manifest: cannot be written: %w", err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(temporaryName, FileName)
	}
	if err != nil {
		return fmt.Errorf("manifest: cannot be written: %w", errors.Join(err, root.Remove(temporaryName)))
	}
	return nil
}
