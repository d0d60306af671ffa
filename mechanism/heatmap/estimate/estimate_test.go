package estimate

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// scene is a family of subjects for tests: it puts each one's fixations on a
// w×h canvas, weights summing to one.
type scene struct {
	name string
	w, h int
	look func(r *rand.Rand) []spot
}

type spot struct{ x, y, weight float64 }

// release simulates what the curator does: blur, clip to the norm of a map over
// `places` separate places, average, noise. It returns the picture without
// noise and without clip beside the release.
func (s scene) release(r *rand.Rand, n int, places, relative float64) (Problem, []float64) {
	return s.releaseAt(r, n, places, relative, 3/math.Sqrt2)
}

// releaseAt does it with another query blur.
func (s scene) releaseAt(r *rand.Rand, n int, places, relative, query float64) (Problem, []float64) {
	const picture = 3.0
	p := Problem{
		Width: s.w, Height: s.h, Margin: 15,
		QueryBlur: query, PictureBlur: picture,
	}
	cells := p.Stride() * p.Rows()
	sum, clipped, own := make([]float64, cells), make([]float64, cells), make([]float64, cells)
	b := newBlurrer(p.QueryBlur, p.Stride(), p.Rows())
	bound := 1 / (2 * p.QueryBlur * math.Sqrt(math.Pi*places))
	for range n {
		clear(own)
		for _, f := range s.look(r) {
			x, y := int(f.x), int(f.y)
			if x >= 0 && x < s.w && y >= 0 && y < s.h {
				own[(y+p.Margin)*p.Stride()+x+p.Margin] += f.weight
			}
		}
		axpy(sum, own, 1/float64(n))
		b.apply(own, own)
		axpy(clipped, own, min(1, bound/norm(own))/float64(n))
	}
	// relative is the analytic Gaussian multiplier c(ε, δ).
	p.Sigma = math.Sqrt2 * bound / float64(n) * relative
	p.Y = clipped
	for i := range p.Y {
		p.Y[i] += p.Sigma * r.NormFloat64()
	}
	truth := make([]float64, cells)
	newBlurrer(picture, p.Stride(), p.Rows()).apply(truth, sum)
	return p, p.crop(truth)
}

func norm(v []float64) float64 {
	e := 0.0
	for _, x := range v {
		e += x * x
	}
	return math.Sqrt(max(e, 1e-300))
}

// correlation is Pearson's.
func correlation(a, b []float64) float64 {
	var ma, mb float64
	for i := range a {
		ma += a[i] / float64(len(a))
		mb += b[i] / float64(len(b))
	}
	var ab, aa, bb float64
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return ab / math.Sqrt(aa*bb)
}

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

// looks draws a subject of ten fixations, each at one of the spots, with jitter.
func looks(r *rand.Rand, jitter float64, spots ...spot) []spot {
	var out []spot
	total := 0.0
	for range 10 {
		at := r.Float64()
		k := 0
		for k < len(spots)-1 && at > spots[k].weight {
			at -= spots[k].weight
			k++
		}
		d := 0.05 + r.ExpFloat64()*0.2
		out = append(out, spot{spots[k].x + jitter*r.NormFloat64(), spots[k].y + jitter*r.NormFloat64(), d})
		total += d
	}
	for i := range out {
		out[i].weight /= total
	}
	return out
}

// peaky, broad and lines are three ways of looking.
func scenes() []scene {
	return []scene{
		{"peaky", 60, 45, func(r *rand.Rand) []spot {
			return looks(r, 1.5, spot{12, 10, .4}, spot{40, 15, .3}, spot{25, 35, .2}, spot{52, 38, .1})
		}},
		{"broad", 60, 45, func(r *rand.Rand) []spot {
			return looks(r, 9, spot{30, 22, .7}, spot{15, 15, .3})
		}},
		{"lines", 60, 45, func(r *rand.Rand) []spot {
			s := looks(r, 0.5, spot{0, 10, .3}, spot{0, 20, .3}, spot{0, 30, .4})
			for i := range s {
				s[i].x = 8 + 44*r.Float64()
			}
			return s
		}},
	}
}

func TestPlainIsTheSecondBlur(t *testing.T) {
	p := Problem{Width: 30, Height: 20, Margin: 12, QueryBlur: 2, PictureBlur: 3}
	point := make([]float64, p.Stride()*p.Rows())
	point[(12+9)*p.Stride()+12+11] = 1
	p.Y = make([]float64, len(point))
	newBlurrer(2, p.Stride(), p.Rows()).apply(p.Y, point)
	got, err := Plain(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		dx, dy := float64(i%30-11), float64(i/30-9)
		want := math.Exp(-(dx*dx+dy*dy)/18) / (2 * math.Pi * 9)
		if math.Abs(v-want) > 2e-5 {
			t.Fatalf("cell %d: got %v, want %v", i, v, want)
		}
	}
}

// The sample deviation of Plain over 40 maps of pure noise; 54 000 strongly
// correlated cells (about 1500 independent ones per deviation of the kernel):
// a deviation of 15 % is over six standard errors, a wrong factor √2 or 0.7
// is 30 %.
func TestNoiseFloorIsTheDeviationOfPlain(t *testing.T) {
	r := generator(1)
	p := Problem{Width: 45, Height: 30, Margin: 10, Sigma: 0.2, QueryBlur: 2, PictureBlur: 2 * math.Sqrt2}
	p.Y = make([]float64, p.Stride()*p.Rows())
	ss, n := 0.0, 0
	for range 40 {
		for i := range p.Y {
			p.Y[i] = p.Sigma * r.NormFloat64()
		}
		out, err := Plain(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range out {
			ss += v * v
			n++
		}
	}
	floor, err := NoiseFloor(p)
	if err != nil {
		t.Fatal(err)
	}
	if got := math.Sqrt(ss / float64(n)); math.Abs(got/floor-1) > 0.15 {
		t.Fatalf("deviation %v, floor %v", got, floor)
	}
	if want := p.Sigma / (2 * 2 * math.Sqrt(math.Pi)); math.Abs(floor/want-1) > 0.01 {
		t.Fatalf("floor %v, want σ/(2s√π) = %v", floor, want)
	}
}

func TestThreshold(t *testing.T) {
	p, _ := scenes()[0].release(generator(2), 50, 5, 3)
	plain, err := Plain(p)
	if err != nil {
		t.Fatal(err)
	}
	floor, err := NoiseFloor(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Threshold(p, 2)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for i, v := range got {
		if want := max(plain[i]-2*floor, 0); v != want {
			t.Fatalf("cell %d: got %v, want %v", i, v, want)
		}
		if v > 0 {
			kept++
		}
	}
	if kept == 0 || kept == len(got) {
		t.Fatalf("%d of %d cells kept", kept, len(got))
	}
}

func TestSpectralWithoutNoiseIsPlain(t *testing.T) {
	p, _ := scenes()[1].release(generator(3), 50, 5, 0)
	plain, err := Plain(p)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Spectral(p)
	if err != nil {
		t.Fatal(err)
	}
	top := 0.0
	for _, v := range plain {
		top = max(top, v)
	}
	for i, v := range got {
		if math.Abs(v-plain[i]) > 2e-3*top {
			t.Fatalf("cell %d: got %v, want %v", i, v, plain[i])
		}
	}
}

// Not on few separate peaks: a filter that keeps no phase spreads them.
func TestSpectralBeatsPlainOnBroadMaps(t *testing.T) {
	for _, s := range scenes()[1:] {
		p, truth := s.release(generator(4), 60, 5, 3)
		plain, err := Plain(p)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Spectral(p)
		if err != nil {
			t.Fatal(err)
		}
		a, b := correlation(plain, truth), correlation(got, truth)
		t.Logf("%s: plain %.3f, spectral %.3f", s.name, a, b)
		if b < a {
			t.Errorf("%s: spectral %.3f is below plain %.3f", s.name, b, a)
		}
	}
}

func TestSpectralOfZero(t *testing.T) {
	p := Problem{Width: 7, Height: 3, Margin: 4, Sigma: 1, QueryBlur: 1, PictureBlur: 1.5}
	p.Y = make([]float64, p.Stride()*p.Rows())
	got, err := Spectral(p)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if v != 0 {
			t.Fatalf("cell %d: got %v", i, v)
		}
	}
}

func TestProblemIsChecked(t *testing.T) {
	good := func() Problem {
		return Problem{Width: 4, Height: 3, Margin: 1, Sigma: 1, QueryBlur: 1, PictureBlur: 2, Y: make([]float64, 30)}
	}
	bad := map[string]func(*Problem){
		"no canvas":        func(p *Problem) { p.Width = 0 },
		"margin":           func(p *Problem) { p.Margin = -1 },
		"length":           func(p *Problem) { p.Y = p.Y[1:] },
		"overflow":         func(p *Problem) { p.Width, p.Height = math.MaxInt/2, math.MaxInt/2 },
		"sigma":            func(p *Problem) { p.Sigma = -1 },
		"sigma NaN":        func(p *Problem) { p.Sigma = math.NaN() },
		"sigma infinite":   func(p *Problem) { p.Sigma = math.Inf(1) },
		"query blur":       func(p *Problem) { p.QueryBlur = math.NaN() },
		"picture blur":     func(p *Problem) { p.PictureBlur = -1 },
		"map NaN":          func(p *Problem) { p.Y[7] = math.NaN() },
		"map infinite":     func(p *Problem) { p.Y[7] = math.Inf(-1) },
		"blur without end": func(p *Problem) { p.PictureBlur = 1e9 },
	}
	if _, err := Plain(good()); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range bad {
		p := good()
		spoil(&p)
		for i, f := range []func(Problem) ([]float64, error){Plain, Spectral} {
			if _, err := f(p); err == nil {
				t.Errorf("%s: estimator %d did not refuse", name, i)
			}
		}
		if _, err := Threshold(p, 2); err == nil {
			t.Errorf("%s: Threshold did not refuse", name)
		}
	}
	if _, err := Threshold(good(), math.NaN()); err == nil {
		t.Error("Threshold took NaN")
	}
}

func TestSmooth(t *testing.T) {
	for n, want := range map[int]int{1: 2, 2: 2, 7: 8, 190: 192, 191: 192, 241: 250, 2 * 131: 270} {
		if got := smooth(n); got != want {
			t.Errorf("smooth(%d) = %d, want %d", n, got, want)
		}
	}
}

func TestPlaneInverts(t *testing.T) {
	r := generator(5)
	for _, size := range [][2]int{{1, 1}, {1, 9}, {13, 1}, {7, 11}, {32, 20}} {
		w, h := size[0], size[1]
		m := make([]float64, w*h)
		for i := range m {
			m[i] = r.NormFloat64()
		}
		f := newPlane(w, h)
		got := f.inverse(f.forward(m, w, h), w, h)
		for i := range m {
			if math.Abs(got[i]-m[i]) > 1e-12 {
				t.Fatalf("%d×%d cell %d: got %v, want %v", w, h, i, got[i], m[i])
			}
		}
	}
}

func BenchmarkSpectral(b *testing.B) {
	for _, size := range [][2]int{{100, 75}, {210, 131}} {
		b.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(b *testing.B) {
			s := scenes()[0]
			s.w, s.h = size[0], size[1]
			p, _ := s.release(generator(6), 30, 5, 3)
			for b.Loop() {
				if _, err := Spectral(p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
