package population

import (
	"fmt"
	"math"
	"strconv"
)

// Design shares a subject's norm of one out among the parts of their vector.
// Every field left zero is a public function of n (SYNTHESIS §3), found on
// simulated people and on public recordings of other people.
type Design struct {
	// MarginShare, DurationShare and StepShare are the shares of the squared norm:
	// of dwell per column and per row together, and of the two histograms. The
	// blurred density has the rest.
	MarginShare, DurationShare, StepShare float64
	// Places sets the density's clip: the norm of a map spread over that many
	// separate places.
	Places float64
	// MarginNorm, DurationNorm and StepNorm are the clips of the histograms: the
	// norms of a usual person's shares.
	MarginNorm, DurationNorm, StepNorm float64
}

// Clips of a usual person: the 25th to 50th percentile of simulated viewers
// and readers. Who lies above is scaled down as a whole, and the estimate
// undoes the mean of it.
const (
	usualPlaces       = 14
	usualMarginNorm   = 0.25
	usualDurationNorm = 0.37
	usualStepNorm     = 0.20
)

// fewSubjects is where the histograms need more of the norm.
const fewSubjects = 100

func (d Design) withDefaults(n int) Design {
	shares := [3]float64{0.2, 0.1, 0.2}
	if n < fewSubjects {
		shares = [3]float64{0.15, 0.15, 0.3}
	}
	for _, f := range [...]struct {
		v   *float64
		def float64
	}{{&d.MarginShare, shares[0]}, {&d.DurationShare, shares[1]}, {&d.StepShare, shares[2]}, {&d.Places, usualPlaces}, {&d.MarginNorm, usualMarginNorm}, {&d.DurationNorm, usualDurationNorm}, {&d.StepNorm, usualStepNorm}} {
		if *f.v == 0 {
			*f.v = f.def
		}
	}
	return d
}

// weights are the factors from shares of one to coordinates: √β/C per part.
func (d Design) weights(c *central) ([parts]float64, error) {
	d = d.withDefaults(c.Subjects)
	for name, v := range map[string]float64{"margin share": d.MarginShare, "duration share": d.DurationShare, "step share": d.StepShare} {
		if !(v >= 1e-6 && v < 1) {
			return [parts]float64{}, fmt.Errorf("population: %s must lie between 0 and 1, got %v", name, v)
		}
	}
	rest := 1 - d.MarginShare - d.DurationShare - d.StepShare
	switch {
	case !(rest >= 1e-6):
		return [parts]float64{}, fmt.Errorf("population: margin share, duration share and step share must leave something to the density, got %v, %v and %v", d.MarginShare, d.DurationShare, d.StepShare)
	case !(d.Places >= 1 && d.Places <= maxLength):
		return [parts]float64{}, fmt.Errorf("population: places must lie between 1 and %d, got %v", maxLength, d.Places)
	}
	for name, v := range map[string]float64{"margin norm": d.MarginNorm, "duration norm": d.DurationNorm, "step norm": d.StepNorm} {
		if !(v >= 1e-3 && v <= 1) {
			return [parts]float64{}, fmt.Errorf("population: %s must lie between 0.001 and 1, got %v", name, v)
		}
	}
	margin := math.Sqrt(d.MarginShare/2) / d.MarginNorm
	return [parts]float64{
		math.Sqrt(rest*d.Places) / c.canvas.place(), margin, margin,
		math.Sqrt(d.DurationShare) / d.DurationNorm,
		math.Sqrt(d.StepShare) / d.StepNorm,
	}, nil
}

// defaultBlur is the blur before the noise, px: wide where there is much noise,
// since the estimate deconvolves for free. It falls with the eighth root of the
// noise, as for heatmaps.
func (c *central) defaultBlur() float64 {
	degrees := blurAtUnit * math.Pow(c.noise(), blurPower)
	degrees = min(max(degrees, narrowest), broadest)
	blur := degrees * c.Shape.PixelsPerDegree
	w, h := float64(c.Shape.Screen.Width), float64(c.Shape.Screen.Height)
	return min(blur, math.Hypot(w, h)/8)
}

// Blur in degrees of visual angle at a noise of one clip, its power, and where
// it ends.
const (
	blurAtUnit = 3.6
	blurPower  = 0.175
	narrowest  = 0.5
	broadest   = 3.0
)

// warnings follow from public numbers alone.
func (c *central) warnings() []error {
	var w []error
	n := float64(c.Subjects)
	if c.Delta*n >= 1 {
		w = append(w, fmt.Errorf("delta %g is not below 1/n = %g: with this delta a mechanism may publish one person outright", c.Delta, 1/n))
	} else if c.Delta*n > 0.15 {
		w = append(w, fmt.Errorf("n × delta = %.2g is large: with this delta a mechanism may publish one person outright with that probability", c.Delta*n))
	}
	if relative := c.noise(); relative > 0.02 {
		w = append(w, fmt.Errorf("the noise is %.2g of one person's whole weight: so few people say little beyond a good public prior; give one with --prior layout, or more subjects", relative))
	}
	return w
}

func (c *central) parameters() map[string]string {
	d := c.Design.withDefaults(c.Subjects)
	s := &c.Shape
	p := map[string]string{
		"subjects": strconv.Itoa(c.Subjects),
		"blur":     format(c.Blur) + "px", "margin-share": format(d.MarginShare), "duration-share": format(d.DurationShare), "step-share": format(d.StepShare),
		"places": format(d.Places), "margin-norm": format(d.MarginNorm), "duration-norm": format(d.DurationNorm), "step-norm": format(d.StepNorm),
		"prior": c.Prior.name(),
	}
	s.describe(p)
	c.Output.describe(p)
	return p
}

// format is a public parameter as people read it.
func format(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
