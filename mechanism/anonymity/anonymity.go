package anonymity

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Statement is what an anonymity baseline says of itself. It is no guarantee:
// what is learned of a person is not bounded.
type Statement struct {
	Kind  string  // k-anonymity, plausible deniability, or marginals
	K     int     // people who share what is released; 0 = does not apply
	Gamma float64 // width of a bucket of likelihoods as a ratio; 0 = does not apply
	Among string  // who the K people are
}

// String returns the statement in one line.
func (s Statement) String() string {
	switch {
	case s.Gamma > 0:
		return fmt.Sprintf("(%d, %v)-%s among %s", s.K, s.Gamma, s.Kind, s.Among)
	case s.K > 0:
		return fmt.Sprintf("%s, k = %d among %s", s.Kind, s.K, s.Among)
	}
	return s.Kind + " of " + s.Among
}

// Mechanism is a mechanism of this room.
type Mechanism interface {
	mechanism.Paths
	Statement() Statement
}

// Detection says how fixations and saccades are found.
type Detection struct {
	Threshold       float64       // deg/s; default 30
	MinFixation     time.Duration // default 60 ms
	PixelsPerDegree float64       // default: from the recording's geometry
}

func (d *Detection) defaults() {
	if d.Threshold == 0 {
		d.Threshold = 30
	}
	if d.MinFixation == 0 {
		d.MinFixation = 60 * time.Millisecond
	}
}

func (d Detection) check() error {
	d.defaults()
	switch {
	case !(d.Threshold > 0) || d.Threshold > 1e6:
		return fmt.Errorf("anonymity: threshold must be a positive velocity of at most 1e6 deg/s, got %v", d.Threshold)
	case d.MinFixation < 0 || d.MinFixation > time.Minute:
		return fmt.Errorf("anonymity: min-fixation must lie in 0 to 1m, got %v", d.MinFixation)
	case !(d.PixelsPerDegree >= 0) || d.PixelsPerDegree > 1e6:
		return fmt.Errorf("anonymity: pixels-per-degree must lie in 0 to 1e6, got %v", d.PixelsPerDegree)
	}
	return nil
}

func (d Detection) parameters(into map[string]string) map[string]string {
	d.defaults()
	into["threshold"], into["min-fixation"] = format(d.Threshold), d.MinFixation.String()
	if d.PixelsPerDegree > 0 {
		into["pixels-per-degree"] = format(d.PixelsPerDegree)
	}
	return into
}

const mostPeople = 1 << 20

func checkK(k int) error {
	if k < 2 || k > mostPeople {
		return fmt.Errorf("anonymity: k must lie in 2 to %d, got %d", mostPeople, k)
	}
	return nil
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

// none is the guarantee of a mechanism that has none, with the reason.
func none(why string) dp.Guarantee {
	return dp.Guarantee{
		Measure: dp.None, Unit: dp.Subject, Neighbours: dp.ReplaceOne, Model: dp.Central,
		Unprotected: []string{"the number of people and recordings", "stimuli, sessions and sampling rates"},
	}.Voided(why)
}

func planOf(m Mechanism, name string, parameters map[string]string) mechanism.Plan {
	parameters["statement"] = m.Statement().String()
	return mechanism.Plan{
		Mechanism: name, Calibration: mechanism.Published, Guarantee: m.Guarantee(),
		Noise: mechanism.Noise{Law: "none"}, Parameters: parameters,
	}
}

// path is one released path.
type path struct {
	gaze.Header
	points
	period time.Duration
}

// release hands the paths out, each in a copy of its own.
func release(p mechanism.Plan, src *noise.Source, paths []path, synthetic bool) *mechanism.PathRelease {
	return &mechanism.PathRelease{Release: mechanism.Draw(p, src), Synthetic: synthetic, Recordings: func(yield func(*gaze.Recording, error) bool) {
		for _, p := range paths {
			if !yield(p.recording(), nil) {
				return
			}
		}
	}}
}

func (p *path) recording() *gaze.Recording {
	h := p.Header
	h.Format, h.PupilUnit = "", 0
	h.Rate = gaze.Hertz(float64(time.Second) / float64(p.period))
	r := &gaze.Recording{Header: h}
	r.Samples.T = make([]time.Duration, len(p.x))
	for i := range r.Samples.T {
		r.Samples.T[i] = time.Duration(i) * p.period
	}
	r.Samples.Tracks[gaze.Cyclopean] = gaze.Track{X: slices.Clone(p.x), Y: slices.Clone(p.y)}
	return r
}

// finite reports whether all numbers are.
func finite(values ...float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
