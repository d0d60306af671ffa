package population

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
)

// Person is all that is kept of one subject: counts, no samples.
type Person struct {
	dwell     []dwell   // by cell
	durations []float64 // runs per bin
	steps     []float64 // saccades per amplitude × direction
}

// dwell is the time spent in a cell, s.
type dwell struct {
	cell    int
	seconds float64
}

// Tally is what happened while recordings were read: private, for the curator's
// eyes alone.
type Tally struct {
	Recordings int
	Nameless   int // recordings without a participant: not used
	Samples    int // on and off screen, not lost
	OffScreen  int // of them: moved to the screen's edge
}

// Gathered are the people of a data set. Its memory grows with the cells they
// looked at, not with samples.
type Gathered struct {
	Shape  Shape // with nothing left open
	People []*Person
	Tally  Tally

	known map[string]*Person
}

// errForeign is returned for recordings that do not fit the planned screen.
var errForeign = errors.New("population: a recording is not of the flat screen that the release is planned for: convert it to px of one size")

// Gather reads recordings: all of one participant are one person, whatever
// their order. Samples off screen count at its edge.
func Gather(s Shape, pieces gaze.Seq) (*Gathered, error) {
	s, err := s.withDefaults()
	if err != nil {
		return nil, err
	}
	g := &Gathered{Shape: s, known: map[string]*Person{}}
	r, err := newReading(g)
	if err != nil {
		return nil, err
	}
	for piece, err := range pieces {
		if err != nil {
			return nil, err
		}
		if err := r.add(piece); err != nil {
			return nil, err
		}
	}
	r.end()
	return g, r.err
}

// errShape is returned for people gathered in another shape than is planned for.
var errShape = errors.New("population: people were gathered in another shape than is planned for")

// fits reports whether the person was gathered in a shape.
func (p *Person) fits(s *Shape) bool {
	outside := func(d dwell) bool { return d.cell < 0 || d.cell >= s.cells() }
	return (p.durations == nil || len(p.durations) == s.Durations) && (p.steps == nil || len(p.steps) == s.steps()) && !slices.ContainsFunc(p.dwell, outside)
}

// person is the participant's, new where they have not been seen.
func (g *Gathered) person(participant string) *Person {
	p := g.known[participant]
	if p == nil {
		p = &Person{durations: make([]float64, g.Shape.Durations), steps: make([]float64, g.Shape.steps())}
		g.known[participant] = p
		g.People = append(g.People, p)
	}
	return p
}

// reading is the recording at hand.
type reading struct {
	all    *Gathered
	person *Person // nil = nobody named
	header gaze.Header
	events *detect.Stream
	dwell  grid.Accumulator
	edge   gaze.Recording // the piece at hand, moved onto the screen
	err    error          // of an event
}

func newReading(g *Gathered) (*reading, error) {
	r := &reading{all: g, dwell: grid.Accumulator{Grid: g.Shape.grid()}}
	var err error
	r.events, err = g.Shape.detector().Stream(detect.Sink{Fixation: r.fixation, Saccade: r.saccade})
	return r, err
}

func (r *reading) fixation(f gaze.Fixation) {
	r.person.durations[r.all.Shape.durationBin(f.Duration)]++
}

func (r *reading) saccade(c gaze.Saccade) {
	x0, y0, err := r.pixels(c.X0, c.Y0)
	x1, y1, err2 := r.pixels(c.X1, c.Y1)
	if r.err = errors.Join(r.err, err, err2); r.err == nil {
		r.person.steps[r.all.Shape.stepBin(c.Amplitude, x1-x0, y1-y0)]++
	}
}

func (r *reading) pixels(x, y float64) (float64, float64, error) {
	x, y, err := r.header.Screen.ToTopLeftPixels(x, y, r.header.Unit)
	if err != nil {
		return 0, 0, fmt.Errorf("population: %w", err)
	}
	return x, y, nil
}

func (r *reading) add(piece *gaze.Recording) error {
	if !piece.Continues {
		if err := r.begin(&piece.Header); err != nil {
			return err
		}
	}
	if r.person == nil {
		return nil
	}
	if err := r.events.Add(piece); err != nil {
		return fmt.Errorf("population: %w", err)
	}
	if err := r.moveOntoScreen(piece); err != nil {
		return err
	}
	if err := r.dwell.AddSamples(&r.edge); err != nil {
		return fmt.Errorf("population: %w", err)
	}
	return r.err
}

// begin ends the recording before and finds out whose the next is.
func (r *reading) begin(h *gaze.Header) error {
	r.end()
	r.header, r.person = *h, nil
	r.all.Tally.Recordings++
	if h.Participant == "" {
		r.all.Tally.Nameless++
		return nil
	}
	want := &r.all.Shape.Screen
	s := &r.header.Screen
	if !s.Known() {
		s.Width, s.Height = want.Width, want.Height
	}
	angular := h.Unit == gaze.Degrees || h.Unit == gaze.Radians
	if s.Width != want.Width || s.Height != want.Height || angular && h.Frame != gaze.OnScreen {
		return errForeign
	}
	if _, _, err := r.pixels(0, 0); err != nil {
		return err
	}
	r.person = r.all.person(h.Participant)
	return nil
}

// moveOntoScreen copies the piece's positions, those beside the screen to its
// nearest edge.
func (r *reading) moveOntoScreen(piece *gaze.Recording) error {
	track, _, ok := piece.Best()
	n := piece.Samples.Len()
	e := &r.edge
	e.Header = gaze.Header{Rate: r.header.Rate, Unit: gaze.Pixels, Screen: r.all.Shape.Screen}
	e.Continues, e.Samples.T = piece.Continues, piece.Samples.T
	to := &e.Samples.Tracks[gaze.Cyclopean]
	to.X, to.Y = to.X[:0], to.Y[:0]
	for i := range n {
		x, y := math.NaN(), math.NaN()
		if ok && len(track.X) == n && len(track.Y) == n {
			var err error
			if x, y, err = r.pixels(track.X[i], track.Y[i]); err != nil {
				return err
			}
		}
		x, y = r.nearest(x, y)
		to.X, to.Y = append(to.X, x), append(to.Y, y)
	}
	return nil
}

// farthest is where a position is a defect of the file, in screens.
const farthest = 100

func (r *reading) nearest(x, y float64) (float64, float64) {
	s := &r.all.Shape.Screen
	w, h := float64(s.Width), float64(s.Height)
	if gaze.Lost(x, y) || math.Abs(x) > farthest*w || math.Abs(y) > farthest*h {
		return math.NaN(), math.NaN()
	}
	r.all.Tally.Samples++
	if s.Contains(x, y) {
		return x, y
	}
	r.all.Tally.OffScreen++
	return min(max(x, 0), math.Nextafter(w, 0)), min(max(y, 0), math.Nextafter(h, 0))
}

// end books what is pending of the recording.
func (r *reading) end() {
	if r.person == nil {
		return
	}
	r.events.Flush()
	r.dwell.Flush()
	r.person.look(r.dwell.Dwell)
	r.dwell.Reset()
	r.person = nil
}

// look adds a dense map to the person's, which stays sorted.
func (p *Person) look(dense []float64) {
	var sum []dwell
	old := p.dwell
	for cell, s := range dense {
		if len(old) > 0 && old[0].cell == cell {
			s += old[0].seconds
			old = old[1:]
		}
		if s > 0 {
			sum = append(sum, dwell{cell, s})
		}
	}
	p.dwell = sum
}
