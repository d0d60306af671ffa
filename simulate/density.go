package simulate

import "math"

// Shares of looks that no object draws, and the spread of those drawn to the
// centre of a picture (Tatler 2007) or to the horizon of a panorama.
const (
	strayShare      = 0.04
	meanCenterBias  = 0.15
	centerSpread    = 0.18 // of the width and height
	centerWander    = 0.03 // sd of a person's own centre
	horizonSpread   = 12.0 / 180
	objectSpread    = 0.25 // of the object's width and height
	landingPosition = 0.45 // of a word's width
	landingSpread   = 0.22
)

// blob is a normal law of fixations with independent coordinates, cut at the
// scene's edges. An infinite spread is uniform over the scene.
type blob struct {
	share          float64
	x, y, sdX, sdY float64 // px
}

// blobs lists where the looks of a viewer go, given shares per hot spot.
func (s *Scene) blobs(weights []float64, centerBias, centerX, centerY float64) []blob {
	inf := math.Inf(1)
	center := blob{share: centerBias, x: centerX, y: centerY, sdX: centerSpread * s.Width, sdY: centerSpread * s.Height}
	if s.Task == LookAround {
		center.sdX, center.sdY = inf, horizonSpread*s.Height
	}
	all := []blob{center, {share: strayShare, x: s.Width / 2, y: s.Height / 2, sdX: inf, sdY: inf}}
	var sum float64
	for _, w := range weights {
		sum += w
	}
	for i, o := range s.HotSpots() {
		all = append(all, blob{
			share: (1 - centerBias - strayShare) * weights[i] / sum,
			x:     o.X + o.W/2, y: o.Y + o.H/2, sdX: objectSpread * o.W, sdY: objectSpread * o.H,
		})
	}
	return all
}

// Density is the ground truth: the expected share of fixation time, over all
// viewers, of each of cols × rows cells of the scene, row by row from the top
// left, summing to one. Exact for pictures and panoramas but for errors of
// landing and calibration (about half a degree); for pages that are read
// through an approximation: every word by its length.
func (s *Scene) Density(cols, rows int) []float64 {
	out := make([]float64, cols*rows)
	all := s.textBlobs()
	if s.Task != Reading {
		var weights []float64
		for _, o := range s.HotSpots() {
			weights = append(weights, o.Weight)
		}
		all = s.blobs(weights, meanCenterBias, s.Width/2, s.Height/2)
		all[0].sdX = math.Hypot(all[0].sdX, centerWander*s.Width)
		all[0].sdY = math.Hypot(all[0].sdY, centerWander*s.Height)
	}
	for _, b := range all {
		across, down := masses(b.x, b.sdX, s.Width, cols), masses(b.y, b.sdY, s.Height, rows)
		for i, q := range down {
			for j, p := range across {
				out[i*cols+j] += b.share * q * p
			}
		}
	}
	return out
}

// textBlobs has one blob per word, by its length.
func (s *Scene) textBlobs() []blob {
	var all []blob
	var letters float64
	for _, w := range words(s) {
		letters += w.w
		all = append(all, blob{w.w, w.x + landingPosition*w.w, w.y, 1.3 * landingSpread * w.w, 0.35 * w.h})
	}
	for i := range all {
		all[i].share /= letters
	}
	return all
}

// masses divides a normal law, cut to [0, side], over n equal parts.
func masses(mean, sd, side float64, n int) []float64 {
	out := make([]float64, n)
	if math.IsInf(sd, 0) {
		for i := range out {
			out[i] = 1 / float64(n)
		}
		return out
	}
	cdf := func(x float64) float64 { return 0.5 * math.Erfc((mean-x)/(sd*math.Sqrt2)) }
	whole := cdf(side) - cdf(0)
	before := cdf(0)
	for i := range out {
		next := cdf(side * float64(i+1) / float64(n))
		out[i] = (next - before) / whole
		before = next
	}
	return out
}
