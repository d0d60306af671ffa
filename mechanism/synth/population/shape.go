package population

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
)

// Shape is what is asked of every subject, in public numbers: where they look,
// how long, and how far and which way they jump, on a flat screen.
type Shape struct {
	Screen gaze.Screen // Width and Height required, px
	// PixelsPerDegree is required where the screen's geometry is not known: it
	// is never guessed.
	PixelsPerDegree float64

	Columns, Rows int // cells of the dwell density; default 60 × 60
	Durations     int // logarithmic bins of the time between saccades, 0.02 to 30 s; default 24
	Amplitudes    int // logarithmic bins of saccade amplitudes, 0.3 to 40 deg; default 14
	Directions    int // sectors of saccade directions, the first about rightward; default 12
}

// Ranges of the logarithmic bins. What lies beyond counts in the outermost.
const (
	shortestRun, longestRun = 0.02, 30.0 // s
	smallestJump, widest    = 0.3, 40.0  // deg
)

// Bounds on the resolution: what one release may hold.
const (
	maxSide = 1024
	maxBins = 512
)

// withDefaults returns the shape with nothing left open.
func (s Shape) withDefaults() (Shape, error) {
	for _, d := range [...]struct {
		v       *int
		name    string
		def, at int
	}{
		{&s.Columns, "columns", 60, maxSide}, {&s.Rows, "rows", 60, maxSide}, {&s.Durations, "duration bins", 24, maxBins},
		{&s.Amplitudes, "amplitude bins", 14, maxBins}, {&s.Directions, "direction bins", 12, maxBins},
	} {
		if *d.v == 0 {
			*d.v = d.def
		}
		if *d.v < 1 || *d.v > d.at {
			return s, fmt.Errorf("population: %s must be between 1 and %d, got %d", d.name, d.at, *d.v)
		}
	}
	return s, s.scale()
}

// scale resolves pixels per degree.
func (s *Shape) scale() error {
	if s.Screen.Width < 1 || s.Screen.Height < 1 || s.Screen.Width > 1<<20 || s.Screen.Height > 1<<20 {
		return fmt.Errorf("population: width and height must be between 1 and %d px, got %d × %d", 1<<20, s.Screen.Width, s.Screen.Height)
	}
	if s.Screen.Origin != gaze.TopLeft {
		return errors.New("population: the screen's origin must be the top left: recordings are converted to it")
	}
	if s.PixelsPerDegree == 0 {
		v, err := s.Screen.PixelsPerDegree()
		if err != nil {
			return fmt.Errorf("population: pixels per degree must be given where the screen's geometry is unknown: %w", err)
		}
		s.PixelsPerDegree = v
	}
	if !(s.PixelsPerDegree >= 0.01 && s.PixelsPerDegree <= 1e5) {
		return fmt.Errorf("population: pixels per degree must lie between 0.01 and 1e5, got %v", s.PixelsPerDegree)
	}
	return nil
}

// alike reports whether people gathered in one shape fit the other.
func (s *Shape) alike(t *Shape) bool {
	return s.Screen.Width == t.Screen.Width && s.Screen.Height == t.Screen.Height && math.Abs(s.PixelsPerDegree/t.PixelsPerDegree-1) < 1e-3 &&
		s.Columns == t.Columns && s.Rows == t.Rows && s.Durations == t.Durations && s.Amplitudes == t.Amplitudes && s.Directions == t.Directions
}

func (s *Shape) grid() grid.Grid {
	return grid.Even(float64(s.Screen.Width), float64(s.Screen.Height), s.Columns, s.Rows)
}

func (s *Shape) describe(p map[string]string) {
	p["width"], p["height"], p["pixels-per-degree"] = strconv.Itoa(s.Screen.Width), strconv.Itoa(s.Screen.Height), format(s.PixelsPerDegree)
	p["columns"], p["rows"] = strconv.Itoa(s.Columns), strconv.Itoa(s.Rows)
	p["duration-bins"], p["amplitude-bins"], p["direction-bins"] = strconv.Itoa(s.Durations), strconv.Itoa(s.Amplitudes), strconv.Itoa(s.Directions)
}

func (s *Shape) cells() int { return s.Columns * s.Rows }
func (s *Shape) steps() int { return s.Amplitudes * s.Directions }

// detector finds the runs below and above 30 deg/s: all of them, so that
// synthetic gaze that is detected with any minimum shows no gap.
func (s *Shape) detector() detect.IVT {
	d := detect.Standard()
	d.MinDuration = 0
	if !s.Screen.HasGeometry() {
		d.PixelsPerDegree = s.PixelsPerDegree
	}
	return d
}

// output is the screen of synthetic recordings: it always has a geometry, so
// that detectors need no special treatment.
func (s *Shape) output() gaze.Screen {
	out := s.Screen
	if !out.HasGeometry() {
		out.FieldWidthDeg = float64(out.Width) / s.PixelsPerDegree
		out.FieldHeightDeg = float64(out.Height) / s.PixelsPerDegree
	}
	return out
}

// bin is the logarithmic bin of v among n between low and high.
func bin(v, low, high float64, n int) int {
	if !(v > low) {
		return 0
	}
	return min(int(math.Log(v/low)/math.Log(high/low)*float64(n)), n-1)
}

func (s *Shape) durationBin(d time.Duration) int {
	return bin(d.Seconds(), shortestRun, longestRun, s.Durations)
}

// sector is the direction's: sectors are centred at multiples of their width,
// from rightward on towards the bottom of the screen.
func (s *Shape) sector(dx, dy float64) int {
	share := math.Atan2(dy, dx)/(2*math.Pi) + 0.5/float64(s.Directions)
	return int(math.Floor((share-math.Floor(share))*float64(s.Directions))) % s.Directions
}

func (s *Shape) stepBin(amplitude, dx, dy float64) int {
	return bin(amplitude, smallestJump, widest, s.Amplitudes)*s.Directions + s.sector(dx, dy)
}

// seconds is the middle of a duration bin.
func (s *Shape) seconds(bin int) float64 {
	return shortestRun * math.Pow(longestRun/shortestRun, (float64(bin)+0.5)/float64(s.Durations))
}

// weigh multiplies counts of times between saccades by a power of √seconds, in
// place. Shares of counts so weighted are what is released: noise on plain counts
// would make long times out of nothing, which are much of the time; noise on
// shares of the time would make short ones.
func (s *Shape) weigh(counts []float64, power float64) {
	for i := range counts {
		counts[i] *= math.Pow(s.seconds(i), power/2)
	}
}
