package studio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds on one upload beside its size.
const (
	maxFiles = 50_000
	maxName  = 1000 // bytes of a path
	maxDepth = 20
)

// upload takes files as a browser sends them, straight to the disk: memory does
// not grow with their size.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	r.Body = http.MaxBytesReader(w, r.Body, s.o.MaxUpload)
	parts, err := r.MultipartReader()
	if err != nil {
		return refuse("The files did not come as a form of files.", "Use the page's own field.")
	}
	dir, err := s.folder.fresh("upload")
	if err != nil {
		return err
	}
	names, err := receive(parts, dir)
	if err != nil {
		return errors.Join(tooLarge(err, s.o.MaxUpload), os.RemoveAll(dir))
	}
	src := &source{Name: called(names), path: dir, own: dir, home: s.o.Home}
	if top := common(names); len(names) == 1 {
		src.path = filepath.Join(dir, filepath.FromSlash(names[0]))
	} else if top != "" { // layouts begin below the folder that was dropped
		src.path = filepath.Join(dir, top)
	}
	s.sources.add(src)
	j, err := s.read(src, "Reading "+src.Name, nil)
	if err != nil {
		return err
	}
	return s.started(w, r, j)
}

// started leads to a job that was just started.
func (s *Server) started(w http.ResponseWriter, r *http.Request, j *job) error {
	if wantsJSON(r) {
		v, _ := j.view()
		w.Header().Set("Location", "/jobs/"+j.id)
		return writeJSON(w, http.StatusAccepted, v)
	}
	http.Redirect(w, r, "/jobs/"+j.id, http.StatusSeeOther)
	return nil
}

func tooLarge(err error, most int64) error {
	if isA[*http.MaxBytesError](err) {
		return &problem{
			Status: http.StatusRequestEntityTooLarge, Title: "Too large",
			What: "The upload is larger than " + byteCount(most) + ".",
			Hint: "Give the folder's path on this machine instead: then nothing is copied.",
		}
	}
	return err
}

// receive writes every file of the form below dir, and returns their names.
func receive(parts *multipart.Reader, dir string) ([]string, error) {
	root, err := os.OpenRoot(dir) // nothing is written outside of it, whatever a name says
	if err != nil {
		return nil, fmt.Errorf("studio: the upload cannot be kept: %w", err)
	}
	defer root.Close()
	var names []string
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("studio: the upload broke off: %w", err)
		}
		if part.FormName() != "files" || fileName(part) == "" {
			continue
		}
		name, err := place(fileName(part))
		if err != nil {
			return nil, err
		}
		if len(names) == maxFiles {
			return nil, refuse(fmt.Sprintf("More than %d files.", maxFiles), "Give the folder's path on this machine instead.")
		}
		if err := keep(root, name, part); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return nil, refuse("No file was chosen.", "Drop files on the page, or choose some.")
	}
	return names, nil
}

// fileName is the name with its folders: the standard library's has none.
func fileName(part *multipart.Part) string {
	_, params, err := mime.ParseMediaType(part.Header.Get("Content-Disposition"))
	if err != nil {
		return ""
	}
	return params["filename"]
}

// place is where a file of that name goes: a plain relative path.
func place(name string) (string, error) {
	refused := refuse("One of the files has a name that cannot be kept.", "Rename it: no .., no leading slash, no control characters.")
	if len(name) > maxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.ContainsAny(name, `\:`) {
		return "", refused
	}
	if !fs.ValidPath(name) || name == "." || !filepath.IsLocal(filepath.FromSlash(name)) || strings.Count(name, "/") > maxDepth {
		return "", refused
	}
	return name, nil
}

func keep(root *os.Root, name string, from io.Reader) error {
	if dir := path.Dir(name); dir != "." {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return fmt.Errorf("studio: the upload cannot be kept: %w", withoutPath(err))
		}
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return refuse("Two of the files have the same name.", "Drop the folder that holds them instead, so that their folders tell them apart.")
	}
	if err != nil {
		return fmt.Errorf("studio: the upload cannot be kept: %w", withoutPath(err))
	}
	_, err = io.Copy(f, from)
	if err := errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("studio: the upload broke off: %w", withoutPath(err))
	}
	return nil
}

// withoutPath removes the path from an error of the file system.
func withoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", e.Op, e.Err)
	}
	return err
}

// called is a name for what was uploaded.
func called(names []string) string {
	if len(names) == 1 {
		return path.Base(names[0])
	}
	if top := common(names); top != "" {
		return top
	}
	return plural(len(names), "file", "files")
}

// common is the folder that all files lie in; empty = there is none.
func common(names []string) string {
	top, _, _ := strings.Cut(names[0], "/")
	for _, n := range names {
		if first, _, inFolder := strings.Cut(n, "/"); first != top || !inFolder {
			return ""
		}
	}
	return top
}
