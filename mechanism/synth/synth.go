package synth

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// DPGazeSynth is the gaze path synthesis of Ren et al. 2024 in the local model.
// Each window of time is reported by its noisy first position, what saccades it
// holds and where gaze moves in it; a model of all reports fills in the paths.
//
// It is the corrected mechanism of PROOF.md unless Published is set.
type DPGazeSynth struct {
	Epsilon float64 // of one window; required
	Area    Area    // required
	// Radius is r: a first position may move so far at the price of its share of
	// Epsilon. In Area.Unit; required unless RadiusRule gives it.
	Radius     float64
	RadiusRule string        // RadiusFree (default), RadiusEq8 or RadiusTable2
	Window     time.Duration // w; default 500 ms
	Grid       int           // G: moves are between neighbours on a G × G grid; default 30
	// Split is what shares of Epsilon first positions, saccades (as printed: run
	// lengths) and moves have; default 0.6, 0.2, 0.2 as in the paper.
	Split  [3]float64
	Oracle string // of saccades and moves: subset (default), oue or hadamard
	// Levels are the grids on which moves are asked, coarse to fine, from 1 up to
	// Grid; default by Total and Epsilon: 1, which is one law of directions for the
	// whole area and all that fewer than 10⁵ windows can tell.
	Levels []int
	Total  int    // windows expected in all recordings, public; 0 = not known
	Aim    string // AimPaths (default) or AimPositions: of one release, at no cost
	// PerDegree is how many of Area.Unit make a degree; default 1 in degrees, and
	// a 57th of the width in px.
	PerDegree float64
	// Rate is the nominal number of samples per second, public; Published needs it.
	Rate gaze.Hertz
	// Windows of one recording, public: Plan says what that is worth; 0 = not stated.
	Windows int
	// Published is the paper's mechanism, whose guarantee is void. It takes no
	// notice of Oracle, Levels and Aim.
	Published bool
	// Unclamped leaves noisy first positions of Published off the screen; as
	// printed they are brought to its edge. The corrected mechanism uses them as
	// they are, and none of its paths leaves the screen.
	Unclamped bool
}

// Rules for the radius.
const (
	RadiusFree   = "free"   // as given
	RadiusEq8    = "eq8"    // equation 8 of the paper: a sixth of a cell's smaller side
	RadiusTable2 = "table2" // what Table 2 of the paper implies: three of them
)

// What paths are drawn for.
const (
	AimPaths     = "density" // the density of gaze, durations and amplitudes are right on the whole
	AimPositions = "rmse"    // every position is as near to the true one as can be guessed
)

// Limits of parameters.
const (
	maxEpsilon = 30
	minShare   = 1e-5 // least ε of a part
	maxGrid    = 200
	minWindow  = time.Microsecond
	maxWindow  = time.Hour
	maxSamples = 1 << 16 // of a window, as printed
	reach      = 1 << 16 // of the area's sides over the radius
)

// resolved is the mechanism with everything public worked out.
type resolved struct {
	DPGazeSynth
	epsilons [3]float64
	samples  int // W
}

// Check reports parameters that make no mechanism.
func (m DPGazeSynth) Check() error { _, err := m.resolve(); return err }

func (m DPGazeSynth) resolve() (*resolved, error) {
	for _, step := range []func() error{m.checkBudget, m.Area.check, m.fillGrid, m.fillRadius, m.fillChoices, m.fillRate, m.fillLevels} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	r := &resolved{DPGazeSynth: m}
	for i, share := range m.Split {
		r.epsilons[i] = dp.RoundDown(m.Epsilon * share)
	}
	if m.Rate > 0 {
		r.samples = int(math.Ceil(float64(m.Rate) * m.Window.Seconds() * (1 - 1e-9)))
	}
	if m.Published {
		return r, r.checkPrinted()
	}
	return r, nil
}

// checkPrinted refuses windows whose runs and moves the paper's device cannot
// report.
func (r *resolved) checkPrinted() error {
	switch {
	case r.samples < 2 || r.samples > maxSamples:
		return fmt.Errorf("synth: as printed a window must hold 2 to %d samples, got %d (window %v, rate %v Hz)", maxSamples, r.samples, r.Window, float64(r.Rate))
	case r.runScale() > noise.MaxScale || r.moveEpsilon() < oracle.MinEpsilon:
		return fmt.Errorf("synth: epsilon %v is too small to be divided among the %d samples of a window", r.Epsilon, r.samples)
	}
	return nil
}

// runScale is that of the noise on run lengths as printed, in steps.
func (r *resolved) runScale() float64 { return float64(2*r.samples-2) / r.epsilons[1] * runSteps }

// moveEpsilon is that of one move as printed.
func (r *resolved) moveEpsilon() float64 { return r.epsilons[2] / float64(r.samples-1) }

func (m *DPGazeSynth) checkBudget() error {
	if m.Split == [3]float64{} {
		m.Split = [3]float64{0.6, 0.2, 0.2}
	}
	sum := 0.0
	for _, s := range m.Split {
		if !(s >= 0.001) {
			return fmt.Errorf("synth: each part of the split must be at least 0.001, got %v", m.Split)
		}
		sum += s
	}
	switch {
	case !(m.Epsilon > 0):
		return fmt.Errorf("synth: epsilon must be positive, got %v", m.Epsilon)
	case m.Epsilon > maxEpsilon || m.Epsilon*slices.Min(m.Split[:]) < minShare:
		return fmt.Errorf("synth: epsilon must be at most %d and leave %v to each part of the split, got %v", maxEpsilon, minShare, m.Epsilon)
	case math.Abs(sum-1) > 1e-12:
		return fmt.Errorf("synth: the split must sum to 1, got %v", m.Split)
	case m.Windows < 0 || m.Total < 0:
		return fmt.Errorf("synth: windows and total must not be negative, got %d and %d", m.Windows, m.Total)
	}
	return nil
}

func (m *DPGazeSynth) fillGrid() error {
	if m.Window == 0 {
		m.Window = 500 * time.Millisecond
	}
	if m.Grid == 0 {
		m.Grid = 30
	}
	switch {
	case m.Window < minWindow || m.Window > maxWindow:
		return fmt.Errorf("synth: window must lie between %v and %v, got %v", minWindow, maxWindow, m.Window)
	case m.Grid < 1 || m.Grid > maxGrid:
		return fmt.Errorf("synth: grid must lie between 1 and %d, got %d", maxGrid, m.Grid)
	}
	return nil
}

func (m *DPGazeSynth) fillRadius() error {
	cell := min(m.Area.Width, m.Area.Height) / float64(m.Grid)
	switch m.RadiusRule {
	case "", RadiusFree:
		m.RadiusRule = RadiusFree
	case RadiusEq8, RadiusTable2:
		if m.Radius != 0 {
			return fmt.Errorf("synth: radius rule %q gives the radius: leave out the radius %v", m.RadiusRule, m.Radius)
		}
		if m.Radius = 3 * cell; m.RadiusRule == RadiusEq8 {
			m.Radius = cell / 6
		}
	default:
		return fmt.Errorf("synth: unknown radius rule %q: want %s, %s or %s", m.RadiusRule, RadiusFree, RadiusEq8, RadiusTable2)
	}
	side := max(m.Area.Width, m.Area.Height)
	if !(m.Radius >= side/reach && m.Radius <= 10*side) {
		return fmt.Errorf("synth: radius must lie between 1/%d of the area's longer side and 10 times it, got %v %s", reach, m.Radius, m.Area.Unit)
	}
	return nil
}

func (m *DPGazeSynth) fillChoices() error {
	if m.Oracle == "" {
		m.Oracle = "subset"
	}
	if m.Aim == "" {
		m.Aim = AimPaths
	}
	if m.PerDegree == 0 {
		m.PerDegree = 1
		if m.Area.Unit == pixels {
			m.PerDegree = m.Area.Width / 57
		}
	}
	switch {
	case !slices.Contains(oracle.Names(), m.Oracle):
		return fmt.Errorf("synth: unknown oracle %q: want one of %v", m.Oracle, oracle.Names())
	case m.Aim != AimPaths && m.Aim != AimPositions:
		return fmt.Errorf("synth: unknown aim %q: want %s or %s", m.Aim, AimPaths, AimPositions)
	case !(m.PerDegree > 0) || m.PerDegree < m.Area.Width/1e4 || m.PerDegree > m.Area.Width*1e4:
		return fmt.Errorf("synth: pixels per degree must lie between 1e-4 and 1e4 of the width, got %v", m.PerDegree)
	case m.Unclamped && !m.Published:
		return fmt.Errorf("synth: only the published calibration knows unclamped positions")
	}
	return nil
}

func (m *DPGazeSynth) fillRate() error {
	if m.Rate == 0 && !m.Published {
		return nil
	}
	if !(m.Rate >= 0.01 && m.Rate <= 1e5) {
		return fmt.Errorf("synth: rate must lie between 0.01 and 1e5 Hz, got %v", float64(m.Rate))
	}
	return nil
}

// fillLevels chooses grids for moves: each next one only where its rows can be
// told from noise, which is public: a count of n reports has the variance
// 4n·e^ε/(e^ε−1)².
func (m *DPGazeSynth) fillLevels() error {
	if len(m.Levels) == 0 {
		grown := math.Expm1(m.Epsilon * m.Split[2])
		worth := float64(m.Total) * grown * grown / (4 * (grown + 1)) // windows without noise
		m.Levels = []int{1}
		for _, next := range []struct {
			worth float64
			grid  int
		}{{3e5, 3}, {3e6, 10}, {3e7, 30}} {
			if worth >= next.worth && next.grid <= m.Grid {
				m.Levels = append(m.Levels, next.grid)
			}
		}
	}
	for i, g := range m.Levels {
		if i == 0 && g != 1 || i > 0 && g <= m.Levels[i-1] || g > m.Grid {
			return fmt.Errorf("synth: levels must begin with 1 and grow up to the grid of %d, got %v", m.Grid, m.Levels)
		}
	}
	return nil
}
