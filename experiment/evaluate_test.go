package experiment

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func evaluated(t *testing.T, change func(*gaze.Recording, *noise.Source)) (map[string]Measure, *PathsEvaluation) {
	t.Helper()
	scene := simulate.ShopWindow()
	cohort := simulate.Cohort{People: 8, Scenes: []simulate.Scene{scene}, Seconds: 10, Rate: 120}
	screen := scene.Screen()
	e := &PathsEvaluation{Width: float64(screen.Width), Height: float64(screen.Height), PixelsPerDegree: 40, Resamples: 40}
	src := noise.Seeded(5)
	for r, err := range gaze.Join(cohort.Recordings(noise.Seeded(3))) {
		if err != nil {
			t.Fatal(err)
		}
		if err := e.AddRaw(r); err != nil {
			t.Fatal(err)
		}
		out := *r
		track, eye, _ := r.Best()
		out.Samples.Tracks[eye] = gaze.Track{X: append([]float64{}, track.X...), Y: append([]float64{}, track.Y...)}
		change(&out, src)
		if err := e.AddReleased(&out); err != nil {
			t.Fatal(err)
		}
		e.AddPair(r, &out)
	}
	all, err := e.Measures()
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]Measure{}
	for _, m := range all {
		by[m.Name] = m
	}
	return by, e
}

const rootMean, densityError = "position error, root of the mean", "density error (60 × 60 cells), Jensen–Shannon divergence"

func TestEvaluationOfWhatIsTheSame(t *testing.T) {
	same, _ := evaluated(t, func(*gaze.Recording, *noise.Source) {})
	if v := same[rootMean].Value; v == nil || *v != 0 {
		t.Errorf("position error %v", v)
	}
	if v := same[densityError].Value; v == nil || *v > 1e-12 {
		t.Errorf("density error %v", v)
	}
	if v := same["fixations per sample, released over raw"].Value; v == nil || *v != 1 {
		t.Errorf("fixations kept: %v", v)
	}
	if f := same[densityError].Floor; f == nil || !(*f > 0.01 && *f <= 1) {
		t.Errorf("split-half floor %v", *f)
	}
}

func TestEvaluationOfNoise(t *testing.T) {
	const off = 50
	noisy, _ := evaluated(t, func(r *gaze.Recording, src *noise.Source) {
		track, _, _ := r.Best()
		for i := range track.X { // a constant distance in a random direction
			a := 2 * math.Pi * src.Float64()
			track.X[i] += off * math.Cos(a)
			track.Y[i] += off * math.Sin(a)
		}
	})
	m := noisy[rootMean]
	if m.Value == nil || math.Abs(*m.Value-off) > 1e-9 || *m.Low > *m.Value || *m.High < *m.Value {
		t.Errorf("position error %+v, want %d", m, off)
	}
	d := noisy[densityError]
	if d.Value == nil || *d.Value < 0.05 || *d.Low > *d.High {
		t.Errorf("density error %+v", d)
	}
	if v := noisy["fixations per sample, released over raw"].Value; v == nil || *v > 0.5 {
		t.Errorf("fixations kept under noise of 50 px per sample: %v", *v)
	}
}

func TestEvaluationRefusesNothing(t *testing.T) {
	if _, err := new(PathsEvaluation).Measures(); err == nil {
		t.Error("nothing was compared")
	}
}

func TestMapsBesideTheirTruth(t *testing.T) {
	truth := []float64{1, 2, 3, 4}
	for _, m := range EvaluateMap(truth, truth) {
		want := map[string]float64{"correlation coefficient": 1, "mean squared error": 0, "similarity": 1, "Kullback–Leibler divergence": 0, "Jensen–Shannon divergence": 0}[m.Name]
		if m.Value == nil || math.Abs(*m.Value-want) > 1e-9 {
			t.Errorf("%s of a map with itself: %+v", m.Name, m)
		}
	}
	for _, m := range EvaluateMap([]float64{1, 1, 1, 1}, truth) {
		if m.Name == "correlation coefficient" && (m.Value != nil || m.Note == "") {
			t.Errorf("a constant map correlates: %+v", m)
		}
	}
}
