package studio

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/report"
)

// shelf is the folder of releases. They stay when the program ends.
type shelf struct {
	dir   string
	known *sync.Map // id → source, as far as it is still open
}

func (s *Server) shelf() shelf { return shelf{s.o.Releases, &s.made} }

// from remembers of which data a release is, for pictures with the stimulus.
func (s shelf) from(id string, src *source) { s.known.Store(id, src) }

// stimulus is the picture of a stimulus of the data that a release is of; nil
// where they are not open any more.
func (s shelf) stimulus(id, name string) image.Image {
	src, ok := s.known.Load(id)
	if !ok {
		return nil
	}
	d, err := src.(*source).data()
	if err != nil {
		return nil
	}
	return d.Stimulus(name)
}

var plainID = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$`)

// open opens a release's folder. Nothing outside of it can be reached through
// it.
func (s shelf) open(id string) (*os.Root, *manifest.Manifest, error) {
	gone := missing("There is no such release in this folder.")
	if !plainID.MatchString(id) {
		return nil, nil, gone
	}
	root, err := os.OpenRoot(filepath.Join(s.dir, id))
	if err != nil {
		return nil, nil, gone
	}
	text, err := fs.ReadFile(root.FS(), manifest.FileName)
	if err != nil {
		return nil, nil, errors.Join(gone, root.Close())
	}
	m, err := manifest.Parse(text)
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return root, m, nil
}

// releaseRow is a release in the list.
type releaseRow struct {
	ID        string `json:"id"`
	Link      string `json:"link"`
	Name      string `json:"name"`
	Created   string `json:"created"`
	Private   bool   `json:"private"`
	Guarantee string `json:"guarantee"`
	Picture   string `json:"picture,omitempty"`
}

// list lists the releases, the latest first.
func (s shelf) list() ([]releaseRow, error) {
	entries, err := os.ReadDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return []releaseRow{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("studio: the folder of releases cannot be read: %w", withoutPath(err))
	}
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { return modified(b).Compare(modified(a)) })
	out := []releaseRow{}
	for _, e := range entries {
		root, m, err := s.open(e.Name())
		if err != nil {
			continue
		}
		row := releaseRow{e.Name(), "/releases/" + e.Name(), m.Basic.Name.String(), m.Created.String(), m.Private, m.Guarantee, ""}
		if p := pictures(m); len(p) > 0 {
			row.Picture = row.Link + "/files/" + p[0]
		}
		out = append(out, row)
		_ = root.Close()
	}
	return out, nil
}

func pictures(m *manifest.Manifest) []string {
	var out []string
	for _, o := range m.Outputs {
		if o.MediaType == "image/png" && !strings.Contains(o.Path, "label") {
			out = append(out, o.Path)
		}
	}
	return out
}

func (s *Server) releases(w http.ResponseWriter, r *http.Request) error {
	list, err := s.shelf().list()
	if err != nil {
		return err
	}
	return s.show(w, r, "releases", frame{Title: "Releases", Tab: "releases", V: struct {
		Releases []releaseRow `json:"releases"`
		Dir      string       `json:"folder"`
	}{list, s.o.Releases}})
}

// releaseView is one release.
type releaseView struct {
	ID          string             `json:"id"`
	Manifest    *manifest.Manifest `json:"manifest"`
	Pictures    []pictureView      `json:"pictures"`
	Redraw      *redrawView        `json:"redraw,omitempty"`
	Verdict     *verdictView       `json:"verify"`
	Fingerprint string             `json:"fingerprint"`
	Folder      string             `json:"folder"`
	Bytes       int64              `json:"bytes"`
}

type pictureView struct {
	Link  string `json:"link"`
	Title string `json:"title"`
}

// verdictView is what verification says.
type verdictView struct {
	OK       bool     `json:"ok"`
	Files    int      `json:"files"`
	Bytes    int64    `json:"bytes"`
	Problems []string `json:"problems"`
	Notes    []string `json:"notes"`
}

// quickly is how many bytes are verified while somebody waits for the page.
const quickly = 64 << 20

func (s *Server) releasePage(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	root, m, err := s.shelf().open(id)
	if err != nil {
		return err
	}
	defer root.Close()
	v := releaseView{ID: id, Manifest: m, Folder: filepath.Join(s.o.Releases, id), Fingerprint: m.Signature.KeyID.String(), Pictures: []pictureView{}}
	for _, o := range m.Outputs {
		v.Bytes += o.Bytes
		if o.MediaType == "image/png" && slices.Contains(pictures(m), o.Path) {
			v.Pictures = append(v.Pictures, pictureView{"/releases/" + id + "/files/" + o.Path, o.Schema.String()})
		}
	}
	if v.Bytes <= quickly || r.FormValue("verify") != "" {
		if v.Verdict, err = verify(root); err != nil {
			return err
		}
	}
	v.Redraw = redrawOf(id, root, m, r.URL.Query())
	f := frame{Title: m.Basic.Name.String(), Tab: "releases", Steps: resultSteps(), V: v, Scripts: []string{"release.js"}}
	return s.show(w, r, "release", f)
}

// resultSteps end the way: before a result there is nothing to go back to.
func resultSteps() []step {
	all := steps(nil, 5)
	for i := range all {
		all[i].Link = ""
	}
	return all
}

func verify(root *os.Root) (*verdictView, error) {
	res, err := manifest.Verify(root.FS(), "")
	if err != nil {
		return nil, err
	}
	v := &verdictView{OK: res.OK(), Files: res.Files, Bytes: res.Bytes, Problems: []string{}, Notes: res.Notes}
	for _, p := range res.Problems {
		v.Problems = append(v.Problems, p.String())
	}
	return v, nil
}

// releasePolicy is that of a file of a release: it may show itself, and do
// nothing. A report brings a policy of its own, which adds to this one.
const releasePolicy = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

// releaseFile sends one file of a release.
func (s *Server) releaseFile(w http.ResponseWriter, r *http.Request) error {
	root, m, err := s.shelf().open(r.PathValue("id"))
	if err != nil {
		return err
	}
	defer root.Close()
	name := r.PathValue("file")
	at := slices.IndexFunc(m.Outputs, func(o manifest.Output) bool { return o.Path == name })
	media := "application/json"
	if at >= 0 {
		media = m.Outputs[at].MediaType
	} else if name != manifest.FileName {
		return missing("The release has no such file.")
	}
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return missing("The release has lost this file.")
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return missing("The release has lost this file.")
	}
	w.Header().Set("Content-Security-Policy", releasePolicy)
	w.Header().Set("Content-Type", media)
	if shown := strings.HasPrefix(media, "image/") || strings.HasPrefix(media, "text/html"); !shown || r.FormValue("download") != "" {
		w.Header().Set("Content-Disposition", `attachment; filename="`+path.Base(name)+`"`)
	}
	http.ServeContent(w, r, "", info.ModTime(), f)
	return nil
}

// label is the release's label, as a page or a picture.
func (s *Server) label(w http.ResponseWriter, r *http.Request) error {
	root, m, err := s.shelf().open(r.PathValue("id"))
	if err != nil {
		return err
	}
	defer root.Close()
	var b bytes.Buffer
	write, media := report.Label{Manifest: m}.WriteHTML, "text/html; charset=utf-8"
	if r.PathValue("kind") == "label.png" {
		write, media = report.Label{Manifest: m}.WritePNG, "image/png"
	}
	if err := write(&b); err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", releasePolicy)
	w.Header().Set("Content-Type", media)
	_, err = w.Write(b.Bytes())
	return gone{err}.orNil()
}

// pack streams the release as a zip. It holds what the manifest lists and the
// manifest, nothing else, so that what was unpacked verifies.
func (s *Server) pack(w http.ResponseWriter, r *http.Request) error {
	id := r.PathValue("id")
	root, m, err := s.shelf().open(id)
	if err != nil {
		return err
	}
	defer root.Close()
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="`+id+`.zip"`)
	z := zip.NewWriter(w)
	names := []string{manifest.FileName}
	for _, o := range m.Outputs {
		names = append(names, o.Path)
	}
	for _, name := range names {
		if err := into(z, id+"/"+name, root, name); err != nil {
			return gone{err} // the reader sees a zip that does not end
		}
	}
	return gone{z.Close()}.orNil()
}

func into(z *zip.Writer, as string, root *os.Root, name string) error {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return err
	}
	defer f.Close()
	method := zip.Deflate
	if strings.HasSuffix(name, ".png") || strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".parquet") {
		method = zip.Store
	}
	w, err := z.CreateHeader(&zip.FileHeader{Name: as, Method: method})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, f)
	return err
}

func modified(e fs.DirEntry) time.Time {
	info, err := e.Info()
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
