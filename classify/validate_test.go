package classify

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

func TestLeaveOneGroupOut(t *testing.T) {
	splits, err := LeaveOneGroupOut([]int{7, 3, 7, 9, 3})
	if err != nil {
		t.Fatal(err)
	}
	want := []Split{{[]int{0, 2, 3}, []int{1, 4}}, {[]int{1, 3, 4}, []int{0, 2}}, {[]int{0, 1, 2, 4}, []int{3}}}
	for i, s := range splits {
		if !slices.Equal(s.Train, want[i].Train) || !slices.Equal(s.Test, want[i].Test) {
			t.Errorf("split %d: %v", i, s)
		}
	}
	if _, err := LeaveOneGroupOut([]int{1, 1}); err == nil {
		t.Error("one group is left out of itself")
	}
}

func TestHalves(t *testing.T) {
	s, err := Halves([]int{1, 2, 1, 2, 1, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(s.Train, []int{0, 1, 3}) || !slices.Equal(s.Test, []int{2, 4, 5, 6}) {
		t.Errorf("halves %v", s)
	}
	if _, err := Halves([]int{1, 2, 1}); err == nil || !strings.Contains(err.Error(), "group 2 of 2 has one row") {
		t.Errorf("one row is halved: %v", err)
	}
	if _, err := Halves(nil); err == nil {
		t.Error("nothing is halved")
	}
}

// Leaving persons out keeps a learner from finding them again: here the label
// is a function of the person and of nothing else.
func TestValidateKeepsGroupsApart(t *testing.T) {
	x, person := blobs(15, 8, 6, 1.5, 480, 0)
	y := make([]int, len(x))
	src := noise.Seeded(6)
	for i := range y {
		y[i] = (person[i] + 1) / 3 % 2
	}
	splits, err := LeaveOneGroupOut(person)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Validate(Standard{Forest{}}, x, y, splits, src)
	if err != nil {
		t.Fatal(err)
	}
	if len(p) != len(x) {
		t.Fatalf("%d predictions of %d rows", len(p), len(x))
	}
	seen := make([]bool, len(x))
	for _, q := range p {
		if seen[q.Row] || q.True != y[q.Row] {
			t.Fatalf("%+v", q)
		}
		seen[q.Row] = true
	}
	half, err := Halves(person)
	if err != nil {
		t.Fatal(err)
	}
	within, err := Validate(Standard{Forest{}}, x, y, []Split{half}, src)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := accuracy(t, p), accuracy(t, within); a > 0.75 || b < 0.85 {
		t.Errorf("%.2f on persons left out, %.2f on known ones", a, b)
	}
	again, err := Validate(Standard{Forest{}}, x, y, splits, noise.Seeded(6))
	if err != nil || !slices.Equal(p, again) {
		t.Errorf("one source, two validations: %v", err)
	}
}

func TestValidateErrors(t *testing.T) {
	x, y := blobs(15, 2, 3, 1, 20, 0)
	_, err := Validate(KNN{}, x, y, []Split{{Train: []int{0}, Test: []int{1}}}, noise.Seeded(1))
	if !errors.Is(err, ErrOneClass) || !strings.Contains(err.Error(), "split 1 of 1") {
		t.Errorf("one class in training: %v", err)
	}
	if _, err := Validate(KNN{}, x, y[:3], nil, noise.Seeded(1)); err == nil {
		t.Error("rows without labels")
	}
}

func TestVote(t *testing.T) {
	p := []Prediction{{0, 1, 1}, {1, 1, 2}, {2, 1, 1}, {3, 5, 2}, {4, 5, 2}}
	groups := []int{8, 8, 8, 4, 4}
	v, err := Vote(p, groups, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(v, []Prediction{{3, 5, 2}, {0, 1, 1}}) {
		t.Errorf("votes %v", v)
	}
	if _, err := Vote(p, []int{1, 1, 1, 1, 1}, noise.Seeded(1)); err == nil {
		t.Error("a group of two truths votes")
	}
	if _, err := Vote(p, groups[:2], noise.Seeded(1)); err == nil {
		t.Error("rows without a group vote")
	}
	ones := 0
	src := noise.Seeded(2)
	for range 2000 {
		tie, err := Vote([]Prediction{{0, 1, 1}, {1, 1, 2}}, []int{0, 0}, src)
		if err != nil {
			t.Fatal(err)
		}
		if tie[0].Label == 1 {
			ones++
		}
	}
	if l := ClopperPearson(ones, 2000, 1-1e-6); l.Lower > 0.5 || l.Upper < 0.5 {
		t.Errorf("%d of 2000 ties go to one label", ones)
	}
}

func TestConfusion(t *testing.T) {
	c, err := Confuse([]Prediction{{0, 1, 1}, {1, 1, 1}, {2, 1, 4}, {3, 2, 1}, {4, 2, 2}})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Classes, []int{1, 2, 4}) || !slices.Equal(c.Counts[0], []int{2, 0, 1}) || !slices.Equal(c.Counts[1], []int{1, 1, 0}) {
		t.Errorf("%+v", c)
	}
	near(t, "accuracy", c.Accuracy(), 0.6, 1e-15)
	near(t, "balanced", c.Balanced(), (2.0/3+0.5)/2, 1e-15)
	near(t, "F1", c.MacroF1(), (4.0/6+2.0/3+0)/3, 1e-15)
	near(t, "chance", c.Chance(), 0.5, 1e-15)
	near(t, "majority", c.Majority(), 0.6, 1e-15)
	if _, err := Confuse(nil); err == nil {
		t.Error("nothing is counted")
	}
}

// The interval holds the truth at least as often as it says.
func TestClopperPearsonCovers(t *testing.T) {
	src := noise.Seeded(8)
	const n, runs = 25, 4000
	for _, p := range []float64{0.04, 0.3, 0.5, 0.97} {
		missed := 0
		for range runs {
			k := 0
			for range n {
				if src.Float64() < p {
					k++
				}
			}
			if l := ClopperPearson(k, n, 0.9); l.Lower > p || l.Upper < p {
				missed++
			}
		}
		if LowerLimit(missed, runs, 1e-7) > 0.1 {
			t.Errorf("p = %v: missed by %d of %d intervals", p, missed, runs)
		}
	}
	if l := ClopperPearson(0, 0, 0.95); l.Lower != 0 || l.Upper != 1 {
		t.Errorf("nothing seen: %v", l)
	}
}
