package curator

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
)

// GazeJob releases gaze paths: protected recordings of the people (product gaze)
// or synthetic ones of nobody (product synthesis). It serves every mechanism
// that is [mechanism.Paths].
//
// Parameters that a Spec has and that were not typed are read off the data:
// subjects, width and height of the screen in px, surface, and for paths that
// keep their time stamps the rate in Hz. Lengths are resolved to px with the
// screen's geometry; on the sphere they stay in degrees.
type GazeJob struct {
	Job
	Spec     mechanism.Spec
	Values   map[string]string // parameters as typed
	Stimuli  []string          // names; empty or "all" = every recording
	Enrolled int               // n, where more people were enrolled than have data
	// Clock puts all recordings on one clock of so many samples per second, which
	// is public: a tracker's own time stamps tell which recording it is, and no
	// mechanism protects them. 0 = as they are.
	Clock    gaze.Hertz
	Pictures int // scan paths drawn; 0 = [DefaultScanPaths], negative = none

	people    []string
	peek      Peek
	rate      gaze.Hertz
	onto      frame
	mechanism mechanism.Paths
}

// DefaultScanPaths is how many recordings are drawn.
const DefaultScanPaths = 4

// Run walks the job through.
func (j *GazeJob) Run(ctx context.Context) (*Release, error) { return j.walk(ctx, j) }

func (j *GazeJob) about() (mechanism.Spec, []string) { return j.Spec, j.Stimuli }

func (j *GazeJob) promise(ctx context.Context) (mechanism.Mechanism, error) {
	if err := j.prepare(ctx); err != nil {
		return nil, err
	}
	values, err := j.resolve()
	if err == nil {
		j.mechanism, err = j.build(values)
	}
	if err != nil {
		return nil, refusal(err)
	}
	j.nameAccount()
	return j.mechanism, nil
}

// nameAccount keeps spends for windows of different length apart: one of 2 s
// holds several of 500 ms, and its ε is not their sum.
func (j *GazeJob) nameAccount() {
	p := j.mechanism.Plan()
	if p.Guarantee.Unit != dp.Window || p.Parameters["window"] == "" {
		return
	}
	d := *j.Data
	d.Name += ", windows of " + p.Parameters["window"]
	j.Data = &d
}

// Precheck refuses, before any file is opened, what no data can make right.
func (j *GazeJob) Precheck() error {
	values, err := j.rehearsed()
	if err == nil {
		_, err = j.build(values)
	}
	return refusal(err)
}

// rehearsed stands in for what only data can tell.
func (j *GazeJob) rehearsed() (map[string]string, error) {
	values := j.filled(map[string]string{"subjects": "1000", "width": "1000", "height": "1000", "rate": "250", "pixels-per-degree": "45"})
	lengths, angular := []string{}, 0
	for _, f := range j.Spec.Fields {
		v := values[f.Name]
		if f.Kind != mechanism.Length || v == "" {
			continue
		}
		l, err := gaze.ParseLength(v)
		if err != nil {
			return nil, err
		}
		if l.Unit == gaze.LengthDegrees {
			angular++
		}
		lengths = append(lengths, f.Name)
	}
	// Without a word on the surface, degrees alone may be those of a headset.
	if values["surface"] == spherical || j.takes("surface") && values["surface"] == "" && angular > 0 && angular == len(lengths) {
		values["surface"] = spherical
		for _, name := range []string{"width", "height"} {
			if j.Values[name] == "" {
				delete(values, name) // a sphere has none
			}
		}
		return values, nil
	}
	for _, name := range lengths {
		if !strings.HasSuffix(values[name], "px") {
			values[name] = "50px" // its size depends on the screen
		}
	}
	return values, nil
}

// spherical is the surface of those mechanisms that know one.
const spherical = "sphere"

func (j *GazeJob) takes(name string) bool { _, ok := j.Spec.Field(name); return ok }

// filled are the typed parameters, and those of the others that the Spec has.
func (j *GazeJob) filled(others map[string]string) map[string]string {
	values := map[string]string{}
	for name, v := range others {
		if j.takes(name) && v != "" {
			values[name] = v
		}
	}
	for name, v := range j.Values {
		values[name] = v
	}
	return values
}

func (j *GazeJob) build(values map[string]string) (mechanism.Paths, error) {
	m, err := j.Spec.Build(values)
	if err != nil {
		return nil, err
	}
	p, ok := m.(mechanism.Paths)
	if !ok {
		return nil, fmt.Errorf("curator: %s makes no gaze paths", j.Spec.Name)
	}
	return p, nil
}

func (j *GazeJob) want(h *gaze.Header) bool {
	return len(j.Stimuli) == 0 || slices.Contains(j.Stimuli, h.Stimulus)
}

// prepare finds out what is public of the data.
func (j *GazeJob) prepare(ctx context.Context) (err error) {
	if err := j.chooseStimuli(); err != nil {
		return err
	}
	if j.peek, err = j.Data.Peek(ctx, j.want); err != nil {
		return err
	}
	if !j.peek.Samples {
		return refusal(errors.New("curator: the recordings have no samples, only fixations: there are no gaze paths to protect"))
	}
	if j.people, err = j.Data.Units(ctx, false); err != nil {
		return err
	}
	if j.Enrolled != 0 && j.Enrolled < len(j.people) {
		return refusal(fmt.Errorf("curator: %d enrolled, but the data hold %d: n cannot be smaller than that", j.Enrolled, len(j.people)))
	}
	if !j.nobody() { // their time stamps are released; those behind a synthesis are protected
		j.rate, err = j.Data.rate(ctx, j.want)
	}
	return err
}

// nobody says that recordings are of no participant.
func (j *GazeJob) nobody() bool { return j.Spec.Product() == "synthesis" }

func (j *GazeJob) chooseStimuli() error {
	known, err := j.Data.Folder.Stimuli()
	if err != nil {
		return err
	}
	if len(j.Stimuli) == 0 || slices.Equal(j.Stimuli, []string{"all"}) {
		j.Stimuli = nil
		return nil
	}
	for i, name := range j.Stimuli {
		if j.Stimuli[i], err = findStimulus(known, name); err != nil {
			return err
		}
	}
	return nil
}

// rate is the first wanted recording's: as stated, else from its first time
// stamps. 0 = unknown.
func (d *Data) rate(ctx context.Context, want func(*gaze.Header) bool) (gaze.Hertz, error) {
	for r, err := range d.aside().Recordings(ctx, want) {
		if err != nil {
			return 0, err
		}
		if r.Rate > 0 {
			return r.Rate, nil
		}
		if n := r.Samples.Len(); n > 1 && r.Samples.T[n-1] > r.Samples.T[0] {
			return gaze.Hertz(float64(n-1) / (r.Samples.T[n-1] - r.Samples.T[0]).Seconds()), nil
		}
		return 0, nil
	}
	return 0, nil
}

// resolve fills in what the data and the screen make public.
func (j *GazeJob) resolve() (map[string]string, error) {
	screen := j.peek.Screen
	known := map[string]string{"subjects": strconv.Itoa(max(len(j.people), j.Enrolled))}
	if j.rate > 0 {
		known["rate"] = strconv.FormatFloat(float64(j.rate), 'g', 6, 64)
	}
	switch {
	case j.spheric():
		j.onto = frame{unit: gaze.Degrees, sphere: true}
		known["surface"] = spherical
	case screen.Known():
		j.onto = frame{unit: gaze.Pixels, screen: screen}
		known["width"], known["height"] = strconv.Itoa(screen.Width), strconv.Itoa(screen.Height)
		if perDegree, err := screen.PixelsPerDegree(); err == nil {
			known["pixels-per-degree"] = strconv.FormatFloat(perDegree, 'g', 6, 64)
		}
	default:
		return nil, errors.New("curator: the recordings do not say how large the screen is: give --screen-px WIDTHxHEIGHT")
	}
	values := j.filled(known)
	for _, f := range j.Spec.Fields {
		if f.Kind != mechanism.Length || values[f.Name] == "" {
			continue
		}
		var err error
		if values[f.Name], err = j.onto.length(values[f.Name]); err != nil {
			return nil, fmt.Errorf("%s %s: %w", f.Name, values[f.Name], err)
		}
	}
	return values, nil
}

// spheric says that the data are directions and that the mechanism takes them as
// such; a panorama of known size is a screen for those that do not.
func (j *GazeJob) spheric() bool {
	return j.peek.Spheric && j.takes("surface") && (j.Values["surface"] == spherical || j.Values["surface"] == "")
}

// shape reads all recordings once, before anything is charged: what cannot be
// brought onto the surface is refused here.
func (j *GazeJob) shape(ctx context.Context) error {
	nameless, done := 0, 0
	for r, err := range j.Data.Recordings(ctx, j.want) {
		if err != nil {
			return err
		}
		if r.Continues {
			continue
		}
		if r.Participant == "" {
			nameless++
		}
		if err := j.onto.takes(&r.Header); err != nil {
			return err
		}
		if done++; j.Progress != nil {
			j.Progress(done)
		}
	}
	j.tellOddities(nameless)
	j.tellWindow()
	return nil
}

// tellWindow warns of a window that holds no two samples: every sample then has
// the whole ε, and hardly more is protected than one position.
func (j *GazeJob) tellWindow() {
	window, err := time.ParseDuration(j.mechanism.Plan().Parameters["window"])
	rate := j.rate
	if j.Clock > 0 {
		rate = j.Clock
	}
	if err == nil && rate > 0 && window.Seconds() < 1/float64(rate) {
		j.Tell("warning: a window of %v is shorter than the %.3g ms between samples: each sample is protected by itself, with all of ε", window, 1e3/float64(rate))
	}
}

// pieces streams the named recordings on the surface, with time stamps and
// positions alone.
func (j *GazeJob) pieces(ctx context.Context) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		var out gaze.Recording
		skip, n := false, 0
		for r, err := range j.Data.aside().Recordings(ctx, j.want) {
			if err == nil && !r.Continues {
				skip, n = r.Participant == "", 0
			}
			if err == nil && skip {
				continue
			}
			if err == nil {
				err = j.onto.put(&out, r)
				n = j.tick(&out, n)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&out, nil) {
				return
			}
		}
	}
}

// tick gives the samples of a piece, the first of which is the n-th of its
// recording, their times on the common clock.
func (j *GazeJob) tick(r *gaze.Recording, n int) int {
	if j.Clock > 0 {
		for i := range r.Samples.T {
			r.Samples.T[i] = time.Duration(float64(n+i) / float64(j.Clock) * 1e9)
		}
	}
	return n + r.Samples.Len()
}

func (j *GazeJob) what() string {
	text := j.Spec.Name
	for i, s := range j.Stimuli {
		text += [...]string{", stimuli ", ", "}[min(i, 1)] + baseName(s)
	}
	return j.noted(text)
}

func (j *GazeJob) release(ctx context.Context, out *staging, t *till) (*Release, error) {
	r, err := j.mechanism.Protect(j.pieces(ctx), j.Source)
	if err != nil {
		return nil, err
	}
	return j.tell(ctx, out, t, r)
}
