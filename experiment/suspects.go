package experiment

import (
	"errors"
	"fmt"
	"time"

	"github.com/gazeward/gazeward/attack"
	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// Attack is what an attacker achieved, and what that would say of a claim per
// person, whatever the release's own unit is.
type Attack struct {
	attack.Result
	// PerPerson is the ceiling if the release's ε were claimed for a whole
	// person, and what the attack says about such a claim; nil for raw data.
	PerPerson *PerPerson `json:"per_person"`
}

// PerPerson is a claim that some papers' readers take from an ε.
type PerPerson struct {
	Epsilon float64 `json:"epsilon"`
	Ceiling float64 `json:"ceiling"`
	Verdict string  `json:"verdict"`
}

// Suspects gathers recordings and what was released of them as vectors of
// fixations and saccades, for attacks on the release. Each person's recordings
// are split by turns into references and probes, so that no attack is shown the
// recording that it is to identify.
type Suspects struct {
	PixelsPerDegree float64

	people        numbers
	seen          map[int]int         // recordings of each person
	raw, released [2]map[bool]lookers // references and probes, with and without positions
}

type lookers []attack.Looker

// reference and probe are the two sides of the split.
const (
	reference = iota
	probe
)

// Add takes a recording and what was released of it; released may be nil.
func (s *Suspects) Add(raw, released *gaze.Recording) error {
	if s.people == nil {
		s.people, s.seen = numbers{}, map[int]int{}
		for side := range s.raw {
			s.raw[side], s.released[side] = map[bool]lookers{}, map[bool]lookers{}
		}
	}
	who := s.people.of(raw.Participant)
	side := s.seen[who] % 2
	s.seen[who]++
	for _, positions := range []bool{false, true} {
		if err := s.look(s.raw[side], who, raw, positions); err != nil {
			return err
		}
		if released == nil {
			continue
		}
		if err := s.look(s.released[side], who, released, positions); err != nil {
			return err
		}
	}
	return nil
}

func (s *Suspects) look(to map[bool]lookers, who int, r *gaze.Recording, positions bool) error {
	d := detect.IVT{Threshold: 30, MinDuration: 100 * time.Millisecond, Window: 1, PixelsPerDegree: s.PixelsPerDegree}
	l, err := attack.Look(who, r, d, positions)
	if err != nil {
		return err
	}
	l.Fixations, l.Saccades = thinned(l.Fixations), thinned(l.Saccades)
	if len(l.Fixations)+len(l.Saccades) > 0 {
		to[positions] = append(to[positions], l)
	}
	return nil
}

// mostEvents of a recording are looked at: noise makes thousands of jumps, and
// the learners' work grows with the square of what they learn from.
const mostEvents = 200

// thinned takes evenly spread events.
func thinned(all [][]float64) [][]float64 {
	if len(all) <= mostEvents {
		return all
	}
	out := make([][]float64, mostEvents)
	for i := range out {
		out[i] = all[i*len(all)/mostEvents]
	}
	return out
}

// ErrTooFew is returned where people have too few recordings for references
// and probes.
var ErrTooFew = errors.New("experiment: identification needs at least two people with two recordings each")

// Identify runs the attacks. epsilon and delta are the release's, nominal ones
// of a void release; wholePerson says that they are claimed per subject.
func (s *Suspects) Identify(epsilon, delta float64, wholePerson bool, src *noise.Source) ([]Attack, error) {
	known := both(s.raw[reference][false], s.raw[probe][false])
	if len(known) < 2 {
		return nil, ErrTooFew
	}
	var out []Attack
	for _, positions := range []bool{true, false} {
		control, err := s.run(attack.Raw, positions, nil, s.raw[reference][positions], s.raw[probe][positions], src)
		if err != nil {
			return nil, err
		}
		control.Attack = "control: raw recordings identified by raw ones"
		out = append(out, *control)
		for _, enrol := range []attack.Enrol{attack.Protected, attack.Raw} {
			claim := &attack.Claim{Epsilon: epsilon, Delta: delta, WholePerson: wholePerson, SharedNoise: enrol == attack.Protected}
			references := s.released[reference][positions]
			if enrol == attack.Raw {
				references = s.raw[reference][positions]
			}
			a, err := s.run(enrol, positions, claim, references, s.released[probe][positions], src)
			if err != nil {
				a = &Attack{Result: attack.Result{Attack: "identification by events", Enrol: enrol, Positions: positions, Verdict: attack.NoEvidence, Why: err.Error()}}
			} else {
				a.Against(&control.Result)
				a.PerPerson = perPerson(&a.Result, epsilon, delta, enrol)
			}
			out = append(out, *a)
		}
	}
	return out, nil
}

func (s *Suspects) run(enrol attack.Enrol, positions bool, claim *attack.Claim, references, probes lookers, src *noise.Source) (*Attack, error) {
	known := both(references, probes)
	r, err := attack.Fused{Settings: attack.Settings{Enrol: enrol, Positions: positions, Claim: claim}}.Run(of(references, known), of(probes, known), src)
	if err != nil {
		return nil, err
	}
	return &Attack{Result: *r}, nil
}

// perPerson holds the result against the ceiling of a claim per person. The
// references of protected enrolment may share the release's noise: then there
// is no evidence.
func perPerson(r *attack.Result, epsilon, delta float64, enrol attack.Enrol) *PerPerson {
	p := &PerPerson{Epsilon: epsilon, Ceiling: attack.Ceiling(epsilon, delta, r.Candidates), Verdict: attack.NotFalsified.String()}
	switch {
	case enrol == attack.Protected:
		p.Verdict = "no evidence: the references may share the release's noise"
	case classify.LowerLimit(r.Correct, r.Trials, 0.025) > p.Ceiling:
		p.Verdict = attack.Falsified.String()
	}
	return p
}

// both are the people that stand on both sides.
func both(a, b lookers) map[int]bool {
	left, out := map[int]bool{}, map[int]bool{}
	for _, l := range a {
		left[l.Person] = true
	}
	for _, l := range b {
		if left[l.Person] {
			out[l.Person] = true
		}
	}
	return out
}

func of(all lookers, people map[int]bool) lookers {
	var out lookers
	for _, l := range all {
		if people[l.Person] {
			out = append(out, l)
		}
	}
	return out
}

// String names an attack in a line.
func (a Attack) String() string {
	with := "without positions"
	if a.Positions {
		with = "with positions"
	}
	return fmt.Sprintf("%s, trained on %s data, %s", a.Attack, a.Enrol, with)
}
