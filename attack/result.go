package attack

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/classify"
)

// Result is what an attack found, with everything it must be read beside.
type Result struct {
	Attack     string `json:"attack"`
	Classifier string `json:"classifier,omitempty"`
	Enrol      Enrol  `json:"enrol"`
	Positions  bool   `json:"positions"` // where people looked is among the features

	Candidates int               `json:"candidates"` // labels to choose from
	Trials     int               `json:"trials"`     // independent ones: persons, or draws
	Correct    int               `json:"correct"`    // of them
	Rate       float64           `json:"rate"`
	Interval   classify.Interval `json:"interval"` // Clopper–Pearson, two-sided
	Confidence float64           `json:"confidence"`
	RowRate    float64           `json:"row_rate"` // of single rows or recordings, before anything votes
	MacroF1    float64           `json:"macro_f1"` // of the trials
	Chance     float64           `json:"chance"`
	Majority   float64           `json:"majority"` // of always saying the most frequent label

	Ceiling  float64  `json:"ceiling,omitempty"` // of the claim; 0 = none
	Verdict  Verdict  `json:"verdict"`
	Why      string   `json:"why,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

// Settings are what all attacks have in common. The zero value is usable.
type Settings struct {
	Enrol      Enrol   // what the references are, for the result to say
	Positions  bool    // likewise, of the features
	Claim      *Claim  // nil = nothing was claimed
	Confidence float64 // of the interval; default 0.95
	// FalseAlarm is the probability with which a true claim that allows all of
	// its ceiling is called falsified; default (1 − Confidence)/2. Tables with
	// many rows divide theirs by the number of rows.
	FalseAlarm float64
}

func (s *Settings) check() error {
	if s.Confidence == 0 {
		s.Confidence = 0.95
	}
	if s.FalseAlarm == 0 {
		s.FalseAlarm = (1 - s.Confidence) / 2
	}
	if !(s.Confidence > 0 && s.Confidence < 1) {
		return fmt.Errorf("attack: confidence must lie in (0, 1), got %v", s.Confidence)
	}
	if !(s.FalseAlarm > 0 && s.FalseAlarm < 1) {
		return fmt.Errorf("attack: the false alarm must lie in (0, 1), got %v", s.FalseAlarm)
	}
	if s.Claim != nil {
		return s.Claim.Check()
	}
	return nil
}

// judge fills in what follows from the trials.
func (s *Settings) judge(r *Result) {
	r.Enrol, r.Positions, r.Confidence = s.Enrol, s.Positions, s.Confidence
	r.Rate = float64(r.Correct) / float64(max(1, r.Trials))
	r.Interval = classify.ClopperPearson(r.Correct, r.Trials, s.Confidence)
	if s.Claim == nil {
		return
	}
	r.Ceiling = s.Claim.Ceiling(r.Candidates)
	lower := classify.LowerLimit(r.Correct, r.Trials, s.FalseAlarm)
	switch why := s.Claim.conditions(); {
	case why != "":
		r.Verdict, r.Why = NoEvidence, why
	case lower > r.Ceiling:
		r.Verdict = Falsified
		r.Why = fmt.Sprintf("the success is at least %.3g (false alarm %.2g); the claim allows %.3g", lower, s.FalseAlarm, r.Ceiling)
	default:
		r.Verdict = NotFalsified
		r.Why = fmt.Sprintf("the success may be as low as %.3g (false alarm %.2g); the claim allows %.3g", lower, s.FalseAlarm, r.Ceiling)
	}
}

// Against adds a warning where the same attack on raw data does not do better
// than chance: what fails on raw data proves nothing about protected data.
func (r *Result) Against(raw *Result) {
	if raw.Interval.Lower <= math.Max(raw.Chance, raw.Majority) {
		r.Warnings = append(r.Warnings, fmt.Sprintf("the attacker is not shown to do better than chance on raw data (%.3g, interval %.3g to %.3g): its failure here proves nothing",
			raw.Rate, raw.Interval.Lower, raw.Interval.Upper))
	}
}

// Errors that a caller may want to tell apart.
var (
	ErrOnePerson = errors.New("attack: one person: there is nobody to tell apart")
	ErrStranger  = errors.New("attack: a released person is not enrolled: identification among known people needs all of them")
)

// persons checks who is enrolled and released, and lists the enrolled.
func persons(enrolled, released []int) ([]int, error) {
	known := slices.Compact(slices.Sorted(slices.Values(enrolled)))
	if len(known) < 2 {
		return nil, ErrOnePerson
	}
	if len(released) == 0 {
		return nil, errors.New("attack: nothing was released")
	}
	for _, p := range released {
		if _, ok := slices.BinarySearch(known, p); !ok {
			return nil, ErrStranger
		}
	}
	return known, nil
}

// tell makes a result of identified persons: one prediction per trial.
func (s *Settings) tell(attack, classifier string, candidates int, p []classify.Prediction) (*Result, error) {
	c, err := classify.Confuse(p)
	if err != nil {
		return nil, err
	}
	r := &Result{
		Attack: attack, Classifier: classifier, Candidates: candidates, Trials: c.Total(), Correct: c.Correct(),
		MacroF1: c.MacroF1(), Chance: 1 / float64(candidates), Majority: c.Majority(),
	}
	s.judge(r)
	return r, nil
}
