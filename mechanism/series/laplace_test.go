package series

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// people makes recordings of smooth signals that differ from person to person.
func people(subjects, features, windows int) []Signals {
	var all []Signals
	for p := range subjects {
		r := Signals{Subject: string(rune('a' + p)), Recording: "1", Condition: "text"}
		for f := range features {
			v := make([]float64, windows)
			for t := range v {
				v[t] = 0.5 + 0.2*math.Sin(float64(t)/20+float64(p)) + 0.1*math.Cos(float64(t*(f+1))/7)
			}
			r.Values = append(r.Values, v)
		}
		all = append(all, r)
	}
	return all
}

var unit = []Bounds{{0, 1}}

// TestPlansFromTheIssue: the two lines that were promised.
func TestPlansFromTheIssue(t *testing.T) {
	p := Laplace{Method: FPA, Epsilon: 1, Cut: Cut{Features: 1, Length: 1024}, Coefficients: 10, Bounds: unit}.Plan()
	if p.Sensitivity.L2 != 32 || p.Noise.Scale > 3238.17 || p.Noise.Scale < 0.8*3238.17 {
		t.Errorf("FPA: L2 %v, scale %v", p.Sensitivity.L2, p.Noise.Scale)
	}
	p = Laplace{Method: DCFPA, Epsilon: 0.48, Cut: Cut{Features: 48, Length: 1200, Chunk: 32, Unit: dp.Chunk}, Coefficients: 4, Bounds: unit}.Plan()
	for what, v := range map[string][2]float64{
		"epsilon": {p.Guarantee.Epsilon, 0.48}, "per feature": {p.PerFeature.Epsilon, 0.01}, "recording": {p.Composed["recording"].Epsilon, 18.24},
		"one second of gaze": {p.Composed["gaze"].Epsilon, 3 * 0.48}, "chunk": {p.Composed["chunk"].Epsilon, 0.48},
	} {
		if v[0] != v[1] {
			t.Errorf("DCFPA: %s %v, want %v", what, v[0], v[1])
		}
	}
	if p.Guarantee.Unit != dp.Chunk || p.Composed["gaze"].Unit != dp.Window || p.Composed["subject"].Unit != dp.Subject {
		t.Errorf("units %v, %v", p.Guarantee.Unit, p.Composed)
	}
	if len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0].Error(), "carries nothing") {
		t.Errorf("warnings %v", p.Warnings)
	}
}

// TestTouches: t seconds of gaze lie in ⌈2(t+30)⌉ windows and ⌊(m−2)/32⌋+2
// chunks (MECHANISMS §4), and no more than there are.
func TestTouches(t *testing.T) {
	for _, v := range []struct {
		c               Cut
		windows, chunks int
	}{
		{Cut{Length: 1200, Chunk: 32}, 62, 3}, {Cut{Length: 1200, Chunk: 64}, 62, 2}, {Cut{Length: 50, Chunk: 32}, 50, 2}, {Cut{Length: 1200}, 62, 1},
		{Cut{Length: 1200, Chunk: 32, Gaze: time.Minute}, 180, 7}, {Cut{Length: 1, Chunk: 1}, 1, 1},
	} {
		if w, c := v.c.Touches(); w != v.windows || c != v.chunks {
			t.Errorf("%+v: %d windows, %d chunks; want %d, %d", v.c, w, c, v.windows, v.chunks)
		}
	}
	// Against a count: windows of 30 s every 0.5 s, one second of gaze anywhere.
	c := Cut{Length: 1200, Chunk: 32}
	most, chunks := 0, 0
	for tenth := range 6000 {
		from, first, last, n := float64(tenth)/10, -1, -1, 0
		for w := range c.Length {
			if start := float64(w) / 2; start <= from+1 && start+30 > from {
				if n++; first < 0 {
					first = w / 32
				}
				last = w / 32
			}
		}
		if n > 0 {
			most, chunks = max(most, n), max(chunks, last-first+1)
		}
	}
	if w, n := c.Touches(); most > w || chunks > n || chunks != n {
		t.Errorf("counted %d windows, %d chunks; said %d, %d", most, chunks, w, n)
	}
}

// TestGazeOfLPA: what one second of gaze moves costs no more than is stated,
// where a recording is as short as what it touches, and where gaps are filled.
func TestGazeOfLPA(t *testing.T) {
	nan := math.NaN()
	for name, v := range map[string]struct {
		gaps Gaps
		a, b []float64
	}{
		"short":  {RefuseGaps, []float64{0, 0}, []float64{1, 1}},
		"filled": {Interpolate, append([]float64{0}, slices.Repeat([]float64{nan}, 99)...), append([]float64{1}, slices.Repeat([]float64{nan}, 99)...)},
	} {
		m := Laplace{Method: LPA, Epsilon: 8, Cut: Cut{Features: 1, Length: 100, Window: time.Second, Step: time.Second, Gaze: time.Second}, Bounds: unit, Gaps: v.gaps}
		moved := 0.0
		a, err := m.Prepare([]Signals{{Values: [][]float64{v.a}}})
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Prepare([]Signals{{Values: [][]float64{v.b}}})
		if err != nil {
			t.Fatal(err)
		}
		for i, z := range a.pieces[0].whole {
			moved += math.Abs(float64(z-b.pieces[0].whole[i])) / laplaceScale
		}
		if stated := m.Plan().Composed["gaze"].Epsilon; moved > stated {
			t.Errorf("%s: costs %v, stated %v", name, moved, stated)
		}
	}
}

// drawLaplace draws a guaranteed mechanism over small signals.
func drawLaplace(t *rapid.T) Laplace {
	m := Laplace{
		Method: rapid.SampledFrom([]Method{LPA, FPA, CFPA, DCFPA}).Draw(t, "method"), Epsilon: rapid.SampledFrom([]float64{0.5, 3, 40}).Draw(t, "epsilon"),
		Cut:  Cut{Features: rapid.IntRange(1, 3).Draw(t, "features"), Length: rapid.IntRange(1, 11).Draw(t, "length"), Recordings: rapid.IntRange(1, 2).Draw(t, "recordings")},
		Gaps: Interpolate, Bounds: []Bounds{{-3, 5}},
	}
	units := []dp.Unit{dp.Subject, dp.Recording}
	if m.Method.chunked() {
		m.Cut.Chunk, units = rapid.IntRange(1, 6).Draw(t, "chunk"), append(units, dp.Chunk)
	}
	m.Cut.Unit = rapid.SampledFrom(units).Draw(t, "unit")
	if m.Method != LPA {
		m.Coefficients = rapid.IntRange(0, m.chunkLength()/2+1).Draw(t, "k")
	}
	return m
}

var odd = []float64{-3, 5, 1, 0.3, 1e300, -1e300, math.Inf(1), math.Inf(-1), math.NaN(), 5e-324}

func drawSubject(t *rapid.T, c Cut, name string, lengths []int) []Signals {
	var all []Signals
	for i, n := range lengths {
		r := Signals{Subject: name, Session: string(rune('1' + i/max(c.Trials, 1))), Recording: string(rune('1' + i))}
		for range c.Features {
			v := make([]float64, n)
			for i := range v {
				v[i] = rapid.SampledFrom(odd).Draw(t, "v")
			}
			r.Values = append(r.Values, v)
		}
		all = append(all, r)
	}
	return all
}

// TestNoUnitMovesFurtherThanCalibrated is the sensitivity itself, on the
// integers that get the noise: whatever one unit is replaced by, its
// coordinates move by no more than ε allows, summed over all of its blocks.
func TestNoUnitMovesFurtherThanCalibrated(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawLaplace(t)
		m.Cut.Trials = rapid.IntRange(1, 2).Draw(t, "trials")
		m.Cut.Recordings = max(m.Cut.Recordings, m.Cut.Trials)
		var lengths []int
		for range m.Cut.Recordings {
			lengths = append(lengths, rapid.IntRange(1, m.Cut.Length).Draw(t, "n"))
		}
		a, err := m.Prepare(drawSubject(t, m.Cut, "s", lengths))
		if err != nil {
			t.Fatal(err)
		}
		b, err := m.Prepare(drawSubject(t, m.Cut, "s", lengths))
		if err != nil {
			t.Fatal(err)
		}
		spent, session := map[dp.Unit]float64{}, map[string]float64{}
		for i := range a.pieces {
			recording, chunks := 0.0, map[int]float64{}
			for j, blk := range a.pieces[i].blocks {
				moved := 0.0
				for c := blk.at; c < blk.at+blk.size(); c++ {
					moved += math.Abs(float64(a.pieces[i].whole[c] - b.pieces[i].whole[c]))
				}
				recording += moved / laplaceScale
				chunks[a.pieces[i].blocks[j].from] += moved / laplaceScale
			}
			spent[dp.Subject] += recording
			session[a.pieces[i].source.Session] += recording
			spent[dp.Recording] = max(spent[dp.Recording], session[a.pieces[i].source.Session])
			for _, v := range chunks {
				spent[dp.Chunk] = max(spent[dp.Chunk], v)
			}
		}
		for name, g := range m.Plan().Composed {
			if name != "gaze" && spent[g.Unit] > g.Epsilon {
				t.Fatalf("%+v: a %v costs %v of %v", m, g.Unit, spent[g.Unit], g.Epsilon)
			}
		}
		if spent[m.Cut.Unit] > m.Epsilon {
			t.Fatalf("%+v: the unit costs %v of %v", m, spent[m.Cut.Unit], m.Epsilon)
		}
	})
}

// TestNoiseOfAReleasedValue is the closed form that plans print.
func TestNoiseOfAReleasedValue(t *testing.T) {
	src := noise.Seeded(3)
	for _, m := range []Laplace{
		{Method: LPA, Epsilon: 3, Cut: Cut{Features: 2, Length: 70}},
		{Method: FPA, Epsilon: 3, Coefficients: 6, Cut: Cut{Features: 2, Length: 70, Unit: dp.Recording}},
		{Method: CFPA, Epsilon: 3, Coefficients: 17, Cut: Cut{Features: 2, Length: 64, Chunk: 32}},
		{Method: DCFPA, Epsilon: 3, Coefficients: 3, Cut: Cut{Features: 2, Length: 64, Chunk: 32, Unit: dp.Chunk}},
	} {
		m.Bounds = []Bounds{{10, 12}}
		p, err := m.Prepare(one(m, m.Cut.Length, func(int, int) float64 { return 0 }))
		if err != nil {
			t.Fatal(err)
		}
		sum, count := 0.0, 0.0
		for range 3000 {
			r, err := p.Draw(src)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range r.Recordings[0].Values {
				for _, x := range v {
					sum += (x - 11) * (x - 11)
					count++
				}
			}
		}
		l, _ := m.resolve()
		want := l.scale(l.full) * l.scale(l.full) * l.full.power() * 4
		if got := sum / count; math.Abs(got/want-1) > 0.12 { // some 10 standard errors
			t.Errorf("%v: squared error %v, want %v", m.Method, got, want)
		}
	}
}

func TestPublishedIsAsPrinted(t *testing.T) {
	data := people(3, 2, 50)
	for _, method := range []Method{LPA, FPA, CFPA, DCFPA} {
		m := Laplace{Method: method, Epsilon: 2, Cut: Cut{Features: 2, Length: 50}, Published: true, Coefficients: 4}
		if method == LPA {
			m.Coefficients = 0
		}
		if method.chunked() {
			m.Cut.Chunk = 32
		}
		p, err := m.Prepare(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range p.pieces[1].blocks {
			want := 0.0
			for i := range data {
				for j := range i {
					x, y := slices.Clone(data[i].Values[b.signal][b.from:b.from+b.n]), slices.Clone(data[j].Values[b.signal][b.from:b.from+b.n])
					if method == DCFPA {
						for t := b.n - 1; t > 0; t-- {
							x[t], y[t] = x[t]-x[t-1], y[t]-y[t-1]
						}
					}
					for t := range x {
						x[t] -= y[t]
					}
					if method == LPA {
						want = max(want, sumAbs(x))
					} else {
						want = max(want, math.Sqrt(float64(b.n)*4*dot(x, x)))
					}
				}
			}
			if got := b.step * laplaceScale; math.Abs(got/(want/(2.0/2))-1) > 1e-12 {
				t.Errorf("%v: λ = %v, want %v", method, got, want)
			}
		}
	}
}

func TestVoidReasons(t *testing.T) {
	base := Laplace{Method: CFPA, Epsilon: 1, Cut: Cut{Features: 2, Length: 100, Chunk: 32, Recordings: 2}, Bounds: unit}
	for _, v := range []struct {
		change func(*Laplace)
		want   []string
	}{
		{func(*Laplace) {}, nil},
		{func(m *Laplace) { m.Choose = Paid }, nil},
		{func(m *Laplace) { m.Choose = SquaredError }, []string{ChoiceReason}},
		{func(m *Laplace) { m.Choose = NMSE }, []string{ChoiceReason}},
		{func(m *Laplace) { m.Published = true }, []string{SensitivityReason, ChoiceReason, ParallelReason, SeveralReason}},
		{func(m *Laplace) { m.Published, m.Coefficients, m.Cut.Unit = true, 3, dp.Chunk }, []string{SensitivityReason}},
		{func(m *Laplace) {
			m.Published, m.Coefficients, m.Cut.Chunk, m.Cut.Recordings, m.Cut.Trials, m.Cut.Unit = true, 3, 100, 1, 2, dp.Recording
		}, []string{SensitivityReason, SeveralReason}},
	} {
		m := base
		v.change(&m)
		g := m.Guarantee()
		if why, void := g.Void(); void != (v.want != nil) || why != strings.Join(v.want, "; ") {
			t.Errorf("%+v: void %v because of %q", m, void, why)
		}
		if p := m.Plan(); (p.Composed == nil) != (v.want != nil) || g.Epsilon != 1 {
			t.Errorf("%+v: composed %v, nominal %v", m, p.Composed, g.Epsilon)
		}
	}
}

// TestBadSignals: each is refused, or follows a stated rule.
func TestBadSignals(t *testing.T) {
	m := Laplace{Method: CFPA, Epsilon: 1e5, Cut: Cut{Features: 1, Length: 100, Chunk: 32, Unit: dp.Chunk}, Bounds: unit, Coefficients: 17}
	src := noise.Seeded(1)
	with := func(v ...float64) []Signals { return []Signals{{Subject: "a", Values: [][]float64{v}}} }
	if _, err := m.Release(with(0.1, math.NaN(), 0.3), src); !errors.Is(err, ErrGap) {
		t.Errorf("a gap: %v", err)
	}
	for name, bad := range map[string][]Signals{
		"nothing": nil, "no windows": {{Values: [][]float64{{}}}}, "too long": with(make([]float64, 101)...), "two signals": {{Values: [][]float64{{1}, {1}}}},
		"too many recordings": append(with(1), with(1)...),
	} {
		if _, err := m.Release(bad, src); err == nil || strings.Contains(err.Error(), "\"a\"") {
			t.Errorf("%s: %v", name, err)
		}
	}
	m.Gaps = Interpolate
	near := func(name string, in, want []float64) {
		t.Helper()
		r, err := m.Release(with(in...), src)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, v := range r.Recordings[0].Values[0] {
			if math.Abs(v-want[i]) > 0.02 {
				t.Errorf("%s: value %d is %v, want %v", name, i, v, want[i])
			}
		}
	}
	nan := math.NaN()
	near("shorter than a chunk", []float64{0.2, 0.7, 0.4}, []float64{0.2, 0.7, 0.4})
	near("one window", []float64{0.2}, []float64{0.2})
	near("interpolated", []float64{nan, 0.2, nan, nan, 0.8, nan}, []float64{0.2, 0.2, 0.4, 0.6, 0.8, 0.8})
	near("without any value", []float64{nan, nan}, []float64{0.5, 0.5})
	near("outside", []float64{-7, 0.3, 1e9}, []float64{0, 0.3, 1})
	near("constant", slices.Repeat([]float64{0.7}, 40), slices.Repeat([]float64{0.7}, 40))
	// A gap is filled from its own chunk alone: the chunk's neighbour is far off.
	gap := slices.Repeat([]float64{1}, 64)
	for t := 32; t < 63; t++ {
		gap[t] = nan
	}
	gap[63] = 0
	near("inside the chunk", gap, append(slices.Repeat([]float64{1}, 32), make([]float64, 32)...))
	seen := Look(with(nan, -1, 0.5, 2, math.Inf(1)), unit)
	if seen != (Seen{Values: 5, Outside: 3, Missing: 1}) {
		t.Errorf("%+v", seen)
	}
}

// TestOppositeInfinities: a gap between them is no number, which counts as the
// middle of the bounds wherever values are looked at: k is bought and drawn.
func TestOppositeInfinities(t *testing.T) {
	values := func() []float64 {
		return []float64{0.1, math.Inf(1), math.NaN(), math.Inf(-1), 0.2, 0.3, 0.4, 0.5}
	}
	x := values()
	fill(x, values(), 0)
	normalise(x, Bounds{0, 1})
	if slices.ContainsFunc(x, func(v float64) bool { return !(v >= -0.5 && v <= 0.5) }) {
		t.Fatalf("shares of the range: %v", x)
	}
	in := []Signals{{Subject: "a", Values: [][]float64{values()}}}
	for _, choose := range []Choice{Public, Paid, SquaredError, NMSE} {
		m := Laplace{Method: CFPA, Epsilon: 1, Cut: Cut{Features: 1, Length: 8, Chunk: 8, Unit: dp.Chunk}, Bounds: unit, Choose: choose, Gaps: Interpolate}
		r, err := m.Release(in, noise.Seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(r.Recordings[0].Values[0], func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			t.Errorf("%v: %v", choose, r.Recordings[0].Values[0])
		}
		m.Published, m.Bounds = true, nil
		in := append(slices.Clone(in), Signals{Subject: "b", Values: [][]float64{make([]float64, 8)}})
		if choose == Paid {
			continue
		}
		if _, err := m.Release(in, noise.Seeded(1)); !errors.Is(err, errImmoderate) || !errors.Is(m.Accepts(in), errImmoderate) {
			t.Errorf("published, %v: %v", choose, err)
		}
	}
}

// TestLastPartialChunk has a length and a sensitivity of its own: the same ε,
// less noise in the unnormalised coordinates.
func TestLastPartialChunk(t *testing.T) {
	m := Laplace{Method: CFPA, Epsilon: 1, Cut: Cut{Features: 1, Length: 80, Chunk: 32, Unit: dp.Chunk}, Bounds: unit, Coefficients: 3}
	p, err := m.Prepare(one(m, 80, func(int, int) float64 { return 0.5 }))
	if err != nil {
		t.Fatal(err)
	}
	b := p.pieces[0].blocks
	if len(b) != 3 || b[2].n != 16 || b[2].from != 64 || b[1].n != 32 {
		t.Fatalf("%+v", b)
	}
	r, _ := b[2].radius()
	if got := b[2].step * float64(laplaceSteps(1)); math.Abs(got/r-1) > 1e-6 {
		t.Errorf("the lattice of the last chunk holds %v, want %v", got, r)
	}
	if b[2].step >= b[0].step {
		t.Errorf("steps %v and %v", b[2].step, b[0].step)
	}
}

func TestBadParameters(t *testing.T) {
	good := Laplace{Method: CFPA, Epsilon: 1, Cut: Cut{Features: 1, Length: 100, Chunk: 32}, Bounds: unit, Coefficients: 17}
	if err := good.Check(); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Laplace){
		"k > n/2+1": func(m *Laplace) { m.Coefficients = 18 }, "no bounds": func(m *Laplace) { m.Bounds = nil }, "bounds turned": func(m *Laplace) { m.Bounds = []Bounds{{1, 0}} },
		"too few bounds": func(m *Laplace) { m.Cut.Features, m.Bounds = 3, append(unit, unit...) }, "chunk of FPA": func(m *Laplace) { m.Method = FPA },
		"paid published": func(m *Laplace) { m.Choose, m.Published = Paid, true }, "sample": func(m *Laplace) { m.Cut.Unit = dp.Sample },
		"NaN": func(m *Laplace) { m.Epsilon = math.NaN() }, "too long": func(m *Laplace) { m.Cut.Length = 1 << 40 },
	} {
		m := good
		change(&m)
		if err := m.Check(); err == nil || !strings.HasPrefix(err.Error(), "series: ") {
			t.Errorf("%s: %v", name, err)
		}
		if _, void := m.Guarantee().Void(); !void {
			t.Errorf("%s: a mechanism that cannot be promises %v", name, m.Guarantee())
		}
		if _, err := m.Release(people(1, 1, 10), noise.Seeded(1)); err == nil {
			t.Errorf("%s: released", name)
		}
	}
}

// TestPrimeLengths: FPA of a recording of a prime number of windows takes no
// longer than its neighbours, and gives the signal back at a large ε.
func TestPrimeLengths(t *testing.T) {
	const n = 99991
	m := Laplace{Method: FPA, Epsilon: 1e5, Cut: Cut{Features: 1, Length: n, Unit: dp.Recording}, Bounds: unit, Coefficients: 3}
	began := time.Now()
	r, err := m.Release(one(m, n, func(_, t int) float64 { return 0.4 * math.Cos(2*math.Pi*float64(t)/n) }), noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	if v := r.Recordings[0].Values[0]; math.Abs(v[0]-0.9) > 0.01 || math.Abs(v[n/2]-0.1) > 0.01 {
		t.Errorf("%v, %v", v[0], v[n/2])
	}
	if took := time.Since(began); took > 20*time.Second { // a quadratic transform takes minutes
		t.Errorf("%v", took)
	}
}

var _ mechanism.Mechanism = Laplace{}
