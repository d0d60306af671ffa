package curator

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/noise"
)

// What was released of a recording is found by the curator's key alone.
func TestComparisonPairsByTheKey(t *testing.T) {
	l := newLab(t)
	l.table(t, "all.csv", 6)
	j := &GazeJob{Job: l.job(t), Spec: spec(t, "gaze", "kaleido"), Values: map[string]string{"epsilon": "200", "radius": "5px", "window": "500ms"}}
	j.Source = noise.Seeded(1)
	r, err := j.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	c := Comparison{Raw: l.open(t), Home: l.home, Dir: r.Dir}
	if err := c.Open(context.Background()); err != nil {
		t.Fatal(err)
	}
	if !c.Paired {
		t.Fatal("the key does not pair")
	}
	n := 0
	for p, err := range c.Pairs(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		n++
		raw, _, _ := p.Raw.Best()
		out, _, ok := p.Released.Best()
		if !ok || len(raw.X) != len(out.X) {
			t.Fatalf("%d samples became %d", len(raw.X), len(out.X))
		}
		off := 0.0
		for i := range raw.X {
			off += math.Hypot(raw.X[i]-out.X[i], raw.Y[i]-out.Y[i]) / float64(len(raw.X))
		}
		if off > 20 { // at ε = 200 per 5 px the noise is small; other people are far away
			t.Errorf("recording %d is %g px from its own release", n, off)
		}
	}
	if n != 6 || c.Unpaired != 0 {
		t.Errorf("%d pairs, %d without a raw recording", n, c.Unpaired)
	}

	strangers := Comparison{Raw: l.open(t), Home: Home{Dir: t.TempDir()}, Dir: r.Dir}
	if err := strangers.Open(context.Background()); err != nil || strangers.Paired {
		t.Errorf("paired without the key: %v %v", strangers.Paired, err)
	}
	count := 0
	for _, err := range strangers.ReleasedRecordings(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		count++
	}
	if count != 6 {
		t.Errorf("%d recordings in the release", count)
	}
	if err := (&Comparison{Raw: l.open(t), Home: l.home, Dir: t.TempDir()}).Open(context.Background()); err == nil {
		t.Error("a folder without a manifest is a release")
	}
	h := l.heatmap(t)
	m, err := h.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := (&Comparison{Raw: l.open(t), Home: l.home, Dir: m.Dir}).Open(context.Background()); !errors.Is(err, ErrNoRecordings) {
		t.Errorf("a heatmap has recordings: %v", err)
	}
}

// The noise-free heatmap beside a release is that of the same people on the
// same cells.
func TestHeatmapsBesideTheirTruth(t *testing.T) {
	l := newLab(t)
	l.table(t, "all.csv", 12)
	j := l.heatmap(t)
	j.Source, j.Values["epsilon"] = noise.Seeded(2), "500"
	r, err := j.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	c := HeatmapComparison{Raw: l.open(t), Dir: r.Dir}
	pairs, err := c.Pairs(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(pairs) != 1 || pairs[0].Stimulus != "hill" {
		t.Fatalf("%d pairs", len(pairs))
	}
	cc, err := metric.CC(pairs[0].Released, pairs[0].Truth)
	if err != nil || cc < 0.98 {
		t.Errorf("correlation %v with hardly any noise, %v", cc, err)
	}
	if _, err := (&HeatmapComparison{Raw: l.open(t), Dir: t.TempDir()}).Pairs(context.Background()); err == nil {
		t.Error("an empty folder is a release")
	}
}
