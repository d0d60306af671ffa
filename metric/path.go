package metric

import (
	"errors"
	"math"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
)

// The bins by which gaze paths are compared: the density on a grid of 60 × 60
// cells over the screen (Ren et al. 2024), durations of fixations in 20
// logarithmic bins, amplitudes of saccades in 25.
const (
	PathCells     = 60
	durationBins  = 20
	shortest      = 0.2 // s
	longest       = 3.0
	amplitudeBins = 25
	smallest      = 0.5 // deg
	largest       = 40.0
)

// Paths gathers what gaze paths are compared by. Fixations and saccades are
// those of I-VT between neighbouring samples at 30 deg/s; fixations last 200 ms
// or more; amplitudes are from the start to the end of every run above the
// threshold.
type Paths struct {
	Width, Height   float64 // px, of the screen; positions are from its top left corner
	PixelsPerDegree float64
	// Clamp counts samples off the screen at its nearest edge; else they are left
	// out of the density, as Ren et al. do.
	Clamp bool

	Density    []float64 // samples per cell, row by row
	Durations  []float64 // fixations per bin
	Amplitudes []float64 // saccades per bin
	Samples    int       // with a position
	Off        int       // of them off the screen
	Fixations  int
	Saccades   int // all of them, also those outside the bins

	events *detect.Stream
	eye    gaze.Eye
}

// Add gathers a piece of a recording; pieces of one recording follow each other.
func (p *Paths) Add(piece *gaze.Recording) error {
	if p.events == nil {
		if err := p.begin(); err != nil {
			return err
		}
	}
	if !piece.Continues {
		_, p.eye, _ = piece.Best()
	}
	track := &piece.Samples.Tracks[p.eye]
	if n := piece.Samples.Len(); track.Present() && (len(track.X) != n || len(track.Y) != n) {
		return errors.New("metric: columns of a recording have different lengths")
	}
	for i := range track.X {
		p.sample(track.X[i], track.Y[i])
	}
	return p.events.Add(piece)
}

func (p *Paths) begin() (err error) {
	if !(p.Width > 0 && p.Height > 0 && p.PixelsPerDegree > 0) || math.IsInf(p.Width+p.Height+p.PixelsPerDegree, 0) {
		return errors.New("metric: paths need the size of the screen in px and the px of a degree")
	}
	p.Density, p.Durations, p.Amplitudes = make([]float64, PathCells*PathCells), make([]float64, durationBins), make([]float64, amplitudeBins)
	d := detect.IVT{Threshold: 30, MinDuration: 200 * time.Millisecond, Window: 1, PixelsPerDegree: p.PixelsPerDegree}
	p.events, err = d.Stream(detect.Sink{Fixation: p.fixation, Saccade: p.saccade})
	return err
}

func (p *Paths) sample(x, y float64) {
	if gaze.Lost(x, y) {
		return
	}
	p.Samples++
	c, r := math.Floor(x/p.Width*PathCells), math.Floor(y/p.Height*PathCells)
	if !(c >= 0 && r >= 0 && c < PathCells && r < PathCells) {
		p.Off++
		if !p.Clamp {
			return
		}
		c, r = min(max(c, 0), PathCells-1), min(max(r, 0), PathCells-1)
	}
	p.Density[int(r)*PathCells+int(c)]++
}

func (p *Paths) fixation(f gaze.Fixation) {
	p.Fixations++
	count(p.Durations, f.Duration.Seconds(), shortest, longest)
}

func (p *Paths) saccade(s gaze.Saccade) {
	p.Saccades++
	count(p.Amplitudes, s.Amplitude, smallest, largest)
}

// count adds one to the logarithmic bin that v lies in, if any.
func count(bins []float64, v, low, high float64) {
	if b := math.Log(v/low) / math.Log(high/low) * float64(len(bins)); b >= 0 && b < float64(len(bins)) {
		bins[int(b)]++
	}
}

// Flush ends the last recording.
func (p *Paths) Flush() {
	if p.events != nil {
		p.events.Flush()
	}
}

// PathErrors says how far two sets of paths are apart: Jensen–Shannon divergences
// in bits. nil = one of them has nothing to compare.
type PathErrors struct{ Density, Duration, Amplitude *float64 }

// Compare returns how far p is from q.
func (p *Paths) Compare(q *Paths) PathErrors {
	p.Flush()
	q.Flush()
	jsd := func(a, b []float64) *float64 {
		if d, err := JSD(a, b); err == nil {
			return &d
		}
		return nil
	}
	return PathErrors{jsd(p.Density, q.Density), jsd(p.Durations, q.Durations), jsd(p.Amplitudes, q.Amplitudes)}
}

// PathRMSE compares the positions of two recordings sample by sample, leaving
// out those that are lost in one of them. sum is equation 15 of Ren et al. 2024
// as printed, the root of the sum of squared distances; mean is the root of
// their mean. It fails where no two samples can be compared.
func PathRMSE(a, b *gaze.Recording) (sum, mean float64, err error) {
	s, _, ok := a.Best()
	t, _, also := b.Best()
	if !ok || !also || len(s.X) != len(t.X) || len(s.Y) != len(t.Y) || len(s.X) != len(s.Y) {
		return 0, 0, errors.New("metric: recordings of different lengths have no sample by sample error")
	}
	squares, n := 0.0, 0
	for i := range s.X {
		if gaze.Lost(s.X[i], s.Y[i]) || gaze.Lost(t.X[i], t.Y[i]) {
			continue
		}
		dx, dy := s.X[i]-t.X[i], s.Y[i]-t.Y[i]
		squares, n = squares+dx*dx+dy*dy, n+1
	}
	if n == 0 {
		return 0, 0, ErrEmpty
	}
	if _, err := finite(squares); err != nil {
		return 0, 0, err
	}
	return math.Sqrt(squares), math.Sqrt(squares / float64(n)), nil
}
