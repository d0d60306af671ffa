package attack

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/classify"
)

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s: got %v, want %v ± %v", what, got, want, tol)
	}
}

func TestCeilingVectors(t *testing.T) {
	for _, v := range []struct {
		epsilon, delta float64
		n              int
		want           float64
	}{
		{1, 0, 24, math.E / (math.E + 23)}, {0, 0, 10, 0.1}, {0, 0.5, 10, 0.55}, {3, 1e-3, 100, (math.Exp(3) + 0.099) / (math.Exp(3) + 99)},
		{1, 0, 2, math.E / (math.E + 1)}, {800, 0, 1000, 1}, {1, 1, 5, 1}, {1, 0, 1, 1}, {math.Inf(1), 0, 50, 1},
	} {
		near(t, "ceiling", Ceiling(v.epsilon, v.delta, v.n), v.want, 1e-12)
	}
	near(t, "the example of 24 people", Ceiling(1, 0, 24), 0.106, 5e-4)
}

// Any channel: the ceiling at any ε, with the δ that the channel has there, is
// never passed; and randomised response reaches it.
func TestCeilingBoundsEveryChannel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "n")
		p := make([][]float64, n) // p[i][o]: the attacker says o of i's release
		for i := range p {
			p[i] = make([]float64, n)
			sum := 0.0
			for o := range p[i] {
				p[i][o] = math.Exp(rapid.Float64Range(-4, 4).Draw(t, "log weight"))
				sum += p[i][o]
			}
			for o := range p[i] {
				p[i][o] /= sum
			}
		}
		epsilon := rapid.Float64Range(0, 4).Draw(t, "ε")
		delta := 0.0
		for i := range p {
			for j := range p {
				d := 0.0
				for o := range p[i] {
					d += math.Max(0, p[i][o]-math.Exp(epsilon)*p[j][o])
				}
				delta = math.Max(delta, d)
			}
		}
		prior, likeliest, weighted, sum := make([]float64, n), 0.0, 0.0, 0.0
		for i := range prior {
			prior[i] = rapid.Float64Range(0.01, 1).Draw(t, "prior")
			sum += prior[i]
		}
		success := 0.0
		for i := range p {
			success += p[i][i] / float64(n)
			weighted += p[i][i] * prior[i] / sum
			likeliest = math.Max(likeliest, prior[i]/sum)
		}
		if c := Ceiling(epsilon, delta, n); success > c+1e-12 {
			t.Fatalf("success %v above the ceiling %v", success, c)
		}
		if c := (Claim{Epsilon: epsilon, Delta: math.Min(delta, 1-1e-9), Prior: likeliest}).Ceiling(n); weighted > c+1e-8 {
			t.Fatalf("success %v under a prior of at most %v, above the ceiling %v", weighted, likeliest, c)
		}
	})
	for _, n := range []int{2, 24, 1000} {
		truth := math.Exp(1.5) / (math.Exp(1.5) + float64(n-1)) // said with this probability, else any other
		near(t, "randomised response", Ceiling(1.5, 0, n), truth, 1e-12)
	}
}

func TestClaimComposes(t *testing.T) {
	c := Claim{Epsilon: 0.7, Delta: 1e-4, WholePerson: true}
	near(t, "one release", c.Ceiling(10), Ceiling(0.7, 1e-4, 10), 0)
	c.Releases = 3
	near(t, "three releases", c.Ceiling(10), Ceiling(2.1, 3e-4, 10), 1e-12)
	c.Releases, c.Joint = 1, true
	near(t, "joint assignment", c.Ceiling(10), Ceiling(1.4, 1e-4*(1+math.Exp(0.7)), 10), 1e-12)
	c = Claim{Epsilon: 1, Prior: 0.3}
	near(t, "prior", c.Ceiling(10), 0.3*math.E/(0.3*math.E+0.7), 1e-12)
	for _, bad := range []Claim{{Epsilon: -1}, {Epsilon: math.NaN()}, {Epsilon: math.Inf(1)}, {Delta: 1}, {Delta: -1}, {Releases: -1}, {Prior: 2}} {
		if err := bad.Check(); err == nil || !strings.HasPrefix(err.Error(), "attack: ") {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

func TestVerdicts(t *testing.T) {
	whole := Claim{Epsilon: 1, WholePerson: true}
	cut := Claim{Epsilon: 1, WholePerson: true, SharedNoise: true}
	for _, v := range []struct {
		claim   *Claim
		correct int
		alarm   float64
		want    Verdict
	}{
		{nil, 24, 0, NoClaim}, {&Claim{Epsilon: 1}, 24, 0, NoEvidence}, {&cut, 24, 0, NoEvidence},
		{&whole, 10, 0.05, Falsified}, {&whole, 8, 0.05, Falsified}, {&whole, 4, 0.05, NotFalsified}, {&whole, 8, 1e-6, NotFalsified}, {&whole, 24, 1e-6, Falsified},
	} {
		s := Settings{Claim: v.claim, FalseAlarm: v.alarm}
		if err := s.check(); err != nil {
			t.Fatal(err)
		}
		r := Result{Candidates: 24, Trials: 24, Correct: v.correct}
		s.judge(&r)
		if r.Verdict != v.want || (r.Why == "") != (v.want == NoClaim) {
			t.Errorf("%+v, %d of 24: %v (%s), want %v", v.claim, v.correct, r.Verdict, r.Why, v.want)
		}
	}
	b, err := json.Marshal(Result{Verdict: Falsified, Enrol: Raw})
	if err != nil || !strings.Contains(string(b), `"verdict":"claim falsified"`) || !strings.Contains(string(b), `"enrol":"raw"`) {
		t.Errorf("%s, %v", b, err)
	}
	if s := Verdict(9).String() + Enrol(9).String(); s != "Verdict(9)Enrol(9)" {
		t.Error(s)
	}
	for _, bad := range []Settings{{Confidence: 1}, {Confidence: -1}, {FalseAlarm: 2}, {Claim: &Claim{Epsilon: -1}}} {
		if bad.check() == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
}

// A true claim whose ceiling is attained is called falsified as rarely as said.
func TestFalseAlarmOfTheVerdict(t *testing.T) {
	const n = 40
	s := Settings{Claim: &Claim{Epsilon: 2, WholePerson: true}, FalseAlarm: 0.01}
	if err := s.check(); err != nil {
		t.Fatal(err)
	}
	alarm := 0.0 // exact, over all numbers of successes
	for k := range n + 1 {
		r := Result{Candidates: 12, Trials: n, Correct: k}
		s.judge(&r)
		if r.Verdict == Falsified {
			p := s.Claim.Ceiling(12)
			alarm += math.Exp(logBinomial(n, k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
		}
	}
	if alarm == 0 || alarm > 0.01 {
		t.Errorf("false alarm %v, stated 0.01", alarm)
	}
}

func logBinomial(n, k int) float64 {
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

func TestAgainst(t *testing.T) {
	weak := Result{Rate: 0.05, Chance: 0.05, Majority: 0.05, Interval: classify.Interval{Lower: 0.01, Upper: 0.2}}
	strong := Result{Rate: 0.9, Chance: 0.05, Majority: 0.05, Interval: classify.Interval{Lower: 0.7, Upper: 0.99}}
	var r Result
	r.Against(&strong)
	if len(r.Warnings) != 0 {
		t.Errorf("warned of an attacker that works: %v", r.Warnings)
	}
	r.Against(&weak)
	if !slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "proves nothing") }) {
		t.Errorf("not warned: %v", r.Warnings)
	}
}

// Results survive a file.
func TestResultsSurviveJSON(t *testing.T) {
	for v := range Verdict(len(verdicts)) {
		r := Result{Verdict: v, Enrol: Raw}
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		var back Result
		if err := json.Unmarshal(text, &back); err != nil || back.Verdict != v || back.Enrol != Raw {
			t.Errorf("%v became %v, %v: %v", v, back.Verdict, back.Enrol, err)
		}
	}
	var v Verdict
	var e Enrol
	if v.UnmarshalText([]byte("maybe")) == nil || e.UnmarshalText([]byte("maybe")) == nil {
		t.Error("words that are none were read")
	}
}
