package simulate

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/noise"
)

// Viewer holds one person's habits. All fields are required; [NewViewer] draws
// a plausible person.
type Viewer struct {
	FixationMean   time.Duration // mean duration of a fixation when viewing pictures
	FixationSpread float64       // standard deviation of the logarithm of durations
	SaccadeTime    float64       // factor on the main sequence's durations: above 1 is slower
	Refixation     float64       // probability to stay in the same object: high makes saccades small
	Reach          float64       // deg: how far the next object may be before it is passed over
	CenterBias     float64       // share of looks drawn to the centre
	CenterX        float64       // shift of the person's centre, share of the width
	CenterY        float64       // and of the height
	Taste          float64       // how much interests are the person's own: 0 = the scene's weights, 1 = strong
	Interest       []float64     // per hot spot of the scene at hand; nil = the scene's weights

	ReadingPace float64 // factor on FixationMean when reading
	Skipping    float64 // probability to skip a short word
	Regression  float64 // probability to go back to an earlier word

	Drift           float64 // deg: standard deviation of fixational drift
	Tremor          float64 // deg: of tremor and tracker noise, per coordinate and sample
	OffsetX         float64 // deg: error of calibration
	OffsetY         float64 // deg
	BlinksPerMinute float64
	BlinkMean       time.Duration
	Pupil           float64 // mm: mean diameter
}

// NewViewer draws a person.
func NewViewer(src *noise.Source) Viewer {
	normal := func(mean, sd, low, high float64) float64 {
		return min(high, max(low, mean+sd*src.NormFloat64()))
	}
	around := func(mean, logSD float64) float64 { return mean * math.Exp(logSD*normal(0, 1, -2.5, 2.5)) }
	return Viewer{
		FixationMean:    seconds(around(0.265, 0.12)),
		FixationSpread:  normal(0.42, 0.04, 0.3, 0.55),
		SaccadeTime:     around(1, 0.06),
		Refixation:      normal(0.40, 0.10, 0.15, 0.65),
		Reach:           around(18, 0.2),
		CenterBias:      meanCenterBias * 2 * src.Float64(),
		CenterX:         centerWander * src.NormFloat64(),
		CenterY:         centerWander * src.NormFloat64(),
		Taste:           0.4 + 0.4*src.Float64(),
		ReadingPace:     around(0.86, 0.08),
		Skipping:        normal(0.45, 0.08, 0.2, 0.7),
		Regression:      normal(0.11, 0.04, 0.02, 0.25),
		Drift:           around(0.06, 0.2),
		Tremor:          around(0.008, 0.2),
		OffsetX:         normal(0, 0.25, -0.8, 0.8),
		OffsetY:         normal(0, 0.25, -0.8, 0.8),
		BlinksPerMinute: around(15, 0.4),
		BlinkMean:       seconds(around(0.17, 0.15)),
		Pupil:           normal(3.6, 0.5, 2.2, 6),
	}
}

// Interested returns the viewer with interests of their own in a scene: shares
// per hot spot from a Dirichlet law whose mean is the scene's weights, so that
// a crowd of viewers looks as [Scene.Density] says.
func (v Viewer) Interested(s *Scene, src *noise.Source) Viewer {
	spots := s.HotSpots()
	v.Interest = make([]float64, len(spots))
	var sum float64
	for _, o := range spots {
		sum += o.Weight
	}
	concentration := float64(len(spots)) / max(0.05, v.Taste)
	for i, o := range spots {
		v.Interest[i] = o.Weight / sum
		if v.Taste > 0 {
			v.Interest[i] = gamma(concentration*o.Weight/sum, src) + 1e-12
		}
	}
	return v
}

// gamma draws from the gamma law of a shape and scale 1 (Marsaglia and Tsang 2000).
func gamma(shape float64, src *noise.Source) float64 {
	boost := 1.0
	if shape < 1 {
		boost = math.Pow(1-src.Float64(), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := src.NormFloat64()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v *= v * v
		if math.Log(1-src.Float64()) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return boost * d * v
		}
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
