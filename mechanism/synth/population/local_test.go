package population

import (
	"errors"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// smallLocal has domains small enough to count every report.
func smallLocal(n int) Local {
	return Local{Epsilon: 1.2, Subjects: n, Shape: Shape{Screen: lab, PixelsPerDegree: 50, Columns: 4, Rows: 2, Durations: 3, Amplitudes: 2, Directions: 3}, Side: 2, Oracle: "oue"}
}

func someone(s Shape, cell, run, step int) *Person {
	p := &Person{dwell: []dwell{{cell, 1}}, durations: make([]float64, s.Durations), steps: make([]float64, s.Amplitudes*s.Directions)}
	p.durations[run], p.steps[step] = 1, 1
	return p
}

// The question is drawn by shares that no data reach. 40 000 draws: six standard
// errors are 0.015, false alarm below 1e-8.
func TestQuestionsAreDrawnBeforeDataAreSeen(t *testing.T) {
	m, src := smallLocal(1), noise.Seeded(1)
	var count [Questions]float64
	for range 40_000 {
		count[m.Question(src)]++
	}
	for q, share := range asked {
		if d := count[q]/40_000 - float64(share)/1000; math.Abs(d) > 0.015 {
			t.Errorf("question %d is asked of %v, want %v", q, count[q]/40_000, float64(share)/1000)
		}
	}
}

// Whatever two people have looked at, no report is more than e^ε times likelier
// for one of them: counted over all reports of every question. With 200 000 reports
// a probability of 0.02 or more has a relative standard error of 1.6 %; six of two
// are 14 %. A device that answered with 1.4 ε would exceed them (e^0.48 = 1.6).
func TestReportsOfAnyTwoPeopleAreAlike(t *testing.T) {
	m := smallLocal(1)
	d, err := m.Device()
	if err != nil {
		t.Fatal(err)
	}
	people := []*Person{nil, {}, someone(m.Shape, 0, 0, 0), someone(m.Shape, 7, 2, 5), {dwell: []dwell{{0, 1}, {7, 3}}}}
	const draws = 200_000
	for q := range Questions {
		var laws []map[uint64]float64
		for i, p := range people {
			law, src := map[uint64]float64{}, noise.Seeded(uint64(i))
			for range draws {
				r, err := d.Report(q, p, src)
				if err != nil || r.Question != q || len(r.Words) != 1 {
					t.Fatalf("report %v, %v", r, err)
				}
				law[r.Words[0]]++
			}
			laws = append(laws, law)
		}
		worst := 0.0
		for _, a := range laws {
			for _, b := range laws {
				for word, n := range a {
					if n > 0.02*draws && b[word] > 0 {
						worst = max(worst, math.Log(n/b[word]))
					}
				}
			}
		}
		if worst > m.Epsilon+0.14 {
			t.Errorf("question %d: a report is e^%.3f times likelier for one person than for another, want at most e^%v", q, worst, m.Epsilon)
		}
		if worst < 0.7*m.Epsilon {
			t.Errorf("question %d: people differ by e^%.3f only, so the test sees nothing", q, worst)
		}
	}
}

// The truth drawn on the device is the person's: places by time, times between
// saccades by the root of their length, directions and amplitudes alike.
func TestTruth(t *testing.T) {
	l, err := smallLocal(1).resolve()
	if err != nil {
		t.Fatal(err)
	}
	p := &Person{dwell: []dwell{{0, 1}, {3, 3}}, durations: []float64{4, 0, 1}, steps: []float64{0, 3, 0, 0, 0, 1}}
	src := noise.Seeded(1)
	share := func(q Question, value int) float64 {
		n := 0.0
		for range 20_000 {
			if v, err := l.truth(q, p, src); err != nil {
				t.Fatal(err)
			} else if v == value {
				n++
			}
		}
		return n / 20_000
	}
	short, long := 4*math.Sqrt(l.Shape.seconds(0)), math.Sqrt(l.Shape.seconds(2))
	for name, c := range map[string][2]float64{ // six standard errors are at most 0.021
		"left half, upper row": {share(AskPlace, 0), 0.25}, "right half": {share(AskPlace, 1), 0.75},
		"short times": {share(AskDuration, 0), short / (short + long)}, "long times": {share(AskDuration, 2), long / (short + long)},
		"small": {share(AskAmplitude, 0), 0.75}, "second sector": {share(AskDirection, 1), 0.75}, "third sector": {share(AskDirection, 2), 0.25},
	} {
		if math.Abs(c[0]-c[1]) > 0.021 {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
	for q := range Questions {
		if v, err := l.truth(q, &Person{}, src); v != oracle.None || err != nil {
			t.Errorf("who has no data answers %v, %v to question %d", v, err, q)
		}
	}
}

// Reports that devices sent make the same release as devices played in one
// place, report for report.
func TestCollectIsProtectInManyPlaces(t *testing.T) {
	m := smallLocal(300)
	m.Output.Recordings, m.Output.Length = 1, time.Second
	l, err := m.prepare()
	if err != nil {
		t.Fatal(err)
	}
	d, people, src := &Device{l}, []*Person{someone(m.Shape, 0, 0, 0), someone(m.Shape, 5, 1, 3)}, noise.Seeded(5)
	src.Split() // what deals the reports
	var reports []Report
	for i := range 300 {
		var p *Person
		if i < len(people) {
			p = people[i]
		}
		r, err := d.Report(m.Question(src), p, src)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	got, err := m.Collect(slices.Values(reports), noise.Seeded(9))
	if err != nil {
		t.Fatal(err)
	}
	played, err := l.draw(people, noise.Seeded(5))
	if err != nil {
		t.Fatal(err)
	}
	same := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 } // groups are summed, and dealt by another coin
	if want := played.values(); !slices.EqualFunc(got.Raw, want, same) {
		t.Errorf("collected %v, played %v", got.Raw, want)
	}
	for name, r := range map[string]Report{"unknown question": {Question: 9}, "negative": {Question: -1}, "no words": {Question: AskPlace}, "a bit too many": {Question: AskPlace, Words: []uint64{1 << 40}}} {
		if _, err := m.Collect(slices.Values([]Report{r}), noise.Seeded(1)); !errors.Is(err, ErrReport) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestLocalGuarantee(t *testing.T) {
	g := smallLocal(10).Guarantee()
	if g.Measure != dp.Pure || g.Epsilon != 1.2 || g.Unit != dp.Subject || g.Model != dp.Local || g.Neighbours != dp.ReplaceOne {
		t.Errorf("the guarantee is %v", g)
	}
	if why, void := g.Void(); void {
		t.Error(why)
	}
	if p := smallLocal(10).Plan(); len(p.Warnings) == 0 {
		t.Error("ten reports are planned without a warning")
	}
}

// A person whose data are missing changes their own answer and nothing else: not
// the group in which others are counted. At ε = 30 a report is the truth; B is the
// only one to look right, so that the group where that is counted is B's. Six
// standard errors of two shares of 4000 are 0.04; dealt in turn, B would be in the
// first group always when A is missing, and in 0.4 of the cases else.
func TestWhoIsMissingMovesNobodyElse(t *testing.T) {
	m := smallLocal(2)
	m.Epsilon = 30
	l, err := m.resolve()
	if err != nil {
		t.Fatal(err)
	}
	a, b := someone(m.Shape, 0, 0, 0), someone(m.Shape, 7, 2, 5)
	share := func(people []*Person, seed uint64) float64 {
		first, all, src := 0.0, 0.0, noise.Seeded(seed)
		for all < 4000 {
			tallies, err := l.draw(people, src)
			if err != nil {
				t.Fatal(err)
			}
			for g, own := range tallies.of[AskPlace] {
				if own == nil {
					continue
				}
				if counts := own.Estimate().Counts; counts[len(counts)-1] > 0.5 {
					if all++; g == 0 {
						first++
					}
				}
			}
		}
		return first / all
	}
	if with, without := share([]*Person{a, b}, 1), share([]*Person{b}, 2); max(with, without)-min(with, without) > 0.04 {
		t.Errorf("B is counted in the first group with probability %.3f, without A %.3f", with, without)
	}
}
