package attack

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/signal"
	"github.com/gazeward/gazeward/simulate"
)

// cohort is 20 people at two visits, who look at a picture for 60 s each time.
var cohort = sync.OnceValues(func() ([]*gaze.Recording, error) {
	c := simulate.Cohort{People: 20, Sessions: 2, Scenes: []simulate.Scene{simulate.ShopWindow()}, Seconds: 60, Rate: 120}
	return gaze.Collect(c.Recordings(noise.Seeded(12)))
})

// visits are the cohort's recordings by visit, with the number of each person.
func visits(t *testing.T) (all [2][]*gaze.Recording) {
	t.Helper()
	recs, err := cohort()
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range recs {
		all[i%2] = append(all[i%2], r)
		if want := fmt.Sprint(i%2 + 1); r.Session != want {
			t.Fatalf("recording %d is of session %s", i, r.Session)
		}
	}
	return all
}

func looks(t *testing.T, recs []*gaze.Recording, positions bool) (all []Looker) {
	t.Helper()
	for who, r := range recs {
		l, err := Look(who, r, detect.Standard(), positions)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

func windows(t *testing.T, recs []*gaze.Recording) (rows Rows) {
	t.Helper()
	who := 0
	for table, err := range (feature.Options{}).Tables(seq(recs)) {
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range Windows(table, 5) {
			rows.X, rows.Person = append(rows.X, x), append(rows.Person, who)
		}
		who++
	}
	return rows
}

func seq(all []*gaze.Recording) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// The attackers find people in raw data at five times chance at least, and the
// same ones among noise no better than the claim allows.
func TestRawDataIdentify(t *testing.T) {
	v := visits(t)
	check := func(what string, r *Result, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d of %d (%.2f to %.2f), rows %.2f, F1 %.2f, chance %.2f, majority %.2f", what, r.Correct, r.Trials, r.Interval.Lower, r.Interval.Upper, r.RowRate, r.MacroF1, r.Chance, r.Majority)
		if r.Candidates != 20 || r.Trials != 20 || r.Chance != 0.05 || r.Rate < 5*r.Chance || r.Interval.Lower <= r.Chance {
			t.Errorf("%s: %+v", what, r)
		}
	}
	first, second := windows(t, v[0]), windows(t, v[1])
	for _, name := range []string{"embedding", "forest"} {
		r, err := Identify{Classifier: name, Settings: Settings{Enrol: Raw}}.Run(first, second, noise.Seeded(1))
		check("windows, "+name, r, err)
	}
	for _, positions := range []bool{false, true} {
		r, err := Fused{Settings: Settings{Enrol: Raw, Positions: positions}}.Run(looks(t, v[0], positions), looks(t, v[1], positions), noise.Seeded(1))
		check(fmt.Sprintf("events, positions %v", positions), r, err)
	}
}

// response is ε-differentially private about who it is: it releases the vector
// of the person, or of another drawn evenly.
func response(epsilon float64, vectors [][]float64, src *noise.Source) (out Rows) {
	n := len(vectors)
	for who := range vectors {
		said := who
		if src.Float64() >= Ceiling(epsilon, 0, n) {
			said = (who + 1 + src.IntN(n-1)) % n
		}
		for range 3 {
			out.X, out.Person = append(out.X, vectors[said]), append(out.Person, who)
		}
	}
	return out
}

// The ceiling is reached by randomised response, with persons as trials: a
// claim of what it has stands, a claim of a third of it falls.
func TestClaimsStandAndFall(t *testing.T) {
	const n, epsilon = 300, 5.0
	src := noise.Seeded(4)
	var enrolled Rows
	for who := range n {
		enrolled.X, enrolled.Person = append(enrolled.X, []float64{src.NormFloat64(), src.NormFloat64()}), append(enrolled.Person, who)
	}
	released := response(epsilon, enrolled.X, src)
	for claimed, want := range map[float64]Verdict{epsilon: NotFalsified, epsilon / 3: Falsified} {
		a := Identify{Classifier: "nearest", Learner: classify.KNN{K: 1}, Settings: Settings{Enrol: Raw, Claim: &Claim{Epsilon: claimed, WholePerson: true}, FalseAlarm: 1e-6}}
		r, err := a.Run(enrolled, released, src)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "success of the best attacker", r.Rate, Ceiling(epsilon, 0, n), 5*math.Sqrt(0.25/n))
		if r.Verdict != want {
			t.Errorf("ε = %v is claimed: %v (%s)", claimed, r.Verdict, r.Why)
		}
	}
}

// Twenty identical people, each under Fourier perturbation of whole series (k =
// 2 coefficients of each of 12 features) at subject-level ε = 0.48: the halves
// of one release share its noise, and are linked, while a second release is
// not (PROOFS C9). The linking is no evidence, and marked as such.
func TestHalvesOfOneReleaseAreNoEvidence(t *testing.T) {
	const people, epsilon = 20, 0.48
	src := noise.Seeded(9)
	rows, recording := perturbed(people, epsilon, src)
	first, second, err := rows.Halves(recording)
	if err != nil {
		t.Fatal(err)
	}
	claim := Claim{Epsilon: epsilon, WholePerson: true, SharedNoise: true}
	a := Identify{Classifier: "k-nn", Settings: Settings{Claim: &claim}}
	linked, err := a.Run(first, second, src)
	if err != nil {
		t.Fatal(err)
	}
	other, _ := perturbed(people, epsilon, src)
	separate := claim
	separate.SharedNoise = false
	a.Claim = &separate
	fair, err := a.Run(other, rows, src)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("halves %d of 20, separate releases %d of 20, ceiling %.3f", linked.Correct, fair.Correct, linked.Ceiling)
	if linked.Verdict != NoEvidence || !strings.Contains(linked.Why, "share") || linked.Interval.Lower <= linked.Ceiling {
		t.Errorf("halves of one release: %+v", linked)
	}
	if fair.Verdict != NotFalsified {
		t.Errorf("identical people told apart: %+v", fair)
	}
}

// perturbed releases the same series for everybody: values in 0 to 1, so that
// Δ₂ = √n for each feature, and λ = √(nk)·Δ₂·features/ε.
func perturbed(people int, epsilon float64, src *noise.Source) (rows Rows, recording []int) {
	const n, k, features = 200, 2, 12
	scale := math.Sqrt(n*k) * math.Sqrt(n) * features / epsilon
	dft := signal.NewDFT(n)
	c, series := make([]complex128, dft.Bins()), make([]float64, n)
	for who := range people {
		x := make([][]float64, n)
		for range features {
			c[0], c[1] = complex(scale*laplace(src), 0), complex(scale*laplace(src), scale*laplace(src))
			for t, v := range dft.Sequence(series, c) {
				x[t] = append(x[t], 0.5+v)
			}
		}
		for _, row := range x {
			rows.X, rows.Person, recording = append(rows.X, row), append(rows.Person, who), append(recording, who)
		}
	}
	return rows, recording
}

func laplace(src *noise.Source) float64 { return src.ExpFloat64() - src.ExpFloat64() }

func TestIdentifyRefuses(t *testing.T) {
	two := Rows{[][]float64{{0, 1}, {1, 0}, {1, 2}}, []int{1, 2, 2}}
	src := noise.Seeded(1)
	for _, v := range []struct {
		name, want         string
		enrolled, released Rows
	}{
		{"one person", "one person", Rows{two.X, []int{4, 4, 4}}, Rows{two.X, []int{4, 4, 4}}},
		{"a stranger", "not enrolled", two, Rows{two.X, []int{1, 2, 3}}},
		{"nothing", "nothing was released", two, Rows{}},
		{"unequal columns", "the model was trained on 2", two, Rows{[][]float64{{1, 2, 3}}, []int{1}}},
		{"constant features", "constant", Rows{[][]float64{{1, 1}, {1, 1}}, []int{1, 2}}, two},
		{"rows without persons", "3 released rows have 1 persons", two, Rows{two.X, []int{1}}},
	} {
		_, err := Identify{}.Run(v.enrolled, v.released, src)
		if err == nil || !strings.Contains(err.Error(), v.want) || !strings.HasPrefix(err.Error(), "attack: ") {
			t.Errorf("%s: %v", v.name, err)
		}
	}
	if _, err := (Identify{Classifier: "oracle"}).Run(two, two, src); err == nil {
		t.Error("an unknown classifier attacks")
	}
	if _, _, err := two.Halves([]int{1}); err == nil {
		t.Error("halves of other rows")
	}
	alone := []Looker{{Person: 1, Fixations: two.X, Saccades: two.X}}
	if _, err := (Fused{}).Run(alone, alone, src); !errors.Is(err, ErrOnePerson) {
		t.Errorf("one person by events: %v", err)
	}
	pair := append(alone, Looker{Person: 2, Fixations: [][]float64{{5, 5}}, Saccades: two.X})
	if _, err := (Fused{}).Run(pair, []Looker{{Person: 3}}, src); !errors.Is(err, ErrStranger) {
		t.Errorf("a stranger by events: %v", err)
	}
	if _, err := (Fused{FixationWeight: -1}).Run(pair, pair, src); err == nil {
		t.Error("a negative weight")
	}
	if r, err := (Fused{}).Run(pair, []Looker{{Person: 2}}, src); err != nil || r.Correct != 0 { // nothing seen: the first person
		t.Errorf("a release without events: %+v, %v", r, err)
	}
}

func TestFusedWeights(t *testing.T) {
	src := noise.Seeded(3)
	cloud := func(at float64) (x [][]float64) {
		for range 60 {
			x = append(x, []float64{at + 0.3*src.NormFloat64(), src.NormFloat64()})
		}
		return x
	}
	enrolled := []Looker{{1, cloud(0), cloud(0)}, {2, cloud(3), cloud(3)}}
	torn := []Looker{{1, cloud(0), cloud(3)}, {2, cloud(0), cloud(3)}} // fixations say 1, saccades say 2
	for _, v := range []struct {
		f, s float64
		want int // persons found: who the heavier weight points at
	}{{0, 0, 2}, {0.9, 0.1, 1}} {
		r, err := Fused{FixationWeight: v.f, SaccadeWeight: v.s}.Run(enrolled, torn, src)
		if err != nil {
			t.Fatal(err)
		}
		if r.Correct != 1 {
			t.Errorf("%+v: %d of 2", v, r.Correct)
		}
		one, err := Fused{FixationWeight: v.f, SaccadeWeight: v.s}.Run(enrolled, []Looker{torn[v.want-1]}, src)
		if err != nil || one.Correct != 1 {
			t.Errorf("%+v: the heavier events do not win: %+v, %v", v, one, err)
		}
	}
}

func TestLook(t *testing.T) {
	recs, err := cohort()
	if err != nil {
		t.Fatal(err)
	}
	for _, positions := range []bool{false, true} {
		l, err := Look(3, recs[0], Events(), positions)
		if err != nil {
			t.Fatal(err)
		}
		if l.Person != 3 || len(l.Fixations) < 50 || len(l.Saccades) < 50 {
			t.Fatalf("%d fixations, %d saccades", len(l.Fixations), len(l.Saccades))
		}
		if f, s := len(l.Fixations[0]), len(l.Saccades[0]); f != 6+2*size(positions) || s != 6+4*size(positions) {
			t.Errorf("positions %v: %d and %d columns", positions, f, s)
		}
		for _, v := range l.Fixations {
			if v[0] < math.Log(0.2) {
				t.Errorf("a fixation of %v s", math.Exp(v[0]))
			}
		}
	}
	if d, err := Look(0, recs[0], detect.IVT{Threshold: -1}, false); err == nil {
		t.Errorf("%+v", d)
	}
	unknown := *recs[0]
	unknown.Screen = gaze.Screen{}
	if _, err := Look(0, &unknown, Events(), false); !errors.Is(err, gaze.ErrNoGeometry) {
		t.Errorf("pixels without geometry: %v", err)
	}
}

func size(b bool) int {
	if b {
		return 1
	}
	return 0
}

func TestWindowsLeaveNothingOpen(t *testing.T) {
	var table feature.Table
	table.Columns[0] = []float64{1, 2, 3, 4, 5}
	table.Columns[5] = []float64{1, math.NaN(), math.Inf(1), 4, 5}
	rows := Windows(&table, 2)
	if len(rows) != 3 || len(rows[0]) != feature.Count || rows[1][0] != 3 || rows[1][5] != 0 || rows[2][5] != 5 {
		t.Errorf("%v", rows)
	}
}
