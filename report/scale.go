package report

import (
	"math"
	"strconv"
	"strings"
)

// scale is a linear axis with round ticks. Numbers are shown divided by
// 10^Power, so that they stay short.
type scale struct {
	low, high float64
	step      float64
	power     int
}

// Numbers beyond these bounds are not drawn: powers of ten end there.
const (
	smallest = 1e-300
	largest  = 1e300
)

// newScale covers low to high with about n ticks.
func newScale(low, high float64, n int) scale {
	if !(high-low > smallest) {
		high = low + 1
	}
	s := scale{low: low, high: high, step: niceStep((high - low) / float64(n))}
	if p := int(math.Floor(math.Log10(math.Max(math.Abs(low), math.Abs(high))))); p < -2 || p > 4 {
		s.power = p
	}
	return s
}

// niceStep is the smallest of 1, 2, 2.5, 5 times a power of ten that is not
// below v.
func niceStep(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, f := range [...]float64{1, 2, 2.5, 5} {
		if f*unit >= v*(1-1e-9) {
			return f * unit
		}
	}
	return 10 * unit
}

// ticks are the multiples of the step inside the scale.
func (s scale) ticks() []float64 {
	var out []float64
	for k := math.Ceil(s.low/s.step - 1e-9); k*s.step <= s.high*(1+1e-9); k++ {
		out = append(out, k*s.step)
		if len(out) > 50 {
			break
		}
	}
	return out
}

// number is a tick as it stands at the axis, with as many decimals as the step
// needs.
func (s scale) number(v float64) string {
	unit := math.Pow(10, float64(s.power))
	decimals, step := 0, s.step/unit
	for decimals < 12 && math.Abs(step-math.Round(step)) > 1e-6*step {
		decimals, step = decimals+1, step*10
	}
	out := strconv.FormatFloat(v/unit, 'f', decimals, 64)
	if strings.Trim(out, "-0.") == "" {
		return "0"
	}
	return strings.Replace(out, "-", "−", 1)
}

// unit is the axis' unit with its power of ten.
func (s scale) unit(u string) string {
	if s.power == 0 {
		return u
	}
	return strings.TrimSpace("10" + superscript(s.power) + " " + u)
}

func superscript(n int) string {
	return strings.NewReplacer("-", "⁻", "0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴",
		"5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(strconv.Itoa(n))
}

// share is where v lies between low and high, from 0 to 1.
func (s scale) share(v float64) float64 {
	return math.Min(1, math.Max(0, (v-s.low)/(s.high-s.low)))
}

// compact is a number in running text: three digits.
func compact(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
