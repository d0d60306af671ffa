package population

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// divergence is Jensen and Shannon's, in bits.
func divergence(p, q []float64) float64 {
	sp, sq, d := sum(p), sum(q), 0.0
	for i := range p {
		a, b := p[i]/sp, q[i]/sq
		if a > 0 {
			d += 0.5 * a * math.Log2(2*a/(a+b))
		}
		if b > 0 {
			d += 0.5 * b * math.Log2(2*b/(a+b))
		}
	}
	return d
}

func amplitudes(m *Model) []float64 {
	out := make([]float64, m.Shape.Amplitudes)
	for i, v := range m.Steps {
		out[i/m.Shape.Directions] += v
	}
	return out
}

// What the generator makes of true laws has these laws, for a detector that
// knows nothing of it: the ceiling of every release. Two halves of 600 simulated
// people differ by 0.017 (viewing) and 0.009 (reading) in density.
func TestGeneratedGazeHasTheLaws(t *testing.T) {
	for rate, scene := range map[gaze.Hertz]simulate.Scene{500: simulate.ShopWindow(), 120: simulate.TextPage()} {
		truth := people(t, scene, 200).Laws()
		seq, err := truth.Generate(Output{Rate: rate, Recordings: 150}, noise.Seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		g, err := Gather(truth.Shape, seq)
		if err != nil {
			t.Fatal(err)
		}
		got := g.Laws()
		d, r, s, a := divergence(truth.Density, got.Density), divergence(truth.Durations, got.Durations), divergence(truth.Steps, got.Steps), divergence(amplitudes(truth), amplitudes(got))
		t.Logf("%s at %v Hz: density %.4f, durations %.4f, saccades %.4f, amplitudes %.4f", scene.Name, rate, d, r, s, a)
		if d > 0.045 || r > 0.01 || s > 0.015 || a > 0.008 {
			t.Errorf("%s at %v Hz differs from its laws by %.4f, %.4f, %.4f, %.4f bits", scene.Name, rate, d, r, s, a)
		}
	}
}

// model is a small made-up law: three separate places, saccades of 2 to 6 deg.
func model(t testing.TB) *Model {
	t.Helper()
	s, err := Shape{Screen: gaze.Screen{Width: 800, Height: 600}, PixelsPerDegree: 40, Columns: 20, Rows: 15}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	l, err := Prior{Density: PriorLayout, Boxes: []Box{{100, 100, 100, 100, 3}, {500, 120, 150, 60, 2}, {300, 400, 120, 120, 1}}}.laws(&s)
	if err != nil {
		t.Fatal(err)
	}
	return &Model{Shape: s, Density: l[density], Durations: l[durations], Steps: l[steps]}
}

// The usual detectors take synthetic gaze as it is: header, geometry, gaps.
func TestGeneratedRecordings(t *testing.T) {
	seq, err := model(t).Generate(Output{Rate: 500, Recordings: 12, Length: 20 * time.Second}, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	all, err := gaze.Collect(seq)
	if err != nil || len(all) != 12 {
		t.Fatalf("%d recordings, %v", len(all), err)
	}
	var blinks, fixations int
	for i, r := range all {
		if r.Participant != []string{"S0001", "S0002", "S0003"}[min(i, 2)] && i < 3 || !strings.HasPrefix(r.Participant, "S00") || r.Samples.Len() != 10_000 || r.Rate != 500 {
			t.Errorf("recording %d: participant %q, %d samples at %v Hz", i, r.Participant, r.Samples.Len(), r.Rate)
		}
		if v, err := r.Screen.PixelsPerDegree(); err != nil || math.Abs(v-40) > 1e-9 {
			t.Errorf("the screen of recording %d has %v px/deg, %v", i, v, err)
		}
		f, err := detect.Standard().Fixations(r)
		if err != nil {
			t.Fatal(err)
		}
		b, err := detect.Blinks{}.Detect(r)
		if err != nil {
			t.Fatal(err)
		}
		fixations, blinks = fixations+len(f), blinks+len(b)
	}
	if perSecond := float64(fixations) / 240; perSecond < 2 || perSecond > 4 {
		t.Errorf("%v fixations a second", perSecond)
	}
	if perMinute := float64(blinks) / 4; perMinute < 8 || perMinute > 22 {
		t.Errorf("%v blinks a minute, asked for 15", perMinute)
	}
	again, err := gaze.Collect(seq)
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		if d := gazetest.Diff(all[i], again[i]); d != "" {
			t.Fatalf("recording %d starts again with other samples: %s", i, d)
		}
	}
}

// Laws that cannot all be met at once end in gaze all the same.
func TestGeneratorOfImpossibleLaws(t *testing.T) {
	m := model(t)
	for i := range m.Steps {
		m.Steps[i] = 0
	}
	m.Steps[len(m.Steps)-1] = 1 // 30 deg and more, on a screen of 20 × 15 deg
	for i := range m.Durations {
		m.Durations[i] = 0
	}
	m.Durations[0] = 1
	seq, err := m.Generate(Output{Rate: 60, Recordings: 2, Length: 5 * time.Second, BlinksPerMinute: -1}, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	all, err := gaze.Collect(seq)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range all {
		for i, x := range r.Samples.Tracks[gaze.Cyclopean].X {
			if y := r.Samples.Tracks[gaze.Cyclopean].Y[i]; gaze.Lost(x, y) {
				t.Fatalf("sample %d is lost although nobody blinks", i)
			}
		}
	}
}

// Where a saccade of 10 deg goes, it moves as the main sequence has it.
func TestSaccadesOnTheMainSequence(t *testing.T) {
	seq, err := model(t).Generate(Output{Rate: 1000, Recordings: 4}, noise.Seeded(2))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for r, err := range gaze.Join(seq) {
		if err != nil {
			t.Fatal(err)
		}
		all, err := detect.Standard().Saccades(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range all {
			if s.Amplitude < 4 || s.Duration > 60*time.Millisecond { // the longer ones are two that met
				continue
			}
			n++
			_, peak := simulate.MainSequence(s.Amplitude)
			if s.PeakVelocity < 0.75*peak || s.PeakVelocity > 1.25*peak {
				t.Errorf("%v deg peak at %v deg/s, main sequence %v", s.Amplitude, s.PeakVelocity, peak)
			}
		}
	}
	if n < 50 {
		t.Errorf("%d saccades above 4 deg in two minutes", n)
	}
}
