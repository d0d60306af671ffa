package heatmap

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/audit"
	"github.com/gazeward/gazeward/noise"
)

// Faults of Liu et al. 2019 (MECHANISMS §11), each shown.

// §4.1 prints 0.0986 for a screen of 1050 × 1680 pixels, n = 50 000, ε = 1.5,
// δ = n^−1.5. Its own theorem gives 0.1032.
func TestFaultPrintedNoise(t *testing.T) {
	m := liu(noise.Gaussian, 1050, 1680, 50_000, 1.5)
	m.Published = true
	if got := planNoise(m).Sigma; math.Abs(got-0.1032) > 5e-5 || math.Abs(got-0.0986) < 4e-3 {
		t.Errorf("Theorem 3.4 gives %v", got)
	}
}

// Algorithm 1 chooses the cap on the counts it protects, which Theorem 3.4 does
// not cover. One person with many looks moves the cap, the cap the scale of the
// noise, and the scale is seen: at nominal (5, 0.01) the audit proves more than
// 5.
func TestFaultCapChosenOnTheData(t *testing.T) {
	const n, most = 22, 20
	at := func(top float64) Additive {
		return Additive{
			Law: noise.Gaussian, Epsilon: 5, Delta: 0.01, Subjects: n, Canvas: Canvas{Width: 1, Height: 1, Cell: 1},
			Cap: top, CapFromData: true, Published: true,
		}
	}
	nobody := slices.Repeat([][]float64{{0}}, n)
	one := slices.Clone(nobody)
	one[0] = []float64{most}
	algorithm1 := func(maps [][]float64) (*additive, float64) {
		curve, err := CapCurve(slices.Values(maps), at(1).Canvas, n, Caps{Step: 1, Count: most}, planNoise(at(1)).Sigma)
		if err != nil {
			t.Fatal(err)
		}
		a, err := at(curve.Best()).prepare()
		if err != nil {
			t.Fatal(err)
		}
		return a, curve.Best()
	}
	a, capA := algorithm1(nobody)
	b, capB := algorithm1(one)
	if capA != 1 || capB < 10 {
		t.Fatalf("caps %v and %v", capA, capB)
	}
	claim := at(1).Guarantee()
	if why, void := claim.Void(); !void || !strings.Contains(why, "Algorithm 1") {
		t.Fatalf("the release promises %v", claim)
	}
	claim.Mu = 0 // (ε, δ) as printed, not that of one Gaussian
	r, err := audit.Audit{}.Run(audit.Case{
		Mechanism: "Liu et al. 2019, Algorithm 1", Claim: claim,
		Draw: func(side bool, src *noise.Source) (float64, error) {
			m, maps := a, nobody
			if side {
				m, maps = b, one
			}
			r, err := m.draw(slices.Values(maps), src)
			if err != nil {
				return 0, err
			}
			return r.Raw[0], nil
		},
	}, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != audit.Falsified {
		t.Errorf("%+v", r)
	}
	t.Logf("nominal ε = 5, shown %.2f at 95 %%", r.Lower.Epsilon)
}
