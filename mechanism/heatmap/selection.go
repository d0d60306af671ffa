package heatmap

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Selection is the baseline of Liu et al. 2019, Theorems 3.2 and 3.3: the mean
// map of a random part of the subjects, without noise. It has no useful
// guarantee: whoever knows the others subtracts them. With Share 1 and
// Replacement false it is the noise-free mean.
type Selection struct {
	Share       float64 // c: part of the subjects that is drawn, in (0, 1]; required
	Replacement bool    // draw with replacement
	Subjects    int     // required
	Canvas      Canvas  // required
	Blur        float64 // px, of the picture; 0 = none
	Unit        dp.Unit
}

// NoiseFree is the mean map of all subjects.
func NoiseFree(subjects int, c Canvas, blur float64) Selection {
	return Selection{Share: 1, Subjects: subjects, Canvas: c, Blur: blur}
}

// Check reports parameters that make no mechanism.
func (m Selection) Check() error {
	if err := checkSubjects(m.Subjects, m.Unit); err != nil {
		return err
	}
	if err := m.Canvas.check(); err != nil {
		return err
	}
	if !(m.Share > 0 && m.Share <= 1) {
		return fmt.Errorf("heatmap: share must lie in (0, 1], got %v", m.Share)
	}
	return Picture{}.check(Shape{Canvas: m.Canvas, Blur: m.Blur})
}

// Leak is the least δ for which the mechanism is (ε, δ)-DP, at any ε: the
// probability that a given subject is drawn: c, or 1 − (1 − 1/n)^{cn}.
func (m Selection) Leak() float64 {
	if m.Replacement {
		return -math.Expm1(float64(m.draws()) * math.Log1p(-1/float64(m.Subjects)))
	}
	return float64(m.draws()) / float64(m.Subjects)
}

func (m Selection) draws() int {
	return min(max(int(math.Round(m.Share*float64(m.Subjects))), 1), m.Subjects)
}

// Guarantee is void: there is no noise.
func (m Selection) Guarantee() dp.Guarantee {
	g := dp.Guarantee{Measure: dp.None, Unit: m.Unit, Neighbours: dp.ReplaceOne, Model: dp.Central, Unprotected: unprotected(m.Canvas.Steps)}
	if err := m.Check(); err != nil {
		return g.Voided(err.Error())
	}
	return g.Voided(fmt.Sprintf("no noise: δ ≥ %.3g at every ε (Liu et al. 2019, Theorems 3.2 and 3.3)", m.Leak()))
}

func (m Selection) name() string {
	switch {
	case m.Replacement:
		return "heatmap/selection-with"
	case m.Share < 1:
		return "heatmap/selection-without"
	}
	return "heatmap/noise-free"
}

// Plan implements [mechanism.Mechanism].
func (m Selection) Plan() mechanism.Plan {
	return mechanism.Plan{
		Mechanism: m.name(), Calibration: mechanism.Published, Guarantee: m.Guarantee(),
		Noise: mechanism.Noise{Law: "none"},
		Parameters: map[string]string{
			"subjects": strconv.Itoa(m.Subjects), "width": format(m.Canvas.Width), "height": format(m.Canvas.Height),
			"cell": format(m.Canvas.Cell) + "px", "share": format(m.Share), "blur": format(m.Blur) + "px",
		},
	}
}

// Release averages the drawn subjects' maps; see [HalfBlur.Release]. Subjects
// without data count as zero maps.
func (m Selection) Release(maps Maps, src *noise.Source) (*Release, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	times, i := m.draw(src), 0
	raw := make([]float64, m.Canvas.Len())
	err := each(maps, m.Canvas, m.Subjects, func(v []float64) {
		if w := times[i]; w > 0 {
			for j, x := range v {
				raw[j] += w * amount(x)
			}
		}
		i++
	})
	if err != nil {
		return nil, err
	}
	for j := range raw {
		raw[j] /= float64(m.draws())
	}
	r := &Release{Release: mechanism.Draw(m.Plan(), src), Raw: raw, Shape: Shape{Canvas: m.Canvas, Blur: m.Blur}}
	return r, r.render(Picture{Method: PicturePlain})
}

// draw says how many times each subject counts.
func (m Selection) draw(src *noise.Source) []float64 {
	times := make([]float64, m.Subjects)
	if m.Replacement {
		for range m.draws() {
			times[src.IntN(m.Subjects)]++
		}
		return times
	}
	for _, i := range src.Perm(m.Subjects)[:m.draws()] {
		times[i] = 1
	}
	return times
}
