package attack

import (
	"errors"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

// readers are people of whom every other recording is of another task; features
// tell the task if told, and the person always.
func readers(people int, told float64, src *noise.Source) (d Labelled) {
	for who := range people {
		for rec := range 4 {
			for range 8 {
				d.X = append(d.X, []float64{3*float64(who) + 0.1*src.NormFloat64(), told*float64(rec%2) + src.NormFloat64()})
				d.Label, d.Person, d.Recording = append(d.Label, rec%2), append(d.Person, who), append(d.Recording, 4*who+rec)
			}
		}
	}
	return d
}

func TestTask(t *testing.T) {
	src := noise.Seeded(5)
	told, untold := readers(12, 4, src), readers(12, 0, src)
	r, err := Task{Name: "task", Vote: true}.Run(told, told, src)
	if err != nil {
		t.Fatal(err)
	}
	if r.Rate < 0.95 || r.RowRate > r.Rate || r.Trials != 48 || r.Chance != 0.5 || r.Majority != 0.5 || r.Candidates != 2 || r.Classifier != "forest" {
		t.Errorf("%+v", r)
	}
	// Persons are the trials of the interval: twelve of twelve say no more than 0.74.
	if r.Rate == 1 && r.Interval.Lower > 0.74 {
		t.Errorf("48 recordings of 12 people: %v", r.Interval)
	}
	// Recordings of the person who is tested are never trained on: where only
	// the person tells, nothing is told.
	r, err = Task{Name: "task", Settings: Settings{Claim: &Claim{Epsilon: 1, WholePerson: true}}}.Run(untold, untold, src)
	if err != nil {
		t.Fatal(err)
	}
	if r.Rate > 0.65 || r.Verdict != NoEvidence || r.Trials != len(untold.X) {
		t.Errorf("%+v", r)
	}
	// Trained on other data than tested: the features mean something else.
	r, err = Task{Name: "task", Vote: true, Settings: Settings{Enrol: Raw}}.Run(told, untold, src)
	if err != nil {
		t.Fatal(err)
	}
	if r.Rate > 0.85 || r.Enrol != Raw {
		t.Errorf("%+v", r)
	}
}

func TestTaskRefuses(t *testing.T) {
	src := noise.Seeded(5)
	one := readers(1, 4, src)
	if _, err := (Task{}).Run(one, one, src); !errors.Is(err, ErrOnePerson) {
		t.Errorf("one person: %v", err)
	}
	d := readers(3, 4, src)
	d.Label = d.Label[1:]
	if _, err := (Task{}).Run(d, d, src); err == nil {
		t.Error("rows without labels")
	}
	d = readers(3, 4, src)
	for i := range d.Label {
		d.Label[i] = 7
	}
	if _, err := (Task{}).Run(d, d, src); err == nil {
		t.Error("one class")
	}
	d = readers(3, 4, src)
	if _, err := (Task{Classifier: "?"}).Run(d, d, src); err == nil {
		t.Error("an unknown classifier")
	}
}
