package studio

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/dataset"
	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
)

// homeView is the first page: what is open, and how to bring something.
type homeView struct {
	Sources     []sourceView `json:"data_sets"`
	Releases    int          `json:"releases"`
	Definitions []string     `json:"definitions"`
}

// sourceView is a data set in a list.
type sourceView struct {
	ID         string `json:"id"`
	Name       string `json:"name"`
	Simulated  bool   `json:"simulated"`
	Link       string `json:"link"`
	Reading    bool   `json:"reading"`
	People     int    `json:"people"`
	Recordings int    `json:"recordings"`
	Problem    string `json:"problem,omitempty"`
}

func (s *Server) viewOf(src *source) sourceView {
	f, p, id := src.state()
	v := sourceView{ID: src.ID, Name: src.Name, Simulated: src.Simulated, Link: "/data/" + src.ID}
	if f != nil {
		v.People, v.Recordings = f.People, f.Survey.Recordings
	}
	if p != nil {
		v.Problem = p.What
	}
	if j, err := s.jobs.get(id); err == nil {
		if jv, _ := j.view(); jv.State == running {
			v.Reading, v.Link = true, "/jobs/"+id
		}
	}
	return v
}

func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	v := homeView{Sources: []sourceView{}, Definitions: definitions()}
	for _, src := range s.sources.list() {
		v.Sources = append(v.Sources, s.viewOf(src))
	}
	if list, err := s.shelf().list(); err == nil {
		v.Releases = len(list)
	}
	return s.show(w, r, "home", frame{Title: "Import & inspect", Tab: "data", Steps: steps(nil, 1), V: v, Scripts: []string{"upload.js"}})
}

func definitions() []string {
	all, _ := dataset.All()
	var names []string
	for _, d := range all {
		names = append(names, d.Name)
	}
	return names
}

// pick opens a file or folder of this machine.
func (s *Server) pick(w http.ResponseWriter, r *http.Request) error {
	where := strings.TrimSpace(r.FormValue("path"))
	if where == "" {
		return refuse("No path was given.", "Type the path of a file or a folder on this machine, for example /home/me/study1/recordings.")
	}
	if rest, ok := strings.CutPrefix(where, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			where = filepath.Join(home, rest)
		}
	}
	if !filepath.IsAbs(where) {
		return refuse("The path must be a whole one, from the root of the machine.", "For example /home/me/study1/recordings.")
	}
	switch info, err := os.Stat(where); {
	case errors.Is(err, fs.ErrNotExist):
		return refuse("There is no file or folder at that path.", "Check the path; it must be a whole one, from the root of the machine.")
	case err != nil:
		return withoutPath(err)
	case !info.IsDir() && !info.Mode().IsRegular(): // reading a pipe would wait for ever
		return refuse("What lies at that path is neither a file nor a folder.", "Name the folder with the recordings.")
	}
	src := &source{Name: filepath.Base(where), path: where, home: s.o.Home}
	s.sources.add(src)
	j, err := s.read(src, "Reading "+src.Name, nil)
	if err != nil {
		return err
	}
	return s.started(w, r, j)
}

// Simulated people of the demo: as many as gazeward demo has.
const (
	demoPeople  = 300
	demoSeconds = 8
	demoRate    = gaze.Hertz(60)
)

// demo makes people up. Their ledger and keys are their own.
func (s *Server) demo(w http.ResponseWriter, r *http.Request) error {
	dir, err := s.folder.fresh("simulated")
	if err != nil {
		return err
	}
	recordings := filepath.Join(dir, "recordings")
	src := &source{Name: "Simulated people", Simulated: true, path: recordings, own: dir, home: s.folder.playground()}
	s.sources.add(src)
	j, err := s.read(src, "Simulating people", func(ctx context.Context, j *job) error {
		d := curator.Demo{People: s.people, Seconds: demoSeconds, Rate: demoRate, Progress: func(done int) { j.progress(done, s.people) }}
		o, err := d.Recordings(recordings)
		src.set(func() { src.options = o })
		return errors.Join(err, ctx.Err())
	})
	if err != nil {
		return err
	}
	return s.started(w, r, j)
}

// dataView is one data set.
type dataView struct {
	sourceView
	Found       *found   `json:"found"`
	Trouble     *problem `json:"trouble,omitempty"`
	Screen      string   `json:"screen"`
	Options     options  `json:"options"`
	Areas       []string `json:"areas"`
	Typed       string   `json:"-"`
	Shown       int      `json:"-"` // files in the table
	Own         bool     `json:"uploaded"`
	Definitions []string `json:"-"`
}

// options are what a person says about the data, as typed.
type options struct {
	Dataset     string `json:"dataset"`
	Participant string `json:"participant"`
	Mapping     string `json:"mapping"`
	ScreenPx    string `json:"screen_px"`
	ScreenCm    string `json:"screen_cm"`
	Distance    string `json:"distance_cm"`
}

// shownFiles bounds the table of files until all are asked for.
const shownFiles = 15

func (s *Server) dataPage(w http.ResponseWriter, r *http.Request) error {
	src, err := s.sources.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	v := s.view(src)
	if r.FormValue("files") == "all" && v.Found != nil {
		v.Shown = len(v.Found.Files)
	}
	if v.Reading && !wantsJSON(r) {
		http.Redirect(w, r, v.Link, http.StatusSeeOther)
		return nil
	}
	return s.show(w, r, "data", frame{Title: v.Name, Tab: "data", Steps: steps(&choice{Source: src}, 1), V: v})
}

func (s *Server) view(src *source) dataView {
	f, p, _ := src.state()
	v := dataView{sourceView: s.viewOf(src), Found: f, Trouble: p, Areas: []string{}, Shown: shownFiles, Definitions: definitions()}
	src.mu.Lock()
	defer src.mu.Unlock()
	o := src.options
	v.Options = options{Dataset: o.Dataset, Participant: o.Participant, Mapping: src.mapping}
	if src.Simulated {
		v.Options.Dataset = ""
	}
	if o.Screen.Width > 0 {
		v.Options.ScreenPx = fmt.Sprintf("%dx%d", o.Screen.Width, o.Screen.Height)
	}
	if o.Screen.WidthCm > 0 {
		v.Options.ScreenCm = fmt.Sprintf("%gx%g", o.Screen.WidthCm, o.Screen.HeightCm)
	}
	if o.Screen.DistanceCm > 0 {
		v.Options.Distance = fmt.Sprintf("%g", o.Screen.DistanceCm)
	}
	if f != nil {
		v.Screen = screenWords(f.Peek.Screen)
	}
	if src.areas != nil {
		v.Areas = src.areas.Names()
	}
	v.Typed, v.Own = src.typed, src.own != ""
	return v
}

func screenWords(s gaze.Screen) string {
	if !s.Known() {
		return ""
	}
	text := fmt.Sprintf("%d × %d px", s.Width, s.Height)
	if s.FieldWidthDeg > 0 {
		return text + fmt.Sprintf(", a view of %.4g° × %.4g°", s.FieldWidthDeg, s.FieldHeightDeg)
	}
	if s.HasGeometry() {
		return text + fmt.Sprintf(", %.4g × %.4g cm, seen from %.4g cm", s.WidthCm, s.HeightCm, s.DistanceCm)
	}
	return text + ", its size in centimetres or its distance not stated"
}

// setOptions takes what a person says about the data, and reads them again.
func (s *Server) setOptions(w http.ResponseWriter, r *http.Request) error {
	src, err := s.sources.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	o := curator.DataOptions{Dataset: r.FormValue("dataset"), Participant: r.FormValue("participant")}
	if o.Screen, err = screenOf(r.FormValue("screen_px"), r.FormValue("screen_cm"), r.FormValue("distance_cm")); err != nil {
		return err
	}
	mapping := strings.TrimSpace(r.FormValue("mapping"))
	if mapping != "" {
		if _, err := format.ParseMapping([]byte(mapping)); err != nil {
			return err
		}
		if o.Mapping, err = s.keepText("mapping", "mapping.yaml", mapping); err != nil {
			return err
		}
	}
	src.set(func() {
		if src.Simulated {
			o.Dataset = src.options.Dataset
		}
		src.options, src.mapping, src.found = o, mapping, nil
	})
	j, err := s.read(src, "Reading "+src.Name, nil)
	if err != nil {
		return err
	}
	return s.started(w, r, j)
}

// keepText writes a text into a file of its own: the curator's room takes files.
func (s *Server) keepText(kind, base, text string) (string, error) {
	dir, err := s.folder.fresh(kind)
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, base)
	return file, os.WriteFile(file, []byte(text), 0o600)
}

// screenOf reads what was typed about a screen.
func screenOf(px, cm, distance string) (s gaze.Screen, err error) {
	if px != "" {
		w, h, err := pair(px)
		if err != nil || w != float64(int(w)) || h != float64(int(h)) {
			return s, refuse("The size of the screen in pixels must be two whole numbers.", "For example 1920x1080.")
		}
		s.Width, s.Height = int(w), int(h)
	}
	if cm != "" {
		if s.WidthCm, s.HeightCm, err = pair(cm); err != nil {
			return s, refuse("The size of the screen in centimetres must be two numbers.", "For example 53x30.")
		}
	}
	if distance != "" {
		if s.DistanceCm, err = strconv.ParseFloat(distance, 64); err != nil || !(s.DistanceCm > 0 && s.DistanceCm < 1e6) {
			return s, refuse("The viewing distance must be a positive number of centimetres.", "For example 60.")
		}
	}
	return s, nil
}

func pair(text string) (w, h float64, err error) {
	a, b, ok := strings.Cut(strings.NewReplacer("×", "x", "X", "x").Replace(text), "x")
	if !ok {
		return 0, 0, errors.New("no x")
	}
	w, errW := strconv.ParseFloat(strings.TrimSpace(a), 64)
	h, errH := strconv.ParseFloat(strings.TrimSpace(b), 64)
	if err := errors.Join(errW, errH); err != nil || !(w > 0 && h > 0 && w < 1e6 && h < 1e6) {
		return 0, 0, errors.New("out of range")
	}
	return w, h, nil
}

// setAreas takes areas of interest, as text or as a file.
func (s *Server) setAreas(w http.ResponseWriter, r *http.Request) error {
	src, err := s.sources.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	text := r.FormValue("areas")
	if file := r.FormValue("file"); file != "" {
		if text, err = src.areaFile(file); err != nil {
			return err
		}
	}
	areas, err := grid.ParseAOIs(strings.NewReader(text))
	if err != nil {
		return err
	}
	src.set(func() { src.areas, src.typed = areas, text })
	back := "/data/" + src.ID + "#areas"
	if next := r.FormValue("next"); strings.HasPrefix(next, "/product?") {
		back = next
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
	return nil
}

// areaFile reads a file of areas that lies among the data.
func (s *source) areaFile(name string) (string, error) {
	if f, _, _ := s.state(); f == nil || !slices.Contains(f.Areas, name) {
		return "", missing("The data hold no such file of areas.")
	}
	d, err := s.data()
	if err != nil {
		return "", err
	}
	f, err := d.Folder.FS.Open(name)
	if err != nil {
		return "", withoutPath(err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, 1<<20))
	if err != nil {
		return "", withoutPath(err)
	}
	return string(b), nil
}

// forget closes a data set.
func (s *Server) forget(w http.ResponseWriter, r *http.Request) error {
	src, err := s.sources.get(r.PathValue("id"))
	if err != nil {
		return err
	}
	_, _, id := src.state()
	if j, err := s.jobs.get(id); err == nil {
		j.cancel()
	}
	if err := s.sources.forget(src); err != nil {
		return fmt.Errorf("studio: what was uploaded cannot be removed: %w", withoutPath(err))
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}
