package synth

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// TestShrunkStaysOnTheSimplex: whatever is told, how noisy it may be.
func TestShrunkStaysOnTheSimplex(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		k := rapid.IntRange(2, 12).Draw(t, "k")
		law, counts := make([]float64, k), make([]float64, k)
		for i := range law {
			law[i] = rapid.Float64Range(0, 1).Draw(t, "p")
			counts[i] = rapid.Float64Range(-1e6, 1e6).Draw(t, "count")
		}
		normalise(law)
		total, variance := rapid.Float64Range(-10, 1e7).Draw(t, "total"), rapid.Float64Range(0, 1e12).Draw(t, "variance")
		got := shrunk(law, counts, total, variance)
		s := 0.0
		for i, p := range got {
			if !(p >= 0) {
				t.Fatalf("entry %d is %v", i, p)
			}
			s += p
		}
		if math.Abs(s-1) > 1e-9 {
			t.Fatalf("sum %v", s)
		}
	})
}

func TestShrunkBelievesWhatIsNotNoise(t *testing.T) {
	law, counts := uniform(4), []float64{700, 100, 150, 50}
	for i, p := range shrunk(law, counts, 1000, 1e-9) {
		if math.Abs(p-counts[i]/1000) > 1e-6 {
			t.Errorf("without noise entry %d is %v", i, p)
		}
	}
	for i, p := range shrunk(law, counts, 1000, 1e6) {
		if p != 0.25 {
			t.Errorf("with much of it entry %d is %v", i, p)
		}
	}
	squared := 0.45*0.45 + 0.15*0.15 + 0.1*0.1 + 0.2*0.2
	for i, p := range shrunk(law, counts, 1000, 1e6*squared/(3+2*math.Sqrt(6))*1.001) {
		if p != 0.25 {
			t.Errorf("what noise may well do is believed: entry %d is %v", i, p)
		}
	}
	half := shrunk(law, counts, 1000, 0.5*1e6*squared/(3+2*math.Sqrt(6)))
	if math.Abs(half[0]-(0.25+0.5*0.45)) > 1e-9 {
		t.Errorf("half believed: %v", half)
	}
	if law[0] != 0.25 {
		t.Error("the law given was changed")
	}
}

// answers are reports of classes, drawn as devices do.
func answers(t testing.TB, n, classes int, epsilon float64, class func(*noise.Source) int, src *noise.Source) oracle.Estimate {
	t.Helper()
	o, err := oracle.NewSubset(classes, epsilon)
	if err != nil {
		t.Fatal(err)
	}
	values := make([]int, n)
	for i := range values {
		values[i] = class(src)
	}
	tally, err := oracle.Collect(o, values, src, 1)
	if err != nil {
		t.Fatal(err)
	}
	return tally.Estimate()
}

// TestAmplitudesAreLearned: with enough answers the law has the classes of the
// truth; with none or few it is the public one.
func TestAmplitudesAreLearned(t *testing.T) {
	truth := []float64{0.05, 0.1, 0.1, 0.15, 0.2, 0.4}
	table := cumulated(truth)
	src := noise.Seeded(6)
	learned := newAmplitudes(answers(t, 200_000, amplitudeClasses, 2, func(s *noise.Source) int { return choose(table, s) }, src))
	classes := make([]float64, amplitudeClasses)
	for b, p := range learned {
		classes[classOf(b)] += p
	}
	for c, p := range classes {
		if math.Abs(p-truth[c]) > 0.02 {
			t.Errorf("class %d has %v, want %v", c, p, truth[c])
		}
	}
	if s := sum(learned); math.Abs(s-1) > 1e-9 {
		t.Errorf("the law sums to %v", s)
	}
	prior := priorAmplitudes()
	none := newAmplitudes(answers(t, 0, amplitudeClasses, 1, nil, src))
	few := newAmplitudes(answers(t, 200, amplitudeClasses, 0.2, func(s *noise.Source) int { return choose(table, s) }, src))
	for b := range prior {
		if none[b] != prior[b] || math.Abs(few[b]-prior[b]) > 1e-12 {
			t.Fatalf("bin %d: %v of none, %v of few, want %v", b, none[b], few[b], prior[b])
		}
	}
}

// TestRestsAreLearned: short and long rests are told apart; without answers it is
// the public law.
func TestRestsAreLearned(t *testing.T) {
	src := noise.Seeded(7)
	mean := func(r rests) (m float64) {
		last := 0.0
		for i, l := range r.laws {
			m += (r.table[i] - last) * l.median * math.Exp(l.spread*l.spread/2)
			last = r.table[i]
		}
		return m
	}
	for _, truth := range []restLaw{{0.11, 0.45}, {0.22, 0.45}, {0.6, 0.35}} {
		table := cumulated(truth.counted(0.5))
		e := answers(t, 100_000, countClasses, 2, func(s *noise.Source) int { return choose(table, s) }, src)
		want := truth.median * math.Exp(truth.spread*truth.spread/2)
		if got := mean(newRests(e, 0.5)); math.Abs(got/want-1) > 0.15 {
			t.Errorf("rests of %v s are taken for %v s", want, got)
		}
	}
	nothing := mean(newRests(answers(t, 0, countClasses, 1, nil, src), 0.5))
	if usual := priorRest * math.Exp(priorRestSpread*priorRestSpread/2); math.Abs(nothing/usual-1) > 0.15 {
		t.Errorf("without answers rests are %v s, want about %v", nothing, usual)
	}
}

// TestNearest: no point of the simplex is nearer than the one found.
func TestNearest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-3, 3), 1, 9).Draw(t, "v")
		got, other := append([]float64(nil), v...), make([]float64, len(v))
		nearest(got)
		if s := sum(got); math.Abs(s-1) > 1e-12 {
			t.Fatalf("%v has the sum %v", got, s)
		}
		for i := range other {
			other[i] = rapid.Float64Range(0, 1).Draw(t, "p")
		}
		normalise(other)
		far := func(p []float64) (d float64) {
			for i := range p {
				d += (p[i] - v[i]) * (p[i] - v[i])
			}
			return d
		}
		if far(got) > far(other)+1e-12 {
			t.Fatalf("%v is nearer to %v than %v", other, v, got)
		}
	})
}
