package experiment

import (
	"errors"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism/synth/population"
	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// Populace is many people, read once: what a synthesis keeps of each, and what
// recordings are scored by.
type Populace struct {
	Gathered *population.Gathered
	Rate     gaze.Hertz    // samples per second, over all recordings; synthetic ones get the same
	Length   time.Duration // of a recording, mean
	people   []*scores     // in the order of Gathered.People
}

// scores are one person's counts, the density as the cells that were looked at.
type scores struct {
	cells                 []int32
	samples               []float32
	durations, amplitudes []float64
}

// Len is the number of people.
func (p *Populace) Len() int { return len(p.people) }

// NewPopulace reads recordings of one flat screen.
func NewPopulace(shape population.Shape, pieces gaze.Seq) (*Populace, error) {
	p := &Populace{}
	t := &tee{all: p, shape: shape, known: map[string]*scores{}}
	var err error
	if p.Gathered, err = population.Gather(shape, t.through(pieces)); err != nil {
		return nil, err
	}
	t.end()
	if t.time > 0 {
		p.Rate, p.Length = gaze.Hertz(math.Round(float64(t.samples)/t.time.Seconds()*1000)/1000), t.time/time.Duration(t.recordings)
	}
	if len(p.people) == 0 || len(p.people) != len(p.Gathered.People) {
		return nil, errors.New("experiment: the data hold no named people with positions")
	}
	return p, nil
}

// Simulated people look at a scene for so many seconds each, sampled at 120 Hz.
func Simulated(scene simulate.Scene, people int, seconds float64, src *noise.Source) (*Populace, error) {
	c := simulate.Cohort{People: people, Seconds: seconds, Rate: 120, Scenes: []simulate.Scene{scene}}
	return NewPopulace(population.Shape{Screen: scene.Screen()}, c.Recordings(src))
}

// tee scores the recordings that pass through it.
type tee struct {
	all    *Populace
	shape  population.Shape
	known  map[string]*scores
	person *scores
	paths  *metric.Paths

	samples, recordings int
	time, last          time.Duration
}

func (t *tee) through(pieces gaze.Seq) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for piece, err := range pieces {
			if err == nil {
				err = t.add(piece)
			}
			if !yield(piece, err) {
				return
			}
		}
	}
}

func (t *tee) add(piece *gaze.Recording) error {
	if !piece.Continues {
		t.end()
		if piece.Participant == "" {
			return nil
		}
		t.recordings++
		t.last = 0
		if t.person = t.known[piece.Participant]; t.person == nil {
			t.person = &scores{}
			t.known[piece.Participant] = t.person
			t.all.people = append(t.all.people, t.person)
		}
		t.paths = pathsOf(t.shape)
	}
	if t.person == nil {
		return nil
	}
	for _, at := range piece.Samples.T {
		if at > t.last {
			t.time, t.last, t.samples = t.time+at-t.last, at, t.samples+1
		}
	}
	return t.paths.Add(piece)
}

// end books the recording at hand.
func (t *tee) end() {
	if t.person == nil {
		return
	}
	t.paths.Flush()
	for i, v := range t.paths.Density {
		if v > 0 {
			t.person.cells, t.person.samples = append(t.person.cells, int32(i)), append(t.person.samples, float32(v))
		}
	}
	t.person.durations, t.person.amplitudes = plus(t.person.durations, t.paths.Durations), plus(t.person.amplitudes, t.paths.Amplitudes)
	t.person = nil
}

func plus(a, b []float64) []float64 {
	if a == nil {
		return b
	}
	for i, v := range b {
		a[i] += v
	}
	return a
}

func pathsOf(s population.Shape) *metric.Paths {
	perDegree := s.PixelsPerDegree
	if perDegree == 0 {
		perDegree, _ = s.Screen.PixelsPerDegree() // Gather refuses what has none
	}
	return &metric.Paths{Width: float64(s.Screen.Width), Height: float64(s.Screen.Height), PixelsPerDegree: perDegree, Clamp: true}
}

func (p *Populace) paths() *metric.Paths { return pathsOf(p.Gathered.Shape) }

// score is that of the chosen people together.
func (p *Populace) score(chosen []int) *metric.Paths {
	all := p.paths()
	all.Density = make([]float64, metric.PathCells*metric.PathCells)
	for _, i := range chosen {
		s := p.people[i]
		for j, cell := range s.cells {
			all.Density[cell] += float64(s.samples[j])
		}
		all.Durations, all.Amplitudes = plusTo(all.Durations, s.durations), plusTo(all.Amplitudes, s.amplitudes)
	}
	return all
}

// plusTo is plus that leaves b alone.
func plusTo(a, b []float64) []float64 { return plus(a, append([]float64(nil), b...)) }
