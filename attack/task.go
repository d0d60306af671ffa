package attack

import (
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/noise"
)

// Labelled are rows with what is to be told of them: task, document type,
// gender.
type Labelled struct {
	X         [][]float64
	Label     []int
	Person    []int
	Recording []int // rows of one recording have one label, and vote for it
}

func (d *Labelled) check() error {
	if len(d.Label) != len(d.X) || len(d.Person) != len(d.X) || len(d.Recording) != len(d.X) {
		return fmt.Errorf("attack: %d rows have %d labels, %d persons and %d recordings", len(d.X), len(d.Label), len(d.Person), len(d.Recording))
	}
	if err := classify.Check(d.X, d.Label); err != nil {
		return fmt.Errorf("attack: %w", err)
	}
	return nil
}

// Task tells labels of people who were not trained on (leave one person out).
// It is the utility of a release, and an attack where the label is secret.
type Task struct {
	Name       string // of the label, for the result
	Classifier string // default forest
	Learner    classify.Learner
	Vote       bool // the rows of a recording vote
	Settings        // Enrol: what the training rows are
}

// Run trains on the rows of all other people in train and tests each person's
// rows in test. The rate is that of rows, or of recordings where they vote; the
// interval takes persons as trials, since rows of one person are not
// independent, and rounds against narrowness.
func (a Task) Run(train, test Labelled, src *noise.Source) (*Result, error) {
	if err := a.defaults(); err != nil {
		return nil, err
	}
	for _, d := range []*Labelled{&train, &test} {
		if err := d.check(); err != nil {
			return nil, err
		}
	}
	people := slices.Compact(slices.Sorted(slices.Values(test.Person)))
	if len(people) < 2 {
		return nil, ErrOnePerson
	}
	p, err := a.leaveOut(people, train, test, src)
	if err != nil {
		return nil, err
	}
	rows := share(p)
	if a.Vote {
		if p, err = classify.Vote(p, test.Recording, src); err != nil {
			return nil, err
		}
	}
	return a.result(p, rows, len(people))
}

func (a *Task) defaults() error {
	id := Identify{Classifier: a.Classifier, Learner: a.Learner, Settings: a.Settings}
	if id.Classifier == "" {
		id.Classifier = "forest"
	}
	if err := id.defaults(); err != nil {
		return err
	}
	a.Classifier, a.Learner, a.Settings = id.Classifier, id.Learner, id.Settings
	return nil
}

// leaveOut stacks both sets, so that a split trains on one and tests the other.
func (a *Task) leaveOut(people []int, train, test Labelled, src *noise.Source) ([]classify.Prediction, error) {
	x, y := slices.Concat(train.X, test.X), slices.Concat(train.Label, test.Label)
	splits := make([]classify.Split, len(people))
	for s, who := range people {
		for i, p := range train.Person {
			if p != who {
				splits[s].Train = append(splits[s].Train, i)
			}
		}
		for i, p := range test.Person {
			if p == who {
				splits[s].Test = append(splits[s].Test, len(train.X)+i)
			}
		}
	}
	p, err := classify.Validate(a.Learner, x, y, splits, src)
	if err != nil {
		return nil, fmt.Errorf("attack: %w", err)
	}
	for i := range p {
		p[i].Row -= len(train.X)
	}
	return p, nil
}

func (a *Task) result(p []classify.Prediction, rows float64, people int) (*Result, error) {
	c, err := classify.Confuse(p)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Attack: a.Name, Classifier: a.Classifier, Candidates: int(math.Round(1 / c.Chance())), Trials: c.Total(), Correct: c.Correct(),
		RowRate: rows, MacroF1: c.MacroF1(), Chance: c.Chance(), Majority: c.Majority(),
	}
	a.judge(r)
	k := r.Rate * float64(people)
	r.Interval = classify.Interval{
		Lower: classify.ClopperPearson(int(math.Floor(k)), people, a.Confidence).Lower,
		Upper: classify.ClopperPearson(int(math.Ceil(k)), people, a.Confidence).Upper,
	}
	if r.Verdict == Falsified || r.Verdict == NotFalsified {
		r.Verdict, r.Why = NoEvidence, "rows and recordings of one person are not independent trials of a claim"
	}
	return r, nil
}
