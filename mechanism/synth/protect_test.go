package synth

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// variants of the mechanism that make paths in different ways.
func variants() map[string]DPGazeSynth {
	small := DPGazeSynth{Epsilon: 1, Area: Area{Width: 400, Height: 300}, Radius: 50, Window: 50 * time.Millisecond, Grid: 4, Rate: 100}
	positions, printed, free, one, single, many := small, small, small, small, small, small
	positions.Aim = AimPositions
	printed.Published = true
	free.Published, free.Unclamped = true, true
	one.Grid, one.Published = 1, true
	single.Grid = 1
	many.Oracle, many.Levels = "oue", []int{1, 2, 4}
	short := small
	short.Window = time.Millisecond
	return map[string]DPGazeSynth{"paths": small, "positions": positions, "printed": printed, "printed, not clamped": free, "grid of one, printed": one, "grid of one": single, "levels": many, "window shorter than a sample": short}
}

// TestOddRecordings: every odd input is refused before anything is drawn, or comes
// out with its own time stamps and with positions wherever a window had one.
func TestOddRecordings(t *testing.T) {
	for name, m := range variants() {
		all := []*gaze.Recording{}
		for input, v := range oddRecordings(m) {
			if input != "another unit" && input != "columns of two lengths" {
				for _, r := range v.([]*gaze.Recording) {
					r.Continues = false
					all = append(all, r)
				}
				continue
			}
			if _, err := m.Protect(sequence(v.([]*gaze.Recording)), noise.Seeded(1)); err == nil {
				t.Errorf("%s: %s is taken", name, input)
			}
		}
		r, err := m.Protect(sequence(all), noise.Seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		if !r.Synthetic {
			t.Errorf("%s: not marked as synthetic", name)
		}
		i := 0
		for out, err := range r.Recordings {
			if err != nil {
				t.Fatal(err)
			}
			checkRecording(t, name, m, all[i], out)
			i++
		}
		if i != len(all) {
			t.Errorf("%s: %d recordings of %d", name, i, len(all))
		}
	}
}

func checkRecording(t *testing.T, what string, m DPGazeSynth, in, out *gaze.Recording) {
	t.Helper()
	if !slices.Equal(in.Samples.T, out.Samples.T) || in.Participant != out.Participant {
		t.Errorf("%s: time stamps or names differ", what)
	}
	x, y, _, _ := track(in)
	got, _, _ := out.Best()
	for _, s := range spans(in.Samples.T, m.Window) {
		has := false
		for i := s.from; i < s.to && x != nil; i++ {
			has = has || !gaze.Lost(x[i], y[i])
		}
		for i := s.from; i < s.to; i++ {
			u, v := got.X[i], got.Y[i]
			if gaze.Lost(u, v) == has {
				t.Errorf("%s: sample %d is %v, %v", what, i, u, v)
			}
			if inside := u >= 0 && v >= 0 && u <= 400 && v <= 300; has && !inside && !m.Unclamped {
				t.Errorf("%s: sample %d lies off the screen: %v, %v", what, i, u, v)
			}
		}
	}
}

// TestUnclamped: as printed but for the screen's edge.
func TestUnclamped(t *testing.T) {
	m := variants()["printed, not clamped"]
	off := 0
	for seed := range uint64(20) {
		out := released(t, m, []*gaze.Recording{recording(point{1, 1}, point{1, 1})}, seed)[0]
		if p, _, _ := out.Best(); p.X[0] < 0 || p.Y[0] < 0 || p.X[0] > 400 || p.Y[0] > 300 {
			off++
		}
	}
	if off < 10 {
		t.Errorf("%d of 20 starts in a corner were noised off the screen", off)
	}
}

// TestReleaseIsOfReports: what is drawn of a recording depends on its positions
// through reports alone. Two recordings whose every window tells the same device
// the same give the same path.
func TestReleaseIsOfReports(t *testing.T) {
	c, err := shop(1).Curator()
	if err != nil {
		t.Fatal(err)
	}
	times := make([]time.Duration, 200)
	for i := range times {
		times[i] = time.Duration(i) * 12 * time.Millisecond
	}
	var o outline
	o.t = times
	for _, s := range spans(times, 500*time.Millisecond) {
		o.windows = append(o.windows, windowed{span: s, at: elapsed(times, s.from), report: &Report{Start: [2]float64{300, 200}}})
	}
	for _, aim := range []string{AimPaths, AimPositions} {
		var got [2][]float64
		for i := range got {
			for r := range c.Model().recordings([]outline{o}, aim, noise.Seeded(5)) {
				p, _, _ := r.Best()
				got[i] = append(slices.Clone(p.X), p.Y...)
			}
		}
		if !slices.Equal(got[0], got[1]) || len(got[0]) != 400 {
			t.Errorf("%s: one outline, two paths", aim)
		}
	}
}

func tallied(t testing.TB, all []*gaze.Recording) *metric.Paths {
	t.Helper()
	p := &metric.Paths{Width: screen.Width, Height: screen.Height, PixelsPerDegree: screen.Width / 57}
	for _, r := range all {
		if err := p.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	p.Flush()
	return p
}

func meanRMSE(t testing.TB, a, b []*gaze.Recording) (mean float64) {
	t.Helper()
	for i := range a {
		_, m, err := metric.PathRMSE(a[i], b[i])
		if err != nil {
			t.Fatal(err)
		}
		mean += m / float64(len(a))
	}
	return mean
}

// TestBetterThanPrinted: on simulated people, at the same ε and r, the corrected
// mechanism has a smaller density error and a smaller position error, and its
// durations and amplitudes are like those of people. (With ten times as many
// windows density errors are below half of the printed ones: BenchmarkFigures.)
func TestBetterThanPrinted(t *testing.T) {
	all := people(t, 60, 20, simulate.ShopWindow())
	truth := tallied(t, all)
	for _, epsilon := range []float64{1, 3} {
		printed, paths, near := shop(epsilon), shop(epsilon), shop(epsilon)
		printed.Published, near.Aim = true, AimPositions
		p, q := released(t, printed, all, 1), released(t, paths, all, 1)
		was, is := truth.Compare(tallied(t, p)), truth.Compare(tallied(t, q))
		t.Logf("ε = %v: density %.3f printed, %.3f corrected; duration %.3f, %.3f; amplitude %.3f, %.3f", epsilon, *was.Density, *is.Density, *was.Duration, *is.Duration, *was.Amplitude, *is.Amplitude)
		if *is.Density > 0.7**was.Density || *is.Duration > 0.1 || *is.Amplitude > 0.2 {
			t.Errorf("ε = %v: density %.3f printed, %.3f corrected; duration %.3f, amplitude %.3f", epsilon, *was.Density, *is.Density, *is.Duration, *is.Amplitude)
		}
		before, after := meanRMSE(t, all, p), meanRMSE(t, all, released(t, near, all, 1))
		t.Logf("ε = %v: RMSE %.0f printed, %.0f corrected", epsilon, before, after)
		if after > 0.8*before {
			t.Errorf("ε = %v: RMSE %.0f printed, %.0f corrected", epsilon, before, after)
		}
	}
}

// TestPositionsFollowExactStarts: with hardly any noise the guesses are the
// starts, over block borders too.
func TestPositionsFollowExactStarts(t *testing.T) {
	m := shop(30)
	m.Radius, m.Aim = 1, AimPositions
	c, err := m.Curator()
	if err != nil {
		t.Fatal(err)
	}
	src := noise.Seeded(3)
	var at []point
	for range smoothed + lookedAt + 40 {
		at = append(at, point{1280 * src.Float64(), 960 * src.Float64()})
	}
	for i, p := range c.Model().positions().guess(at) {
		if d := math.Hypot(p.x-at[i].x, p.y-at[i].y); d > 25 {
			t.Fatalf("start %d is guessed %v px away", i, d)
		}
	}
}

func TestZeroReports(t *testing.T) {
	c, err := shop(1).Curator()
	if err != nil {
		t.Fatal(err)
	}
	m := c.Model()
	if d := m.Density(); len(d) != fine*fine || math.Abs(sum(d)-1) > 1e-9 {
		t.Errorf("%d cells that sum to %v", len(d), sum(d))
	}
	for name, r := range map[string]Report{
		"empty": {}, "NaN": {Start: [2]float64{math.NaN(), 0}, Answer: []uint64{1}, Move: []uint64{1}}, "level": {Level: 7, Answer: []uint64{1}, Move: []uint64{1}},
		"question": {Question: 9, Answer: []uint64{1}, Move: []uint64{1}}, "answer": {Answer: []uint64{1 << 40}, Move: []uint64{1}},
	} {
		if c.Add(r) == nil {
			t.Errorf("%s: a malformed report was taken", name)
		}
	}
	if c.Reports != 0 {
		t.Errorf("%d reports were counted", c.Reports)
	}
	if _, err := shop(1).Protect(sequence(nil), nil); err == nil {
		t.Error("no source is no error")
	}
}

// TestMalformedReportsCountNothing: of a report with one malformed part the others
// are not counted either.
func TestMalformedReportsCountNothing(t *testing.T) {
	d, err := shop(1).Device()
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Report){
		"move": func(r *Report) { r.Move = r.Move[:0] }, "bits of a move": func(r *Report) { r.Move[0] |= 1 << 63 },
		"answer": func(r *Report) { r.Answer = append(r.Answer, 1) }, "start": func(r *Report) { r.Start[1] = math.Inf(1) },
	} {
		c := d.curator()
		r, _ := d.Window([]Sample{{0, 1, 1}}, noise.Seeded(1))
		spoil(&r)
		if c.Add(r) == nil {
			t.Errorf("%s: taken", name)
		}
		if n := c.Reports + c.starts.n + c.answers[r.Question].Estimate().Reports + c.moves[r.Level].Estimate().Reports; n != 0 {
			t.Errorf("%s: %d parts were counted", name, n)
		}
	}
}

// TestReleasesCanBeReadAgain: reading a release twice, or in part, gives the same
// time stamps again.
func TestReleasesCanBeReadAgain(t *testing.T) {
	for name, m := range variants() {
		all := []*gaze.Recording{recording(point{1, 1}, point{399, 299}, point{1, 299}), recording(point{5, 5}, point{200, 100})}
		r, err := m.Protect(sequence(all), noise.Seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		for range r.Recordings {
			break
		}
		for range 2 {
			if out, err := gaze.Collect(r.Recordings); err != nil || len(out) != len(all) || !slices.Equal(out[1].Samples.T, all[1].Samples.T) {
				t.Errorf("%s: %d recordings, %v", name, len(out), err)
			}
		}
	}
}

// TestControls: the held starts are steps of one position per window; paths
// without reports cover the screen evenly.
func TestControls(t *testing.T) {
	all := people(t, 20, 20, simulate.ShopWindow())
	seq, err := shop(1).Held(sequence(all), noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	for r := range seq {
		p, _, _ := r.Best()
		for _, s := range spans(r.Samples.T, 500*time.Millisecond) {
			for i := s.from; i < s.to; i++ {
				if p.X[i] != p.X[s.from] || p.X[i] < 0 || p.X[i] > screen.Width {
					t.Fatalf("sample %d is at %v, its window's first at %v", i, p.X[i], p.X[s.from])
				}
			}
		}
	}
	if seq, err = shop(1).Prior(sequence(all), noise.Seeded(1)); err != nil {
		t.Fatal(err)
	}
	out, err := gaze.Collect(seq)
	if err != nil || len(out) != len(all) {
		t.Fatalf("%d recordings of %d, %v", len(out), len(all), err)
	}
	got := tallied(t, out)
	halves := [2]float64{}
	for c, n := range got.Density {
		halves[c%metric.PathCells/(metric.PathCells/2)] += n
	}
	if share := halves[0] / (halves[0] + halves[1]); math.Abs(share-0.5) > 0.05 || got.Samples < 30_000 {
		t.Errorf("%d samples, %v of them on the left", got.Samples, share)
	}
}
