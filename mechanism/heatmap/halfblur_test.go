package heatmap

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/internal/stattest"
	"github.com/gazeward/gazeward/noise"
)

// loud is a mechanism whose noise is too small to see: ε = 10⁶.
func loud(m HalfBlur) HalfBlur {
	m.Epsilon, m.Places, m.Picture.Method = 1e6, 1, PicturePlain
	return m
}

// The mean without noise is the ordinary heatmap: two half blurs are the blur.
func TestTwoHalvesAreTheBlur(t *testing.T) {
	m := loud(small())
	m.Canvas = Canvas{Width: 300, Height: 200, Cell: 10}
	m.Blur, m.Subjects = 35, 6
	src := noise.Seeded(2)
	maps, want := make([][]float64, m.Subjects), make([]float64, m.Canvas.Len())
	for i := range maps {
		maps[i] = make([]float64, m.Canvas.Len())
		for range 6 {
			maps[i][src.IntN(m.Canvas.Len())] += src.ExpFloat64()
		}
		for j, v := range gauss(maps[i], m.Canvas, m.Blur/m.Canvas.Cell) {
			want[j] += v / sum(maps[i]) / float64(m.Subjects)
		}
	}
	r := release(t, m, maps, 1)
	peak := slices.Max(want)
	for i, v := range r.Maps[0] {
		if math.Abs(v-want[i]) > 2e-3*peak+6*r.NoiseFloor {
			t.Fatalf("cell %d is %v, the ordinary heatmap has %v (peak %v, noise %v)", i, v, want[i], peak, r.NoiseFloor)
		}
	}
	if r.NoiseFloor > 0.01*peak {
		t.Errorf("the noise %v is too large against the peak %v for this test to tell", r.NoiseFloor, peak)
	}
	// With another share of the blur before the noise too.
	for _, query := range []float64{15, 30, 35} {
		m.Query = query
		got := release(t, m, maps, 1)
		for i, v := range got.Maps[0] {
			if math.Abs(v-want[i]) > 5e-3*peak+6*got.NoiseFloor {
				t.Fatalf("query %v: cell %d is %v, the ordinary heatmap has %v", query, i, v, want[i])
			}
		}
	}
}

// Nothing is lost at the border: the margin keeps the mass of a corner.
func TestMarginKeepsTheMass(t *testing.T) {
	for _, cell := range []float64{5, 10, 14} {
		m := small()
		m.Canvas.Cell, m.Canvas.Stimuli = cell, 2
		h := resolved(t, m)
		a := make([]float64, h.len())
		h.spread(a, single(h.Canvas.Len(), 0))
		near(t, "mass of a corner", sum(a), 1, 1e-12)
		h.spread(a, slices.Repeat([]float64{3}, h.Canvas.Len()))
		near(t, "mass of two even maps", sum(a), 2, 1e-12)
	}
	film := small()
	film.Canvas.Steps, film.TimeBlur = 4, 1.3
	h := resolved(t, film)
	a := make([]float64, h.len())
	h.spread(a, single(h.Canvas.Len(), h.Canvas.Len()/2))
	near(t, "mass of a film", sum(a), 1, 2e-3) // the margin in time is 3 deviations
}

// Each subject counts as much as the others, however long they looked; nobody
// and nonsense count as nothing.
func TestDwellIsNormalised(t *testing.T) {
	h := resolved(t, small())
	n := h.Canvas.Len()
	one := h.contribution(single(n, 9))
	for _, scale := range []float64{1e-200, 0.3, 1e200} {
		m := single(n, 9)
		m[9] = scale
		if !slices.Equal(one, h.contribution(m)) {
			t.Errorf("dwell of %v counts differently", scale)
		}
	}
	for name, v := range map[string]float64{"zero": 0, "NaN": math.NaN(), "negative": -1, "infinite": math.Inf(1), "denormal": 5e-324} {
		if z := h.contribution(slices.Repeat([]float64{v}, n)); norm2(z) != 0 {
			t.Errorf("%s dwell counts", name)
		}
		mixed := slices.Repeat([]float64{v}, n)
		mixed[9] = 1
		if !slices.Equal(one, h.contribution(mixed)) {
			t.Errorf("%s dwell beside a look counts", name)
		}
	}
}

// The clip scales: a map of one place has √5 times the norm of one spread over
// five, and one of ten places is left alone.
func TestClipScales(t *testing.T) {
	m := loud(small())
	m.Canvas, m.Subjects, m.Places = Canvas{Width: 2000, Height: 60, Cell: 10}, 1, 5
	mass := func(places int) float64 {
		one := make([]float64, m.Canvas.Len())
		for i := range places {
			one[2*m.Canvas.Cols()+10+i*18] = 1
		}
		return sum(release(t, m, [][]float64{one}, 1).Raw)
	}
	floor := 5 * planNoise(m).Sigma * math.Sqrt(float64(resolved(t, m).len()))
	for places, want := range map[int]float64{1: 1 / math.Sqrt(5), 2: math.Sqrt(2. / 5), 5: 1, 10: 1} {
		if got := mass(places); math.Abs(got-want) > 1e-3+floor {
			t.Errorf("%d places count %v, want %v ± %v", places, got, want, floor)
		}
	}
	if floor > 0.1 {
		t.Errorf("noise of %v hides the clip", floor)
	}
}

// Stimuli are stacked: what one saw of the first stays in the first.
func TestStimuliAreSeparate(t *testing.T) {
	m := loud(small())
	m.Canvas.Stimuli, m.Subjects = 3, 1
	one := make([]float64, m.Canvas.Len())
	film := m.Canvas.Len() / 3
	one[20], one[film+30] = 1, 5
	r := release(t, m, [][]float64{one}, 1)
	if len(r.Maps) != 3 {
		t.Fatalf("%d maps of 3 stimuli", len(r.Maps))
	}
	for i, want := range [][]float64{gauss(single(film, 20), m.Canvas, 2), gauss(single(film, 30), m.Canvas, 2), make([]float64, film)} {
		for j, v := range r.Maps[i] {
			if math.Abs(v-want[j]) > 2e-3*slices.Max(r.Maps[0])+6*r.NoiseFloor {
				t.Fatalf("stimulus %d, cell %d: %v, want %v", i, j, v, want[j])
			}
		}
	}
}

// A film is blurred along time too, half of the variance before the noise.
func TestFilmsAreBlurredInTime(t *testing.T) {
	m := loud(small())
	m.Canvas.Steps, m.TimeBlur, m.Subjects = 7, 1.5, 1
	frame := m.Canvas.Rows() * m.Canvas.Cols()
	one := single(m.Canvas.Len(), 3*frame+20)
	r := release(t, m, [][]float64{one}, 1)
	if len(r.Maps) != 7 {
		t.Fatalf("%d maps of 7 steps", len(r.Maps))
	}
	at, total := gauss(single(frame, 20), m.Canvas, 2)[20], 0.0
	for d := -20; d <= 20; d++ {
		total += math.Exp(-float64(d*d) / (2 * 1.5 * 1.5))
	}
	for step := range 7 {
		d := float64(step - 3)
		want := at * math.Exp(-d*d/(2*1.5*1.5)) / total
		if got := r.Maps[step][20]; math.Abs(got-want) > 5e-3*at+6*r.NoiseFloor {
			t.Errorf("step %d: %v, want %v", step, got, want)
		}
	}
}

// Raw has the stated noise, and a cell of the plain picture the stated floor.
func TestNoiseFloor(t *testing.T) {
	m := small()
	m.Canvas, m.Picture.Method = Canvas{Width: 2400, Height: 1800, Cell: 10}, PicturePlain
	r := release(t, m, nil, 5)
	if err := stattest.NormalMoments(0, r.Shape.Sigma).Check(r.Raw); err != nil {
		t.Error(err)
	}
	if r.Shape.Sigma != planNoise(m).Sigma {
		t.Errorf("the shape says σ = %v, the plan %v", r.Shape.Sigma, planNoise(m).Sigma)
	}
	// About 43200/(4π·1.41²) independent cells: 2.5 % per deviation of the estimate.
	near(t, "noise floor", deviation(r.Maps[0]), r.NoiseFloor, 0.12)
	film := small()
	film.Canvas, film.TimeBlur, film.Picture.Method = Canvas{Width: 800, Height: 600, Cell: 10, Steps: 6}, 1.2, PicturePlain
	r = release(t, film, nil, 6)
	near(t, "noise floor of a film", deviation(slices.Concat(r.Maps...)), r.NoiseFloor, 0.12)
}

func TestWarnsWhereNothingStandsOut(t *testing.T) {
	said := func(r *Release) bool {
		if err := r.EstimateError(); err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(r.Warnings, func(w error) bool { return strings.Contains(w.Error(), "noise floor") })
	}
	m := small()
	m.Picture.Method = PictureSpectral
	if r := release(t, m, nil, 1); !said(r) {
		t.Errorf("an empty map: peak %v, floor %v, %v", r.Peak, r.NoiseFloor, r.Warnings)
	}
	m = loud(small())
	if r := release(t, m, [][]float64{single(48, 20), single(48, 20), single(48, 20), single(48, 20)}, 1); said(r) {
		t.Errorf("a clear map: peak %v, floor %v, %v", r.Peak, r.NoiseFloor, r.Warnings)
	}
}

// Pictures can be made again, and are what the release made.
func TestRender(t *testing.T) {
	m := small()
	m.Picture.Method = PictureThreshold
	r := release(t, m, [][]float64{single(48, 20)}, 1)
	again, err := Render(r.Raw, r.Shape, m.Picture)
	if err != nil || !slices.Equal(again.Maps[0], r.Maps[0]) || again.NoiseFloor != r.NoiseFloor {
		t.Errorf("made again it differs: %v", err)
	}
	plain, err := Render(r.Raw, r.Shape, Picture{Method: PicturePlain})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range plain.Maps[0] {
		if want := math.Max(0, v-2*r.NoiseFloor); math.Abs(r.Maps[0][i]-want) > 1e-12 {
			t.Fatalf("cell %d: threshold gives %v, want %v", i, r.Maps[0][i], want)
		}
	}
	for _, bad := range []struct {
		raw []float64
		p   Picture
	}{{r.Raw[1:], Picture{}}, {nil, Picture{}}, {r.Raw, Picture{Method: "nice"}}, {slices.Repeat([]float64{math.NaN()}, len(r.Raw)), Picture{}}} {
		if _, err := Render(bad.raw, r.Shape, bad.p); err == nil {
			t.Errorf("rendered %d numbers by %q", len(bad.raw), bad.p.Method)
		}
	}
}

// The figures of MECHANISMS §3 rest on one thing: the noise relative to the map
// does not depend on the cells' size. Liu's stays the same in a cell of a
// quarter of the size, which holds a quarter of the looks.
func TestErrorDoesNotDependOnTheGrid(t *testing.T) {
	floor := func(cell float64) float64 {
		m := HalfBlur{Epsilon: 1, Delta: 1e-5, Subjects: 100, Canvas: Canvas{Width: 400, Height: 300, Cell: cell}, Blur: 24, Picture: Picture{Method: PicturePlain}}
		r := release(t, m, nil, 1)
		return r.NoiseFloor / (cell * cell) // per px²: of a density
	}
	coarse, fine := floor(8), floor(2)
	near(t, "noise floor per px² on 2 px cells", fine, coarse, 0.01)
	add := func(cell float64) float64 {
		m := Additive{Epsilon: 1, Delta: 1e-5, Law: noise.Gaussian, Subjects: 100, Canvas: Canvas{Width: 400, Height: 300, Cell: cell}, Blur: 24, Cap: 1}
		return release(t, m, nil, 1).NoiseFloor
	}
	near(t, "Liu's noise floor in looks per cell", add(4), add(8), 0.01)
}
