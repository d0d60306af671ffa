package curator

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/account"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
	"github.com/gazeward/gazeward/report"
)

// teller writes what a release says about itself.
type teller struct {
	job      *Job
	spec     mechanism.Spec
	out      *staging
	till     *till
	key      ed25519.PrivateKey
	manifest *manifest.Manifest
	page     report.Page
	drawn    int // pictures
}

// newTeller starts the manifest and the page from the release's own words.
func newTeller(ctx context.Context, j *Job, spec mechanism.Spec, out *staging, t *till, r mechanism.Release) (*teller, error) {
	var key ed25519.PrivateKey // a void release is never signed
	m := manifest.Describe(r)
	m.ReleaseID, m.Tool = manifest.Text(newID()), manifest.ThisTool()
	if t != nil {
		m.ReleaseID, key = manifest.Text(t.id), t.signing
	}
	m.Dated(time.Now())
	m.Cite(spec)
	for i := range m.Mechanisms { // the Spec names the source of both calibrations
		if k := &m.Mechanisms[i]; k.Calibration == mechanism.Published {
			k.Reference = manifest.Text(strings.Replace(k.Reference.String(), ", corrected", ", as printed", 1))
		}
	}
	m.Source.Participants = publicCount(r.Plan)
	m.Source.Importers = manifest.List[string]{"gazeward"}
	m.Identifiers = manifest.List[string]{"names of participants and files", "times of day and dates", "device serial numbers", "eye geometry and pupil sizes"}
	m.Provenance.CommandLine = manifest.Text(j.CommandLine)
	m.Excluded = append(manifest.List[string]{}, j.Excluded...)
	a, entries, err := t.books(ctx)
	if err != nil {
		return nil, err
	}
	m.Account(a, entries)
	p := report.Page{Manifest: m}
	if m.Private && key != nil {
		p.Fingerprint = manifest.Fingerprint(key.Public().(ed25519.PublicKey))
	}
	return &teller{job: j, spec: spec, out: out, till: t, key: key, manifest: m, page: p}, nil
}

// publicCount is n, which is public under replace-one neighbours.
func publicCount(p mechanism.Plan) manifest.Number {
	n, err := strconv.Atoi(p.Parameters["subjects"])
	if err != nil {
		return manifest.Without(manifest.NotDisclosed)
	}
	return manifest.Num(float64(n))
}

// books is the account after the charge, with its entries.
func (t *till) books(ctx context.Context) (*account.Account, []account.Entry, error) {
	if t == nil {
		return nil, nil, nil
	}
	a, err := t.ledger.Account(ctx, t.key)
	if err != nil {
		return nil, nil, err
	}
	entries, err := t.ledger.Entries(ctx)
	return &a, entries, err
}

// finish writes the page and the manifest, and puts the release into its place.
func (t *teller) finish(r mechanism.Release) (*Release, error) {
	if t.drawn > shown {
		t.page.Intro += fmt.Sprintf(" This page shows the first %d of %d pictures; the others lie beside it.", shown, t.drawn)
	}
	t.page.Files = t.listed()
	if err := t.out.file("report.html", "this release in words and pictures", t.page.WriteHTML); err != nil {
		return nil, err
	}
	t.manifest.Outputs = t.out.outputs
	if err := t.manifest.Write(t.out.dir, t.key); err != nil {
		return nil, err
	}
	if err := t.out.commit(); err != nil {
		return nil, err
	}
	rel := &Release{Plan: r.Plan, Warnings: r.Warnings, Dir: t.out.shown}
	if t.till != nil {
		rel.ID = t.till.id
	}
	for _, o := range t.out.outputs {
		rel.Outputs = append(rel.Outputs, filepath.Join(t.out.shown, filepath.FromSlash(o.Path)))
	}
	rel.Outputs = append(rel.Outputs, filepath.Join(t.out.shown, manifest.FileName))
	return rel, nil
}

// listed are the release's files as the page names them: of a folder with many,
// the first of each kind, and how many there are. The manifest has them all.
func (t *teller) listed() []report.File {
	kind := func(name string) string {
		_, ending, _ := strings.Cut(path.Base(name), ".")
		return path.Dir(name) + "/*." + ending
	}
	count := map[string]int{}
	for _, o := range t.out.outputs {
		count[kind(o.Path)]++
	}
	told := map[string]bool{}
	var files []report.File
	for _, o := range t.out.outputs {
		k := kind(o.Path)
		switch {
		case count[k] <= many || path.Dir(o.Path) == ".":
			files = append(files, report.File{Path: o.Path, What: string(o.Schema)})
		case !told[k]:
			files = append(files, report.File{Path: k, What: fmt.Sprintf("%d files: %s", count[k], o.Schema)})
			told[k] = true
		}
	}
	return files
}

// many files of one kind in one folder are told as one line.
const many = 12

// shown is how many pictures the page carries: browsers open a page of some
// megabytes.
const shown = 20

// picture writes a PNG and shows it on the page.
func (t *teller) picture(name, title, caption, alt string, draw func(io.Writer) error) error {
	var png bytes.Buffer
	if err := draw(&png); err != nil {
		return err
	}
	if t.drawn++; t.drawn <= shown {
		t.page.Pictures = append(t.page.Pictures, report.Picture{Title: title, Caption: caption, Alt: alt, PNG: png.Bytes()})
	}
	return t.out.file(name, title, func(w io.Writer) error { _, err := w.Write(png.Bytes()); return err })
}

func (t *teller) json(name, schema string, v any) error {
	return t.out.file(name, schema, func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	})
}

// floors is how many standard errors of the picture make the noise floor that
// people are shown.
const floors = 2

// tell writes the heatmaps of a release.
func (j *HeatmapJob) tell(ctx context.Context, out *staging, t *till, r *heatmap.Release) (*Release, error) {
	tell, err := newTeller(ctx, &j.Job, j.Spec, out, t, r.Release)
	if err != nil {
		return nil, err
	}
	m := tell.manifest
	m.Warnings = texts(r.Warnings)
	m.Basic.Name = "Where people looked"
	m.Basic.Description = manifest.Text(fmt.Sprintf("Heatmap of %d enrolled people (%s).", j.enrolled(), r.Plan.Mechanism))
	m.PostProcessing = manifest.List[string]{"the rest of the blur", "picture: " + r.Method, "cropping of the margin", "colours"}
	m.Preprocessing = manifest.List[manifest.Step]{{Step: j.Looks.inWords(), Paid: manifest.NotApplicable}}
	tell.page.Title = "Where people looked"
	tell.page.Intro = fmt.Sprintf("A heatmap of %d people, drawn under differential privacy. Nobody's own map can be read from it beyond what the guarantee below allows.", j.enrolled())
	if !m.Private {
		tell.page.Intro = fmt.Sprintf("A heatmap of %d people WITHOUT a privacy guarantee. Do not publish it.", j.enrolled())
	}
	tell.page.NoiseFloor = fmt.Sprintf("the noise floor, two standard errors of the picture, is %.3g %s: cells below it are hatched and cannot be told from noise", floors*r.NoiseFloor, j.unitName(r))
	if err := j.tellMaps(tell, r); err != nil {
		return nil, err
	}
	return tell.finish(r.Release)
}

func (j *HeatmapJob) enrolled() int { return max(len(j.units), j.Enrolled) }

// tellMaps writes each stimulus' picture and numbers, and what was drawn.
func (j *HeatmapJob) tellMaps(tell *teller, r *heatmap.Release) error {
	c := r.Shape.Canvas
	steps := max(c.Steps, 1)
	for i := range j.Stimuli {
		maps := r.Maps[i*steps : (i+1)*steps]
		g := report.Grid{Cols: c.Cols(), Rows: c.Rows(), Cell: c.Cell, Frames: maps, Unit: j.unitName(r)}
		if err := j.tellPicture(tell, r, i, maps); err != nil {
			return err
		}
		if err := tell.numbers(j.place(i)+"heatmap", g); err != nil {
			return err
		}
		if err := tell.out.file(j.place(i)+"release.npy", "what was drawn, before post-processing: padded frames, "+j.unitName(r), j.raw(r, i).WriteNPY); err != nil {
			return err
		}
	}
	return tell.json("release.json", "public numbers that turn release.npy into a heatmap", struct {
		heatmap.Shape
		Method  string
		Stimuli []string
	}{r.Shape, r.Method, j.stimulusNames()})
}

// stimulusNames are the stimuli as they are published, without folders.
func (j *HeatmapJob) stimulusNames() []string {
	var names []string
	for _, s := range j.Stimuli {
		names = append(names, baseName(s))
	}
	return names
}

// numbers writes a grid in the three formats people ask for.
func (t *teller) numbers(base string, g report.Grid) error {
	if err := t.out.file(base+".csv", g.Schema(), g.WriteCSV); err != nil {
		return err
	}
	if err := t.out.file(base+".npy", "float64 array of rows × cols (frames first where there are several)", g.WriteNPY); err != nil {
		return err
	}
	return t.out.file(base+".parquet", g.Schema(), g.WriteParquet)
}

// raw is what was drawn of one stimulus.
func (j *HeatmapJob) raw(r *heatmap.Release, i int) report.Grid {
	s := r.Shape
	g := report.Grid{Cols: s.Canvas.Cols() + 2*s.Margin, Rows: s.Canvas.Rows() + 2*s.Margin, Cell: s.Canvas.Cell}
	steps := max(s.Canvas.Steps, 1) + 2*s.Lead
	size := g.Cols * g.Rows
	g.Frames = slices.Collect(slices.Chunk(r.Raw[i*steps*size:(i+1)*steps*size], size))
	return g
}

func (j *HeatmapJob) tellPicture(tell *teller, r *heatmap.Release, i int, maps [][]float64) error {
	c := r.Shape.Canvas
	_, void := r.Guarantee.Void()
	h := report.Heatmap{
		Title: j.title(i), Cols: c.Cols(), Rows: c.Rows(), Cell: c.Cell, Width: c.Width, Height: c.Height,
		Unit: j.unitName(r), NoiseFloor: floors * r.NoiseFloor, Guarantee: j.strip(r), Void: void,
		Stimulus: j.Data.Stimulus(j.Stimuli[i]),
	}
	if len(maps) == 1 {
		h.Values = maps[0]
		return tell.picture(j.place(i)+"heatmap.png", h.Title, "", h.AltText(), h.WritePNG)
	}
	f := report.Film{Heatmap: h}
	for k, v := range maps {
		f.Frames = append(f.Frames, report.Frame{Label: fmt.Sprintf("%v – %v", time.Duration(k)*j.step, time.Duration(k+1)*j.step), Values: v})
	}
	return tell.picture(j.place(i)+"heatmap.png", h.Title, "One picture per time step, on one scale.", f.AltText(), f.WritePNG)
}

func (j *HeatmapJob) title(i int) string {
	if j.Stimuli[i] == "" {
		return "Where people looked"
	}
	return "Where people looked: " + baseName(j.Stimuli[i])
}

// strip is the line that is burned into the picture.
func (j *HeatmapJob) strip(r *heatmap.Release) string {
	p := r.Plan.Parameters
	s := fmt.Sprintf("%v · n = %s · cell %s · blur %s · %s", r.Guarantee, p["subjects"], p["cell"], p["blur"], j.Spec.Short())
	if p["places"] != "" {
		s += " · clip " + p["places"] + " places"
	}
	if p["cap"] != "" {
		s += " · cap " + p["cap"]
	}
	return s
}

func (j *HeatmapJob) unitName(r *heatmap.Release) string {
	switch {
	case r.Shape.Mass > 0:
		return "share of dwell per cell"
	case j.Counts:
		return "fixations per cell and person"
	}
	return "s of dwell per cell and person"
}

func texts(errs []error) manifest.List[string] {
	out := manifest.List[string]{}
	for _, e := range errs {
		out = append(out, e.Error())
	}
	return out
}

// tell writes the statistics of a release of areas.
func (j *AOIJob) tell(ctx context.Context, out *staging, t *till, r *heatmap.AOIRelease) (*Release, error) {
	tell, err := newTeller(ctx, &j.Job, j.Spec, out, t, r.Release)
	if err != nil {
		return nil, err
	}
	m := tell.manifest
	m.Basic.Name = "Areas of interest"
	m.Basic.Description = "Statistics of areas of interest, means over the enrolled people."
	m.Preprocessing = manifest.List[manifest.Step]{{Step: j.Looks.inWords(), Paid: manifest.NotApplicable}}
	m.PostProcessing = manifest.List[string]{"values brought into their range, shares onto the simplex"}
	tell.page.Title = "Areas of interest"
	tell.page.Intro = "How long and how often people looked at the areas of interest, drawn under differential privacy."
	if !m.Private {
		tell.page.Intro = "How long and how often people looked at the areas of interest, WITHOUT a privacy guarantee. Do not publish it."
	}
	tell.page.NoiseFloor = "every value has the standard deviation of its noise beside it"
	all := report.Table{Title: "Areas of interest", Columns: []string{"statistic", "area", "to", "value", "noise_sd", "raw"}}
	for _, name := range statistics(r) {
		if err := j.tellStatistic(tell, r, name, &all); err != nil {
			return nil, err
		}
	}
	if err := out.file("aoi.csv", "statistic, area, target area of a transition, value, standard deviation of the noise, value before post-processing", all.WriteCSV); err != nil {
		return nil, err
	}
	if err := tell.json("aoi.json", "the same, statistic by statistic", r.Statistics); err != nil {
		return nil, err
	}
	return tell.finish(r.Release)
}

func (j *AOIJob) tellStatistic(tell *teller, r *heatmap.AOIRelease, name string, all *report.Table) error {
	s := r.Statistics[name]
	labels := aoiLabels(j.Areas, name, len(s.Values))
	_, void := r.Guarantee.Void()
	b := report.Bars{Title: aoiTitles[name], Unit: aoiUnits[name], Guarantee: fmt.Sprintf("%v · n = %s", r.Guarantee, r.Plan.Parameters["subjects"]), Void: void}
	exact := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	for i, v := range s.Values {
		label := labels[i][0]
		if labels[i][1] != "" {
			label += " → " + labels[i][1]
		}
		b.Bars = append(b.Bars, report.Bar{Label: label, Value: v, Deviation: s.Deviation})
		all.Rows = append(all.Rows, []string{name, labels[i][0], labels[i][1], exact(v), exact(s.Deviation), exact(s.Raw[i])})
	}
	if len(b.Bars) > 40 { // a chart of every pair of many areas cannot be read
		tell.page.Tables = append(tell.page.Tables, b.Table())
		return nil
	}
	return tell.picture("aoi-"+name+".png", b.Title, "", b.AltText(), b.WritePNG)
}

var aoiTitles = map[string]string{
	heatmap.AOIDwell: "Share of dwell time", heatmap.AOIHits: "People who looked at the area",
	heatmap.AOIFirst: "Time to the first fixation", heatmap.AOITransitions: "Transitions between areas",
	heatmap.AOIOrder: "Rank of the first visit",
}

var aoiUnits = map[string]string{
	heatmap.AOIDwell: "share", heatmap.AOIHits: "share of people", heatmap.AOIFirst: "s",
	heatmap.AOITransitions: "share of moves", heatmap.AOIOrder: "rank",
}

// aoiLabels names the values of a statistic: the area, and for transitions the
// area they lead to.
func aoiLabels(areas grid.AOIs, statistic string, n int) [][2]string {
	names := areas.Names()
	if statistic == heatmap.AOIDwell || statistic == heatmap.AOITransitions {
		names = append(slices.Clone(names), "outside")
	}
	out := make([][2]string, n)
	for i := range out {
		if statistic == heatmap.AOITransitions {
			out[i] = [2]string{names[i/len(names)], names[i%len(names)]}
		} else {
			out[i] = [2]string{names[i], ""}
		}
	}
	return out
}
