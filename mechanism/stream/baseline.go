package stream

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Baseline is one of the mechanisms of David-John et al. 2021 (IEEE TVCG) that
// make gaze harder to recognise and promise nothing. Exactly one of Jitter, Keep
// and Coarse is set.
type Baseline struct {
	Surface Surface // of Coarse on a plane: with Width and Height
	Jitter  float64 // standard deviation of Gaussian noise on each coordinate, in Surface.Unit
	Keep    int     // every so manieth sample is kept, from the first
	// Coarse is L: positions fall to the centres of (3840/L) × (2160/L) cells over
	// the screen, or over 360° × 180° on the sphere.
	Coarse int
}

// The panorama that Coarse divides, px.
const (
	panoramaWidth  = 3840
	panoramaHeight = 2160
)

// Check reports parameters that make no mechanism.
func (m Baseline) Check() error { _, err := m.resolve(); return err }

func (m Baseline) resolve() (*Baseline, error) {
	set := 0
	for _, on := range [...]bool{m.Jitter != 0, m.Keep != 0, m.Coarse != 0} {
		if on {
			set++
		}
	}
	if set != 1 {
		return nil, fmt.Errorf("stream: exactly one of sigma, keep and coarse must be given, got %d", set)
	}
	if err := m.Surface.resolve(math.Max(m.Surface.Width, 1)); err != nil { // there is no radius
		return nil, err
	}
	switch {
	case !(m.Jitter >= 0) || m.Jitter > 1e6:
		return nil, fmt.Errorf("stream: sigma must be positive and at most 1e6, got %v %s", m.Jitter, m.Surface.Unit)
	case m.Keep < 0:
		return nil, fmt.Errorf("stream: keep must be at least 1, got %d", m.Keep)
	case m.Coarse < 0 || m.Coarse > panoramaHeight:
		return nil, fmt.Errorf("stream: coarse must lie between 1 and %d, got %d", panoramaHeight, m.Coarse)
	case m.Coarse > 0 && !m.Surface.Sphere && m.Surface.Width == 0:
		return nil, fmt.Errorf("stream: coarse cells on a plane need the screen's width and height, got none")
	}
	return &m, nil
}

// Guarantee implements [mechanism.Mechanism]: there is none.
func (m Baseline) Guarantee() dp.Guarantee {
	g := dp.Guarantee{Measure: dp.None, Unit: dp.Sample, Model: dp.Local}
	return g.Voided("noise, fewer or coarser samples without a bound on what they tell")
}

// Plan implements [mechanism.Mechanism].
func (m Baseline) Plan() mechanism.Plan {
	p := mechanism.Plan{
		Mechanism: m.name(), Calibration: mechanism.Published, Guarantee: m.Guarantee(),
		Noise: mechanism.Noise{Law: "none"}, Parameters: map[string]string{},
	}
	b, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	switch {
	case b.Jitter > 0:
		p.Parameters["sigma"] = format(b.Jitter) + b.Surface.Unit
	case b.Keep > 0:
		p.Parameters["keep"] = strconv.Itoa(b.Keep)
	default:
		p.Parameters["coarse"] = strconv.Itoa(b.Coarse)
		cols, rows := b.cells()
		p.Parameters["cells"] = format(cols) + "x" + format(rows)
	}
	return p
}

// name of the mechanism in Specs.
func (m Baseline) name() string {
	switch {
	case m.Jitter != 0:
		return jitterName
	case m.Keep != 0:
		return keepName
	}
	return coarseName
}

// cells of the panorama, not always a whole number: as printed.
func (m *Baseline) cells() (cols, rows float64) {
	return panoramaWidth / float64(m.Coarse), panoramaHeight / float64(m.Coarse)
}

// blurred is the state of one recording.
type blurred struct {
	*Baseline
	src  *noise.Source
	seen int
}

// Reset begins a new recording.
func (b *blurred) Reset() { b.seen = 0 }

// kept says whether the sample is handed out at all.
func (b *blurred) kept() bool {
	b.seen++
	return b.Keep == 0 || (b.seen-1)%b.Keep == 0
}

// Next is the sample after noise or rounding.
func (b *blurred) Next(_ time.Duration, x, y float64) (float64, float64) {
	switch {
	case gaze.Lost(x, y):
		return nan, nan
	case b.Jitter > 0:
		return x + b.Jitter*b.src.NormFloat64(), y + b.Jitter*b.src.NormFloat64()
	case b.Coarse > 0:
		return b.centre(x, y)
	}
	return x, y
}

// centre of the cell that holds a position.
func (b *blurred) centre(x, y float64) (float64, float64) {
	w, h, ox, oy := b.Surface.Width, b.Surface.Height, 0.0, 0.0
	if b.Surface.Sphere {
		w, h, ox, oy = 360, 180, -180, -90
	}
	cols, rows := b.cells()
	return cell(x-ox, w, cols) + ox, cell(y-oy, h, rows) + oy
}

func cell(v, side, n float64) float64 {
	i := math.Floor(v / side * n)
	return (min(max(i, 0), math.Ceil(n)-1) + 0.5) * side / n
}

// Protect implements [mechanism.Paths]; nothing is protected by it.
func (m Baseline) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	b, err := m.resolve()
	if err != nil {
		return nil, err
	}
	if src == nil {
		return nil, errSource
	}
	return &mechanism.PathRelease{Release: mechanism.Draw(m.Plan(), src), Recordings: protected(b.Surface, &blurred{Baseline: b, src: src}, pieces)}, nil
}
