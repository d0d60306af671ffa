package curator

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
)

// synthetic marks whatever is drawn from a model: it stands in every row, in
// every file's name and across every picture.
const synthetic = "synthetic"

// tell writes the recordings of a release, one file each, while they are drawn.
func (j *GazeJob) tell(ctx context.Context, out *staging, t *till, r *mechanism.PathRelease) (*Release, error) {
	tell, err := newTeller(ctx, &j.Job, j.Spec, out, t, r.Release)
	if err != nil {
		return nil, err
	}
	pseudonym, err := j.Home.Pseudonyms()
	if err != nil {
		return nil, err
	}
	w := gazeWriter{job: j, tell: tell, release: r, names: canonical.Names{Pseudonym: pseudonym}, taken: map[string]bool{}}
	for whole, err := range gaze.Join(r.Recordings) {
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = w.recording(whole)
		}
		if err != nil {
			return nil, err
		}
	}
	if w.written == 0 {
		return nil, errors.New("curator: the mechanism released no recording")
	}
	j.describe(tell, r, w.written)
	return tell.finish(r.Release)
}

// describe fills in what people only know of a release of gaze paths.
func (j *GazeJob) describe(tell *teller, r *mechanism.PathRelease, written int) {
	m := tell.manifest
	m.Warnings = texts(r.Warnings)
	m.Basic.Name, m.Basic.DataProductType = "Gaze paths", "Dataset"
	what := "protected gaze paths"
	if r.Synthetic {
		m.Basic.Name, m.Basic.DataProductType = "Synthetic gaze paths", "Synthetic data"
		what = "synthetic gaze paths, drawn from a model"
	}
	m.Basic.Description = manifest.Text(fmt.Sprintf("%d recordings of %s (%s).", written, what, r.Plan.Mechanism))
	m.Preprocessing = manifest.List[manifest.Step]{{Step: j.onto.inWords(), Paid: manifest.NotApplicable}}
	m.PostProcessing = manifest.List[string]{"names replaced by pseudonyms", "pictures: fixations found in what was released"}
	if j.nobody() {
		m.PostProcessing = m.PostProcessing[1:]
	}
	tell.page.Title = string(m.Basic.Name)
	tell.page.Intro = fmt.Sprintf("%d recordings of %s.", written, what)
	if !m.Private {
		tell.page.Intro += " They have NO privacy guarantee. Do not publish them."
	}
	tell.page.NoiseFloor = "positions carry noise; for the least of it see the table of mechanisms below"
}

func (f frame) inWords() string {
	if f.sphere {
		return "yaw and pitch in degrees; one eye; nothing else of the recordings is used"
	}
	return "positions in px from the top left corner of the screen; one eye; nothing else of the recordings is used"
}

// gazeWriter writes recordings under pseudonyms.
type gazeWriter struct {
	job     *GazeJob
	tell    *teller
	release *mechanism.PathRelease
	names   canonical.Names
	taken   map[string]bool // names of files
	written int
	drawn   []string // participants whose recording was drawn
}

// bare is what of a recording is written: time stamps and positions, whatever
// else a mechanism may have left in it.
func bare(r *gaze.Recording) *gaze.Recording {
	out := &gaze.Recording{Header: r.Header}
	out.PupilUnit, out.Format = gaze.PupilUnknown, "gazeward"
	out.Samples.T = r.Samples.T
	for e, t := range r.Samples.Tracks {
		out.Samples.Tracks[e] = gaze.Track{X: t.X, Y: t.Y}
	}
	return out
}

func (w *gazeWriter) recording(whole *gaze.Recording) error {
	r := bare(whole)
	w.rename(&r.Header)
	base := w.file(&r.Header)
	var s canonical.Survey
	s.Add(r)
	s.Samples = true // a recording without samples is a table without rows
	s.Note = w.note()
	schema := "one row per sample: t_ns since the recording's start, x and y in " + r.Unit.String() + "; see the JSON of the same name"
	if err := w.tell.out.file(base+".csv.gz", schema, func(to io.Writer) error { return writeZipped(to, &s, r, w.comment()) }); err != nil {
		return err
	}
	text, err := s.Sidecar("samples", "")
	if err != nil {
		return err
	}
	if err := w.tell.out.file(base+".json", "units, frame, rate and screen of the recording", func(to io.Writer) error { _, err := to.Write(text); return err }); err != nil {
		return err
	}
	w.written++
	return w.draw(r, whole.Stimulus)
}

// rename puts pseudonyms into a header. Recordings of nobody are numbered.
func (w *gazeWriter) rename(h *gaze.Header) {
	if w.nobody() {
		*h = gaze.Header{Participant: fmt.Sprintf("%s-%04d", synthetic, w.written+1), Stimulus: baseName(h.Stimulus), Rate: h.Rate, Unit: h.Unit, Frame: h.Frame, Screen: h.Screen, Format: h.Format}
		return
	}
	w.names.Replace(h)
	if w.release.Synthetic {
		h.Participant = synthetic + "-" + h.Participant
	}
}

func (w *gazeWriter) nobody() bool { return w.job.nobody() }

// file is the name of a recording's files, without ending and unlike any before.
func (w *gazeWriter) file(h *gaze.Header) string {
	var parts []string
	for _, p := range []string{h.Participant, h.Session, bareName(h.Stimulus)} {
		if p = plainName(p); p != "" {
			parts = append(parts, p)
		}
	}
	name := "recordings/" + strings.Join(parts, "_")
	for n, base := 2, name; w.taken[name]; n++ {
		name = base + "-" + strconv.Itoa(n)
	}
	w.taken[name] = true
	return name
}

// plainName is a text that every file system stores.
func plainName(s string) string {
	s = strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' {
			return c
		}
		return '-'
	}, s)
	return strings.Trim(s[:min(len(s), 60)], ".-")
}

func (w *gazeWriter) comment() string {
	if w.release.Synthetic {
		return synthetic
	}
	return "protected"
}

func (w *gazeWriter) note() string {
	note := "Protected gaze: positions carry noise. The guarantee stands in manifest.json."
	if w.release.Synthetic {
		note = "Synthetic gaze, drawn from a model. The guarantee stands in manifest.json."
	}
	if _, void := w.release.Guarantee.Void(); void {
		note += " It is VOID: this is not private."
	}
	return note
}

// writeZipped writes a recording's table, with no time in the gzip header.
func writeZipped(to io.Writer, s *canonical.Survey, r *gaze.Recording, comment string) error {
	z := gzip.NewWriter(to)
	z.Comment, z.ModTime = comment, time.Time{}
	c, err := canonical.NewCSV(z, nil, s)
	if err != nil {
		return err
	}
	return errors.Join(c.Add(r), c.Close(), z.Close())
}
