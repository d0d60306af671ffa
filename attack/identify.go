package attack

import (
	"fmt"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/noise"
)

// Rows are feature vectors of persons, for example one per window.
type Rows struct {
	X      [][]float64
	Person []int
}

// Halves cuts every recording's rows in half, in the order given: the first
// halves to enrol, the second to identify, as in Steil et al. 2019 and Bozkir
// et al. 2021. Of one release both halves share the noise; see
// [Claim.SharedNoise].
func (r Rows) Halves(recording []int) (first, second Rows, err error) {
	if len(recording) != len(r.X) || len(r.Person) != len(r.X) {
		return first, second, fmt.Errorf("attack: %d rows have %d persons and %d recordings", len(r.X), len(r.Person), len(recording))
	}
	s, err := classify.Halves(recording)
	if err != nil {
		return first, second, fmt.Errorf("attack: halves: %w", err)
	}
	return r.pick(s.Train), r.pick(s.Test), nil
}

func (r Rows) pick(rows []int) (out Rows) {
	for _, i := range rows {
		out.X, out.Person = append(out.X, r.X[i]), append(out.Person, r.Person[i])
	}
	return out
}

// Identify tells who released rows are of: a learner is trained on enrolled
// rows, labels every released row, and each person's rows vote. The default
// learner finds the nearest neighbour on an embedding of the features.
type Identify struct {
	Classifier string           // its name, for the result; default embedding
	Learner    classify.Learner // default that of the name, see classify.ByName
	Settings
}

func (a *Identify) defaults() error {
	if a.Classifier == "" {
		a.Classifier = "embedding"
	}
	if a.Learner == nil {
		l, err := classify.ByName(a.Classifier)
		if err != nil {
			return err
		}
		a.Learner = l
	}
	return a.check()
}

// Run attacks one release. Persons are trials; each is judged alone.
func (a Identify) Run(enrolled, released Rows, src *noise.Source) (*Result, error) {
	if err := a.defaults(); err != nil {
		return nil, err
	}
	if len(released.X) != len(released.Person) {
		return nil, fmt.Errorf("attack: %d released rows have %d persons", len(released.X), len(released.Person))
	}
	known, err := persons(enrolled.Person, released.Person)
	if err != nil {
		return nil, err
	}
	m, err := a.Learner.Fit(enrolled.X, enrolled.Person, src)
	if err != nil {
		return nil, fmt.Errorf("attack: enrolment: %w", err)
	}
	said, err := classify.Predict(m, released.X)
	if err != nil {
		return nil, fmt.Errorf("attack: released rows: %w", err)
	}
	rows := make([]classify.Prediction, len(said))
	for i, who := range said {
		rows[i] = classify.Prediction{Row: i, True: released.Person[i], Label: who}
	}
	votes, err := classify.Vote(rows, released.Person, src)
	if err != nil {
		return nil, err
	}
	r, err := a.tell("identification", a.Classifier, len(known), votes)
	if err != nil {
		return nil, err
	}
	r.RowRate = share(rows)
	return r, nil
}

func share(p []classify.Prediction) float64 {
	n := 0.0
	for _, q := range p {
		if q.True == q.Label {
			n++
		}
	}
	return n / float64(len(p))
}
