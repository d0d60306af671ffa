package attack

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/noise"
)

// Looker is one recording or release of a person as vectors of events; see
// [Look].
type Looker struct {
	Person              int
	Fixations, Saccades [][]float64
}

// Fused identifies people by two networks of radial basis functions, one for
// fixations and one for saccades, whose mean outputs are added with weights 0.4
// and 0.6 (George and Routray 2016; Ren et al. 2024, who report the F1 score).
type Fused struct {
	Nodes          int     // hidden nodes per person; default 32
	FixationWeight float64 // default 0.4
	SaccadeWeight  float64 // default 0.6
	Settings
}

func (a *Fused) defaults() error {
	if a.Nodes == 0 {
		a.Nodes = 32
	}
	if a.FixationWeight == 0 && a.SaccadeWeight == 0 {
		a.FixationWeight, a.SaccadeWeight = 0.4, 0.6
	}
	if !(a.FixationWeight >= 0 && a.SaccadeWeight >= 0) || math.IsInf(a.FixationWeight+a.SaccadeWeight, 0) {
		return fmt.Errorf("attack: the weights of fixations and saccades must not be negative, got %v and %v", a.FixationWeight, a.SaccadeWeight)
	}
	return a.check()
}

// Run attacks releases with one or more recordings per person. A person's
// recordings are added up: persons are trials. RowRate is of single recordings.
func (a Fused) Run(enrolled, released []Looker, src *noise.Source) (*Result, error) {
	if err := a.defaults(); err != nil {
		return nil, err
	}
	known, err := persons(people(enrolled), people(released))
	if err != nil {
		return nil, err
	}
	fixations, err := a.network(enrolled, func(l Looker) [][]float64 { return l.Fixations }, src)
	if err != nil {
		return nil, fmt.Errorf("attack: fixations: %w", err)
	}
	saccades, err := a.network(enrolled, func(l Looker) [][]float64 { return l.Saccades }, src)
	if err != nil {
		return nil, fmt.Errorf("attack: saccades: %w", err)
	}
	total := map[int]map[int]float64{}
	var single []classify.Prediction
	for i, l := range released {
		score := map[int]float64{}
		for _, err := range []error{add(score, a.FixationWeight, fixations, l.Fixations), add(score, a.SaccadeWeight, saccades, l.Saccades)} {
			if err != nil {
				return nil, fmt.Errorf("attack: released events: %w", err)
			}
		}
		single = append(single, classify.Prediction{Row: i, True: l.Person, Label: top(score, known)})
		if total[l.Person] == nil {
			total[l.Person] = map[int]float64{}
		}
		for who, s := range score {
			total[l.Person][who] += s
		}
	}
	var p []classify.Prediction
	for _, who := range known {
		if score, ok := total[who]; ok {
			p = append(p, classify.Prediction{Row: len(p), True: who, Label: top(score, known)})
		}
	}
	r, err := a.tell("identification by events", "rbf", len(known), p)
	if err != nil {
		return nil, err
	}
	r.RowRate = share(single)
	return r, nil
}

func people(all []Looker) (out []int) {
	for _, l := range all {
		out = append(out, l.Person)
	}
	return out
}

// network is a model of one kind of events, with the share of each person in
// those that it was trained on.
type network struct {
	classify.Model
	share map[int]float64
}

func (a *Fused) network(enrolled []Looker, of func(Looker) [][]float64, src *noise.Source) (*network, error) {
	var x [][]float64
	var y []int
	share := map[int]float64{}
	for _, l := range enrolled {
		for _, v := range of(l) {
			x, y = append(x, v), append(y, l.Person)
			share[l.Person]++
		}
	}
	for who := range share {
		share[who] /= float64(len(x))
	}
	m, err := classify.Standard{Learner: classify.RBF{Nodes: a.Nodes}}.Fit(x, y, src)
	return &network{m, share}, err
}

// add adds the mean output over the events to the score of each person. Outputs
// estimate who an event is of among the enrolled events, of which some people
// have more than others: dividing by their shares undoes that.
func add(score map[int]float64, weight float64, m *network, events [][]float64) error {
	outputs, err := classify.ScoreAll(m, events)
	if err != nil {
		return err
	}
	for _, out := range outputs {
		for c, who := range m.Classes() {
			score[who] += weight * out[c] / m.share[who] / float64(len(outputs))
		}
	}
	return nil
}

// top is the person with the highest score, the first of equal ones.
func top(score map[int]float64, known []int) int {
	best := known[0]
	for _, who := range known {
		if score[who] > score[best] {
			best = who
		}
	}
	return best
}
