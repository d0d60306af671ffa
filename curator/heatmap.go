package curator

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

// HeatmapJob releases a heatmap of one stimulus, or of several under one joint
// clip and one charge.
type HeatmapJob struct {
	Job
	Spec     mechanism.Spec
	Values   map[string]string // parameters as typed; lengths in px, deg or %
	Stimuli  []string          // names; "all" = every stimulus; empty = whatever was looked at
	Looks    Looks
	Counts   bool // fixation counts instead of dwell
	Enrolled int  // n, where more people were enrolled than have data; 0 = those with data
	// CapRange are the caps that "auto" and "paid" choose from.
	CapRange heatmap.Caps

	units     []string
	peek      Peek
	step      time.Duration
	warn      []error
	mechanism heatmap.Mechanism
	shaped    *shaper
}

// Caps that are chosen instead of given.
const (
	CapAuto = "auto" // Algorithm 1 of Liu et al. 2019 on the private data: void
	CapPaid = "paid" // exponential mechanism, for a tenth of ε
)

// capShare is the part of ε that a paid cap costs.
const capShare = 0.1

// Release is what a job hands back to the command line.
type Release struct {
	Plan     mechanism.Plan
	Outputs  []string
	Warnings []error
	ID       string // the ledger's entry; empty when nothing was charged
	Dir      string
}

// Run walks the job through.
func (j *HeatmapJob) Run(ctx context.Context) (*Release, error) { return j.walk(ctx, j) }

func (j *HeatmapJob) about() (mechanism.Spec, []string) { return j.Spec, j.Stimuli }

func (j *HeatmapJob) promise(ctx context.Context) (m mechanism.Mechanism, err error) {
	j.mechanism, err = j.prepare(ctx)
	return j.mechanism, err
}

func (j *HeatmapJob) shape(ctx context.Context) (err error) {
	j.shaped, err = j.read(ctx, j.mechanism)
	return err
}

func (j *HeatmapJob) release(ctx context.Context, out *staging, t *till) (*Release, error) {
	r, err := j.draw(j.mechanism, j.shaped)
	if err != nil {
		return nil, err
	}
	if err := r.EstimateError(); err != nil {
		return nil, err
	}
	r.Warnings = append(j.warn, r.Warnings...)
	return j.tell(ctx, out, t, r)
}

// Precheck refuses, before any file is opened, what no data can make right.
func (j *HeatmapJob) Precheck() error {
	values := map[string]string{}
	for k, v := range j.Values {
		values[k] = v
	}
	for name, v := range map[string]string{"subjects": "1000", "width": "100", "height": "100"} {
		if _, takes := j.Spec.Field(name); takes && values[name] == "" {
			values[name] = v
		}
	}
	if c := values["cap"]; c == CapAuto || c == CapPaid {
		values["cap"] = "1"
	}
	for _, f := range j.Spec.Fields {
		if v := values[f.Name]; f.Kind == mechanism.Length && v != "" {
			if _, err := gaze.ParseLength(v); err != nil {
				return &RefusedError{err}
			}
			delete(values, f.Name) // its size in pixels depends on the screen
		}
	}
	if _, err := j.Spec.Build(values); err != nil {
		return &RefusedError{err}
	}
	return nil
}

// RefusedError is a parameter that was refused before any data were read.
type RefusedError struct{ Err error }

// Error is the reason.
func (e *RefusedError) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *RefusedError) Unwrap() error { return e.Err }

// prepare finds out what is public of the data and builds the mechanism.
func (j *HeatmapJob) prepare(ctx context.Context) (heatmap.Mechanism, error) {
	if err := j.chooseStimuli(); err != nil {
		return nil, err
	}
	var err error
	if j.peek, err = j.Data.Peek(ctx, j.want()); err != nil {
		return nil, err
	}
	if j.Looks, err = j.Looks.resolve(j.peek); err != nil {
		return nil, err
	}
	recording := j.Values["unit"] == dp.Recording.String()
	if j.units, err = j.Data.Units(ctx, recording); err != nil {
		return nil, err
	}
	n := len(j.units)
	if j.Enrolled != 0 && j.Enrolled < n {
		return nil, &RefusedError{fmt.Errorf("curator: %d enrolled, but the data hold %d: n cannot be smaller than that", j.Enrolled, n)}
	}
	values, err := j.resolve(max(n, j.Enrolled))
	if err != nil {
		return nil, &RefusedError{err}
	}
	return j.build(values)
}

func (j *HeatmapJob) want() func(*gaze.Header) bool {
	if len(j.Stimuli) == 1 && j.Stimuli[0] == "" {
		return nil
	}
	return func(h *gaze.Header) bool { return slices.Contains(j.Stimuli, h.Stimulus) }
}

// chooseStimuli turns what was typed into names as the data have them.
func (j *HeatmapJob) chooseStimuli() error {
	known, err := j.Data.Folder.Stimuli()
	if err != nil {
		return err
	}
	if len(j.Stimuli) == 0 {
		if len(known) > 1 {
			return &RefusedError{fmt.Errorf("curator: the data hold %d stimuli: name one with --stimulus, several, or all", len(known))}
		}
		j.Stimuli = append(known, "")[:1]
		return nil
	}
	if slices.Equal(j.Stimuli, []string{"all"}) {
		if len(known) == 0 {
			known = []string{""}
		}
		j.Stimuli = known
		return nil
	}
	var chosen []string
	for _, name := range j.Stimuli {
		k, err := findStimulus(known, name)
		if err != nil {
			return err
		}
		if slices.Contains(chosen, k) {
			return &RefusedError{fmt.Errorf("curator: stimulus %q is named twice", name)}
		}
		chosen = append(chosen, k)
	}
	j.Stimuli = chosen
	return nil
}

// findStimulus looks a typed name up: as the data have it, else without
// folder, else without ending. What fits several is refused.
func findStimulus(known []string, typed string) (string, error) {
	for _, fits := range []func(k string) bool{
		func(k string) bool { return k == typed },
		func(k string) bool { return baseName(k) == baseName(typed) },
		func(k string) bool { return bareName(k) == typed },
		func(k string) bool { return baseName(k) == bareName(typed) },
	} {
		found := slices.DeleteFunc(slices.Clone(known), func(k string) bool { return !fits(k) })
		switch len(found) {
		case 0:
			continue
		case 1:
			return found[0], nil
		}
		return "", &RefusedError{fmt.Errorf("curator: %q fits several stimuli, name one of %s", typed, some(found))}
	}
	return "", fmt.Errorf("curator: the data hold no stimulus %q; they hold %s", typed, some(known))
}

// baseName is a stimulus' name without the folders of the machine that showed
// it, whatever its system; bareName is without the ending too.
func baseName(stimulus string) string { return stimulus[strings.LastIndexAny(stimulus, `/\`)+1:] }

func bareName(stimulus string) string {
	base := baseName(stimulus)
	return strings.TrimSuffix(base, path.Ext(base))
}

// some lists a few names.
func some(names []string) string {
	if len(names) == 0 {
		return "none by name"
	}
	if len(names) > 5 {
		return fmt.Sprintf("%s, … (%d in all)", strings.Join(names[:5], ", "), len(names))
	}
	return strings.Join(names, ", ")
}

// resolve fills in what the data and the screen make public.
func (j *HeatmapJob) resolve(n int) (map[string]string, error) {
	screen := j.peek.Screen
	if j.peek.EyeInHead {
		return nil, errors.New("curator: the positions are angles of the eye in the head; a heatmap needs gaze on a screen or directions in the world")
	}
	if !screen.Known() {
		return nil, errors.New("curator: the recordings do not say how large the screen is: give --screen-px WIDTHxHEIGHT")
	}
	values := map[string]string{
		"subjects": strconv.Itoa(n), "width": strconv.Itoa(screen.Width), "height": strconv.Itoa(screen.Height),
		"stimuli": strconv.Itoa(len(j.Stimuli)),
	}
	for name, v := range j.Values {
		values[name] = v
	}
	blur, warning, err := Blur(values["blur"], screen)
	if err != nil {
		return nil, err
	}
	if warning != nil {
		j.warn = append(j.warn, warning)
	}
	values["blur"] = strconv.FormatFloat(blur, 'g', -1, 64) + "px"
	for _, name := range []string{"cell", "query"} {
		if values[name] == "" {
			continue
		}
		l, err := gaze.ParseLength(values[name])
		if err != nil {
			return nil, err
		}
		px, err := l.Pixels(screen)
		if err != nil {
			return nil, fmt.Errorf("--%s %s: %w", name, values[name], err)
		}
		values[name] = strconv.FormatFloat(px, 'g', -1, 64) + "px"
	}
	if values["step"] != "" {
		if j.step, err = time.ParseDuration(values["step"]); err != nil {
			return nil, err
		}
	}
	return values, nil
}

// build makes the mechanism; a cap to be chosen stands as the largest of its
// range until the data are read.
func (j *HeatmapJob) build(values map[string]string) (heatmap.Mechanism, error) {
	choose := values["cap"]
	if choose == CapAuto || choose == CapPaid {
		values["cap"] = strconv.FormatFloat(j.CapRange.Step*float64(j.CapRange.Count), 'g', -1, 64)
	}
	m, err := j.Spec.Build(values)
	if err != nil {
		return nil, &RefusedError{err}
	}
	h, ok := m.(heatmap.Mechanism)
	if !ok {
		return nil, &RefusedError{fmt.Errorf("curator: %s makes no heatmap", j.Spec.Name)}
	}
	if a, ok := h.(heatmap.Additive); ok {
		return CapChosen(a, choose), nil
	}
	return h, nil
}

// CapChosen is the mechanism with what it costs that its cap is chosen from the
// data, how = [CapAuto] or [CapPaid]; of another word it is the mechanism itself.
func CapChosen(a heatmap.Additive, how string) heatmap.Additive {
	switch how {
	case CapAuto:
		a.CapFromData = true
	case CapPaid:
		a.Paid = dp.Guarantee{Measure: dp.Pure, Epsilon: a.Epsilon * capShare}
		a.Epsilon -= a.Paid.Epsilon
	}
	return a
}

// read shapes the recordings into one sparse vector per unit.
func (j *HeatmapJob) read(ctx context.Context, m heatmap.Mechanism) (*shaper, error) {
	s := &shaper{
		canvas: canvasOf(m), step: j.step, stimuli: j.Stimuli, looks: j.Looks, counts: j.Counts,
		recording: m.Guarantee().Unit == dp.Recording, progress: j.Progress,
	}
	if err := s.read(j.Data.Recordings(ctx, j.want())); err != nil {
		return nil, err
	}
	j.tellOddities(s.skipped)
	if s.seen.inside == 0 {
		return nil, errors.New("curator: no look falls on the stimulus, so there is nothing to map; is the unit of the positions right, and the size of the screen?")
	}
	j.Tell("data: %v", s.seen)
	return s, checkEnrolled(s.units, j.units)
}

func canvasOf(m heatmap.Mechanism) heatmap.Canvas {
	switch m := m.(type) {
	case heatmap.HalfBlur:
		return m.Canvas
	case heatmap.Additive:
		return m.Canvas
	case heatmap.Selection:
		return m.Canvas
	}
	return heatmap.Canvas{}
}

// draw chooses the cap where it is to be chosen, and draws the release.
func (j *HeatmapJob) draw(m heatmap.Mechanism, s *shaper) (*heatmap.Release, error) {
	a, ok := m.(heatmap.Additive)
	if !ok || !a.CapFromData && a.Paid.Epsilon == 0 {
		return m.Release(s.maps(j.units), j.Source)
	}
	curve, err := heatmap.CapCurve(s.maps(j.units), a.Canvas, a.Subjects, j.CapRange, a.Plan().Noise.Sigma/a.Cap)
	if err != nil {
		return nil, err
	}
	if a.CapFromData {
		a.Cap = curve.Best()
	} else if a.Cap, _, err = heatmap.PaidCap(curve, a.Paid.Epsilon, j.Source); err != nil {
		return nil, err
	}
	return a.Release(s.maps(j.units), j.Source)
}

func (j *HeatmapJob) what() string {
	text := j.Spec.Name
	if len(j.Stimuli) > 1 {
		text += fmt.Sprintf(", %d stimuli", len(j.Stimuli))
	} else if j.Stimuli[0] != "" {
		text += ", stimulus " + baseName(j.Stimuli[0])
	}
	return j.noted(text)
}

// place is the folder of a stimulus inside the release.
func (j *HeatmapJob) place(i int) string {
	if len(j.Stimuli) == 1 {
		return ""
	}
	clean := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, bareName(j.Stimuli[i]))
	return fmt.Sprintf("%03d-%s/", i+1, clean)
}
