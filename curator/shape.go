package curator

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

// Looks says what of a recording counts as looking somewhere.
type Looks uint8

// Looks. Stated fixations are those the file carries.
const (
	AutoLooks   Looks = iota // stated fixations where the first recording has some, else samples
	FromSamples              // every sample stands for the time until the next
	FromStated               // fixations stated by the file
	Detected                 // I-VT at 30 deg/s; needs geometry
)

// ParseLooks reads a Looks as it is typed.
func ParseLooks(s string) (Looks, error) {
	i := slices.Index([]string{"auto", "samples", "stated", "detect"}, s)
	if i < 0 {
		return 0, fmt.Errorf("curator: want auto, samples, stated or detect, got %q", s)
	}
	return Looks(i), nil
}

// inWords says it to those who read the release.
func (l Looks) inWords() string {
	return [...]string{"", "every sample counts until the next", "fixations as stated by the files", "fixations by I-VT at 30 deg/s"}[l]
}

// Peek is what is known of a data set from its first wanted recording: public
// facts about the format, none about the person.
type Peek struct {
	Screen    gaze.Screen
	Stated    bool // it carries fixations
	Samples   bool // it carries positions
	Spheric   bool // yaw and pitch
	EyeInHead bool // of the eye alone
}

// Peek reads the first wanted recording.
func (d *Data) Peek(ctx context.Context, want func(*gaze.Header) bool) (Peek, error) {
	var p Peek
	found := false
	d = d.aside()
	for r, err := range d.Recordings(ctx, want) {
		if err != nil {
			return p, err
		}
		if found && !r.Continues {
			break
		}
		found = true
		p.Screen = r.Screen
		p.Stated = p.Stated || len(r.Fixations) > 0
		_, _, ok := r.Best()
		p.Samples = p.Samples || ok
		p.EyeInHead = p.EyeInHead || r.Frame == gaze.EyeInHead && !r.Screen.HasGeometry()
		p.Spheric = p.Spheric || r.Frame != gaze.OnScreen && (r.Unit == gaze.Degrees || r.Unit == gaze.Radians)
	}
	if !found {
		return p, fmt.Errorf("curator: the data hold no recording of what was asked for%s", d.oddities())
	}
	if !p.Stated && !p.Samples {
		return p, errors.New("curator: the recordings hold neither positions nor fixations, so there is nothing to map")
	}
	return p, nil
}

// oddities are what was odd so far, to follow a sentence.
func (d *Data) oddities() string {
	var text string
	for _, q := range d.Report.Quirks() {
		text += "; " + q.String()
	}
	return text
}

// resolve turns AutoLooks into what the data have.
func (l Looks) resolve(p Peek) (Looks, error) {
	switch {
	case l == AutoLooks && p.Stated:
		return FromStated, nil
	case l == AutoLooks:
		return FromSamples, nil
	case l == FromStated && !p.Stated:
		return l, errors.New("curator: the recordings state no fixations: use --looks samples or --looks detect")
	case l != FromStated && !p.Samples:
		return l, errors.New("curator: the recordings have no samples, only fixations: use --looks stated")
	case l == Detected && !p.Spheric && !p.Screen.HasGeometry():
		return l, gaze.ErrNoGeometry
	}
	return l, nil
}

// shaper turns recordings into one sparse vector per unit of privacy. Its
// memory grows with the cells that were looked at, not with the samples.
type shaper struct {
	canvas    heatmap.Canvas
	step      time.Duration // of a film; 0 = one picture
	stimuli   []string      // in the order of the stack
	recording bool          // unit of privacy: the recording
	looks     Looks
	counts    bool // fixation counts instead of dwell

	progress func(done int) // may be nil
	units    map[string]map[int]float64
	closed   int // recordings read
	skipped  int // recordings of nobody named
	seen     tally
}

// tally says where the time went that was looked; for the curator alone.
type tally struct {
	inside, outside, lost float64 // s
	dropped               int     // samples and fixations whose time runs backwards
}

func (t *tally) add(a *grid.Accumulator) {
	for _, v := range a.Dwell {
		t.inside += v
	}
	t.outside += a.Outside
	t.lost += a.Lost
	t.dropped += a.Dropped
}

// String is in whole percents.
func (t tally) String() string {
	share := func(v float64) float64 { return 100 * v / (t.inside + t.outside + t.lost) }
	s := fmt.Sprintf("%.0f %% of the time on the stimulus, %.0f %% beside it, %.0f %% lost", share(t.inside), share(t.outside), share(t.lost))
	if t.dropped > 0 {
		s += fmt.Sprintf("; %d samples or fixations run backwards in time and were not counted", t.dropped)
	}
	return s
}

func (s *shaper) index(stimulus string) int {
	if len(s.stimuli) == 1 && s.stimuli[0] == "" {
		return 0
	}
	return slices.Index(s.stimuli, stimulus)
}

// read accumulates all recordings, one at a time.
func (s *shaper) read(pieces gaze.Seq) error {
	if s.looks == Detected {
		pieces = detect.Annotate(detect.Standard(), pieces)
	}
	s.units = map[string]map[int]float64{}
	bins := make([]grid.Accumulator, max(s.canvas.Steps, 1))
	for i := range bins {
		bins[i].Grid = s.canvas.Grid()
	}
	var open gaze.Header
	going := false
	for r, err := range pieces {
		if err != nil {
			return err
		}
		if going && !r.Continues {
			s.close(&open, bins)
		}
		if !r.Continues {
			open, going = r.Header, true
		}
		if err := s.add(r, bins); err != nil {
			return err
		}
	}
	if going {
		s.close(&open, bins)
	}
	return nil
}

// add gives a piece to the bins of its times.
func (s *shaper) add(r *gaze.Recording, bins []grid.Accumulator) error {
	if s.step == 0 {
		if s.looks == FromSamples {
			return bins[0].AddSamples(r)
		}
		return bins[0].AddFixations(r, r.Fixations)
	}
	for i := range bins {
		from, to := time.Duration(i)*s.step, time.Duration(i+1)*s.step
		var err error
		if s.looks == FromSamples {
			part := samplesBetween(r, from, to)
			err = bins[i].AddSamples(&part)
		} else {
			err = bins[i].AddFixations(r, fixationsBetween(r.Fixations, from, to))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// samplesBetween is the piece restricted to a span of time; times are sorted
// but for repetitions.
func samplesBetween(r *gaze.Recording, from, to time.Duration) gaze.Recording {
	i, _ := slices.BinarySearch(r.Samples.T, from)
	j, _ := slices.BinarySearch(r.Samples.T, to)
	part := *r
	part.Samples = gaze.Samples{T: r.Samples.T[i:max(i, j)]}
	for e, t := range r.Samples.Tracks {
		if t.Present() {
			part.Samples.Tracks[e] = gaze.Track{X: t.X[i:max(i, j)], Y: t.Y[i:max(i, j)]}
		}
	}
	return part
}

func fixationsBetween(all []gaze.Fixation, from, to time.Duration) []gaze.Fixation {
	var part []gaze.Fixation
	for _, f := range all {
		start, end := max(f.Start, from), min(f.Start+f.Duration, to)
		if start < end {
			f.Start, f.Duration = start, end-start
			part = append(part, f)
		}
	}
	return part
}

// close adds a finished recording to its unit's vector.
func (s *shaper) close(h *gaze.Header, bins []grid.Accumulator) {
	if s.closed++; s.progress != nil {
		s.progress(s.closed)
	}
	at := s.index(h.Stimulus)
	size := s.canvas.Rows() * s.canvas.Cols()
	key := unitKey(h, s.recording)
	if h.Participant == "" || at < 0 {
		s.skipped++
		for i := range bins {
			bins[i].Reset()
		}
		return
	}
	unit := s.units[key]
	if unit == nil {
		unit = map[int]float64{}
		s.units[key] = unit
	}
	for i := range bins {
		bins[i].Flush()
		s.seen.add(&bins[i])
		values := bins[i].Dwell
		if s.counts {
			values = bins[i].Count
		}
		base := (at*len(bins) + i) * size
		for cell, v := range values {
			if v > 0 {
				unit[base+cell] += v
			}
		}
		bins[i].Reset()
	}
}

// maps yields every unit's vector, in an order that depends on no data: that
// of the enrolled units.
func (s *shaper) maps(units []string) heatmap.Maps {
	return func(yield func([]float64) bool) {
		dense := make([]float64, s.canvas.Len())
		for _, u := range units {
			clear(dense)
			for i, v := range s.units[u] {
				dense[i] = v
			}
			if !yield(dense) {
				return
			}
		}
	}
}

// checkEnrolled refuses units with data that are not enrolled: n would be
// wrong.
func checkEnrolled[T any](found map[string]T, units []string) error {
	n := 0
	for u := range found {
		if !slices.Contains(units, u) {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("curator: %d units appear in the recordings but not in the list of participants: the data changed while they were read", n)
	}
	return nil
}

// inOrder yields the enrolled units' accumulators, nil where there are no data.
func inOrder(units []string, all map[string]*grid.AOIAccumulator) iter.Seq[*grid.AOIAccumulator] {
	return func(yield func(*grid.AOIAccumulator) bool) {
		for _, u := range units {
			if !yield(all[u]) {
				return
			}
		}
	}
}

// Blur resolves a typed length; without one it is 1deg with geometry, else
// 3 % of the width with a warning.
func Blur(text string, s gaze.Screen) (px float64, warning error, err error) {
	if text != "" {
		l, err := gaze.ParseLength(text)
		if err != nil {
			return 0, nil, err
		}
		px, err = l.Pixels(s)
		return px, nil, err
	}
	if perDegree, err := s.PixelsPerDegree(); err == nil {
		return perDegree, nil, nil
	}
	px = math.Max(1, 0.03*float64(s.Width))
	return px, fmt.Errorf("no screen geometry: the blur is 3 %% of the width, %.4g px; give --blur, or --screen-cm and --distance-cm for 1deg", px), nil
}
