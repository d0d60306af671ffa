package heatmap

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Caps is a public range of caps to choose from: Step, 2·Step, … Count·Step,
// in the maps' unit.
type Caps struct {
	Step  float64
	Count int
}

// maxCaps bounds the range; the curve has one value per cap.
const maxCaps = 1 << 16

func (c Caps) check() error {
	if !(c.Step > 0) || math.IsInf(c.Step, 0) || c.Count < 2 || c.Count > maxCaps {
		return fmt.Errorf("heatmap: caps need a positive step and between 2 and %d of them, got %d of %v", maxCaps, c.Count, c.Step)
	}
	return nil
}

// Curve is the expected squared error per cell for every cap of a range, split
// into what is public and what is read from the maps (Liu et al. 2019,
// Theorem 4.1): E[MSE](m) = s²m² + (1/r)‖G^(m) − G^(M)‖², s = σ/m.
type Curve struct {
	Caps     Caps
	Subjects int       // n, of whom it is the mean
	Noise    []float64 // s²m²
	Bias     []float64 // (1/r)‖G^(m) − G^(M)‖², M the largest cap
}

// Best is the cap with the least expected error.
func (c Curve) Best() float64 {
	best := 0
	for j := range c.Bias {
		if c.Noise[j]+c.Bias[j] < c.Noise[best]+c.Bias[best] {
			best = j
		}
	}
	return float64(best+1) * c.Caps.Step
}

// CapCurve computes the curve of Algorithm 1 of Liu et al. 2019 in one pass
// over the sorted values of each cell, instead of one pass per cap. perCap is
// s: the noise's standard deviation in a cell of the mean map at cap one.
//
// The curve is a function of the maps: on private data its minimum voids the
// guarantee ([Additive].CapFromData). Take it from public or pilot data, or pay
// for it ([PaidCap]).
func CapCurve(maps Maps, c Canvas, subjects int, caps Caps, perCap float64) (Curve, error) {
	if err := caps.check(); err != nil {
		return Curve{}, err
	}
	if err := c.check(); err != nil {
		return Curve{}, err
	}
	values := make([][]float64, c.Len())
	top := caps.Step * float64(caps.Count)
	err := each(maps, c, subjects, func(v []float64) {
		for i, x := range v {
			if x = math.Min(amount(x), top); x > caps.Step {
				values[i] = append(values[i], x)
			}
		}
	})
	if err != nil {
		return Curve{}, err
	}
	curve := Curve{Caps: caps, Subjects: subjects, Noise: make([]float64, caps.Count), Bias: make([]float64, caps.Count)}
	bias := make([]compensated, caps.Count)
	for _, cell := range values {
		addExcess(bias, cell, caps.Step, float64(subjects))
	}
	for j := range curve.Bias {
		m := float64(j+1) * caps.Step
		curve.Noise[j] = perCap * perCap * m * m
		curve.Bias[j] = bias[j].sum / float64(c.Len())
	}
	return curve, nil
}

// addExcess adds the squared mean excess of one cell over every cap: values
// are visited from the largest, caps from the highest that any value exceeds.
func addExcess(bias []compensated, cell []float64, step, n float64) {
	slices.SortFunc(cell, func(a, b float64) int { return cmp.Compare(b, a) })
	i, sum := 0, 0.0
	high := len(bias) - 1
	if len(cell) > 0 {
		high = min(high, int(cell[0]/step))
	}
	for j := high; j >= 0 && len(cell) > 0; j-- {
		m := float64(j+1) * step
		for i < len(cell) && cell[i] > m {
			sum += cell[i]
			i++
		}
		d := math.Max(0, sum-float64(i)*m) / n
		bias[j].add(d * d)
	}
}

// compensated is a Neumaier sum: the sensitivity argument of PaidCap leaves
// room for its rounding error only.
type compensated struct{ sum, low float64 }

func (c *compensated) add(v float64) {
	y := v + c.low
	t := c.sum + y
	c.low = y - (t - c.sum)
	c.sum = t
}

// PaidCap chooses a cap with the exponential mechanism, at a price of epsilon
// (pure, per subject, replace one). Its score −[s²m² + (1/r)‖G^(m) − G^(M)‖²]
// changes by at most 2(M−1)²step²/n (PROOFS C5).
func PaidCap(curve Curve, epsilon float64, src *noise.Source) (float64, dp.Guarantee, error) {
	if err := checkBudget(epsilon, 0, false); err != nil {
		return 0, dp.Guarantee{}, err
	}
	if err := curve.Caps.check(); err != nil {
		return 0, dp.Guarantee{}, err
	}
	spread := float64(curve.Caps.Count-1) * curve.Caps.Step
	sensitivity := 2 * spread * spread / float64(curve.Subjects)
	cost := make([]float64, len(curve.Bias))
	for j := range cost {
		cost[j] = curve.Noise[j] + curve.Bias[j]
	}
	j := mechanism.Exponential(cost, epsilon, sensitivity, src)
	g := dp.Guarantee{Measure: dp.Pure, Epsilon: epsilon, Neighbours: dp.ReplaceOne, Model: dp.Central}
	return float64(j+1) * curve.Caps.Step, g.DrawnFrom(src), nil
}
