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

// sectors divides the horizon of a panorama, so that gaze can move along it.
const sectors = 6

// blob is a law of fixations with independent coordinates, normal and cut at
// the scene's edges; with an infinite spread it is uniform over a span around
// its middle.
type blob struct {
	share          float64
	x, y, sdX, sdY float64 // px
	spanX          float64 // px: of a uniform law across; down it always spans the scene
}

// blobs lists where the looks of a viewer go, given shares per hot spot.
func (s *Scene) blobs(weights []float64, centerBias, centerX, centerY float64) []blob {
	inf := math.Inf(1)
	stray := blob{share: strayShare, x: s.Width / 2, y: s.Height / 2, sdX: inf, sdY: inf, spanX: s.Width}
	center := blob{share: centerBias, x: centerX, y: centerY, sdX: centerSpread * s.Width, sdY: centerSpread * s.Height}
	all := []blob{center, stray}
	if s.Task == LookAround {
		center.sdX, center.sdY, center.spanX = inf, horizonSpread*s.Height, s.Width
		all = append(center.sectors(), stray.sectors()...)
	}
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

// sectors divides a law that is uniform across the whole scene.
func (b blob) sectors() []blob {
	part := b
	part.share, part.spanX = b.share/sectors, b.spanX/sectors
	var all []blob
	for i := range sectors {
		part.x = part.spanX * (float64(i) + 0.5)
		all = append(all, part)
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
	for _, b := range s.lawOfAll() {
		across, down := masses(b.x, b.sdX, s.Width, cols), masses(b.y, b.sdY, s.Height, rows)
		if math.IsInf(b.sdX, 0) {
			across = spans(b.x-b.spanX/2, b.x+b.spanX/2, s.Width, cols)
		}
		for i, q := range down {
			for j, p := range across {
				out[i*cols+j] += b.share * q * p
			}
		}
	}
	return out
}

// lawOfAll is where all viewers together look.
func (s *Scene) lawOfAll() []blob {
	if s.Task == Reading {
		return s.textBlobs()
	}
	var weights []float64
	for _, o := range s.HotSpots() {
		weights = append(weights, o.Weight)
	}
	all := s.blobs(weights, meanCenterBias, s.Width/2, s.Height/2)
	if s.Task == FreeViewing { // everybody's own centre widens that of all
		all[0].sdX = math.Hypot(all[0].sdX, centerWander*s.Width)
		all[0].sdY = math.Hypot(all[0].sdY, centerWander*s.Height)
	}
	return all
}

// textBlobs has one blob per word, by its length.
func (s *Scene) textBlobs() []blob {
	var all []blob
	var letters float64
	for _, w := range words(s) {
		letters += w.w
		all = append(all, blob{share: w.w, x: w.x + landingPosition*w.w, y: w.y, sdX: 1.3 * landingSpread * w.w, sdY: 0.35 * w.h})
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
		return spans(0, side, side, n)
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

// spans divides the uniform law from a to b over n equal parts of [0, side].
func spans(a, b, side float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		low, high := side*float64(i)/float64(n), side*float64(i+1)/float64(n)
		out[i] = max(0, min(b, high)-max(a, low)) / (b - a)
	}
	return out
}
