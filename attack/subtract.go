package attack

import (
	"errors"
	"fmt"

	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/noise"
)

// MapRelease draws one release of n people's maps: their mean with whatever
// protects it, cell by cell, in the maps' unit.
type MapRelease func(maps [][]float64, src *noise.Source) ([]float64, error)

// Subtraction decides whether a person's map is in a released mean, knowing
// everybody else's: it subtracts them, and says "in" where what is left lies
// nearer to the person's map than to the one that stands in for it (Liu et al.
// 2019).
type Subtraction struct {
	Trials int // default 1000: coins whether the person is in, each with a release of its own
	// Claim.Epsilon is for replacing a person's map; WholePerson that it is all
	// of them.
	Settings
}

// Membership is a Result whose trials are coins, with the advantage
// 2·accuracy − 1 of the attacker over guessing.
type Membership struct {
	Result
	Advantage         float64           `json:"advantage"`
	AdvantageInterval classify.Interval `json:"advantage_interval"`
	AdvantageCeiling  float64           `json:"advantage_ceiling,omitempty"` // of the claim; 0 = none
}

// Run attacks a mechanism: target is the person's map, instead what is in its
// place when the person is not there (for example zeros).
func (a Subtraction) Run(release MapRelease, others [][]float64, target, instead []float64, src *noise.Source) (*Membership, error) {
	if err := a.defaults(others, target, instead); err != nil {
		return nil, err
	}
	rest := make([]float64, len(target))
	for _, m := range others {
		for j, v := range m {
			rest[j] += v
		}
	}
	maps := append(append([][]float64(nil), others...), nil)
	correct := 0
	for range a.Trials {
		in := src.Uint64()&1 == 1
		maps[len(others)] = instead
		if in {
			maps[len(others)] = target
		}
		r, err := release(maps, src)
		if err != nil {
			return nil, fmt.Errorf("attack: release: %w", err)
		}
		if len(r) != len(target) {
			return nil, fmt.Errorf("attack: the release has %d cells, the maps %d", len(r), len(target))
		}
		if nearer(r, rest, target, instead, float64(len(maps))) == in {
			correct++
		}
	}
	return a.result(correct), nil
}

func (a *Subtraction) defaults(others [][]float64, target, instead []float64) error {
	if a.Trials == 0 {
		a.Trials = 1000
	}
	if a.Trials < 0 {
		return fmt.Errorf("attack: trials must be positive, got %d", a.Trials)
	}
	for _, m := range append([][]float64{instead}, others...) {
		if len(m) != len(target) || len(target) == 0 {
			return fmt.Errorf("attack: maps of %d and %d cells", len(m), len(target))
		}
	}
	for j, v := range target {
		if v != instead[j] {
			return a.check()
		}
	}
	return errors.New("attack: the person's map is the one that stands in for it: there is nothing to find")
}

// nearer compares n·release − rest with both maps.
func nearer(release, rest, target, instead []float64, n float64) bool {
	in, out := 0.0, 0.0
	for j, v := range release {
		left := n*v - rest[j]
		in += (left - target[j]) * (left - target[j])
		out += (left - instead[j]) * (left - instead[j])
	}
	return in < out
}

func (a *Subtraction) result(correct int) *Membership {
	m := &Membership{Result: Result{
		Attack: "membership by subtraction", Candidates: 2, Trials: a.Trials, Correct: correct, Chance: 0.5, Majority: 0.5,
	}}
	a.judge(&m.Result)
	m.RowRate = m.Rate

	m.Advantage = 2*m.Rate - 1
	m.AdvantageInterval = classify.Interval{Lower: 2*m.Interval.Lower - 1, Upper: 2*m.Interval.Upper - 1}
	if a.Claim != nil {
		m.AdvantageCeiling = 2*m.Ceiling - 1
	}
	return m
}
