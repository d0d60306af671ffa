package report

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"
)

// Colour maps for [Heatmap.Colors]. Viridis and Inferno are perceptually
// uniform; Turbo is what those expect who are used to jet.
const (
	Viridis = "viridis" // default
	Inferno = "inferno"
	Turbo   = "turbo"
)

// ColorMaps lists the names for [Heatmap.Colors].
func ColorMaps() []string { return []string{Viridis, Inferno, Turbo} }

// curve is red, green and blue in [0, 1] as Chebyshev series over [0, 1]:
// least-squares fits of degree 8 to the maps of these names. The largest
// errors are 2, 6 and 11 of 255.
type curve [3][9]float64

func curveOf(name string) (curve, error) {
	switch name {
	case Viridis, "":
		return curve{
			{0.4088, 0.2991, 0.2553, 0.0811, -0.0328, -0.0186, -0.0014, 0.0081, 0.0027},
			{0.5187, 0.4547, -0.0574, -0.0049, -0.0085, 0.0007, 0.0021, 0.0008, -0.0004},
			{0.3760, -0.1469, -0.1704, 0.0209, 0.0151, 0.0285, 0.0150, 0.0044, 0.0046},
		}, nil
	case Inferno:
		return curve{
			{0.5908, 0.5313, -0.1322, -0.0511, 0.0204, 0.0078, 0.0140, 0, 0.0036},
			{0.3766, 0.5009, 0.1451, 0.0075, -0.0200, -0.0052, -0.0072, 0.0059, -0.0026},
			{0.2808, 0.1064, 0.0062, 0.2293, 0.0500, -0.0042, -0.0109, -0.0256, 0.0007},
		}, nil
	case Turbo:
		return curve{
			{0.5066, 0.3084, -0.1174, -0.2338, -0.0434, 0.0953, -0.0120, -0.0374, 0.0303},
			{0.4368, -0.0970, -0.4620, 0.0677, 0.0803, 0.0037, -0.0125, -0.0034, -0.0042},
			{0.3532, -0.3599, -0.1228, 0.2250, -0.1484, 0.0406, 0.0434, -0.0242, -0.0224},
		}, nil
	}
	return curve{}, fmt.Errorf("report: unknown colour map %q: want %s", name, strings.Join(ColorMaps(), ", "))
}

// at is the colour at t in [0, 1], by Clenshaw's recurrence.
func (c curve) at(t float64) color.RGBA {
	x := 2*math.Min(1, math.Max(0, t)) - 1
	var rgb [3]uint8
	for i, series := range c {
		var b1, b2 float64
		for _, a := range slices.Backward(series[1:]) {
			b1, b2 = 2*x*b1-b2+a, b1
		}
		rgb[i] = uint8(math.Round(255 * math.Min(1, math.Max(0, x*b1-b2+series[0]))))
	}
	return color.RGBA{rgb[0], rgb[1], rgb[2], 255}
}

// ramp is a colour map as a table, for a colour per pixel.
type ramp [1024]color.RGBA

func newRamp(name string) (*ramp, error) {
	c, err := curveOf(name)
	if err != nil {
		return nil, err
	}
	r := new(ramp)
	for i := range r {
		r[i] = c.at(float64(i) / float64(len(r)-1))
	}
	return r, nil
}

func (r *ramp) at(t float64) color.RGBA {
	i := int(t*float64(len(r)-1) + 0.5)
	return r[max(0, min(len(r)-1, i))]
}
