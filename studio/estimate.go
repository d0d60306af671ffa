package studio

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/manifest"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/heatmap"
)

// estimate is what a choice promises and costs, before anything is spent: from
// parameters and public facts alone.
type estimate struct {
	Guarantee   string              `json:"guarantee"`
	Void        string              `json:"void,omitempty"` // why there is none
	Epsilon     float64             `json:"epsilon"`
	Delta       float64             `json:"delta"`
	Odds        string              `json:"odds"`
	Guess       float64             `json:"guess"` // chance of a right guess between two, at most
	Ceilings    []ceiling           `json:"ceilings"`
	Expected    *mechanism.Expected `json:"expected"` // null = not evaluated
	Errors      []fact              `json:"errors"`   // noise per released quantity
	Noise       mechanism.Noise     `json:"noise"`
	Needed      string              `json:"needed"`
	Strength    string              `json:"strength"` // in words
	Weak        bool                `json:"-"`        // it is close to none
	Warnings    []string            `json:"warnings"`
	Unprotected []string            `json:"unprotected"`
	Composed    []fact              `json:"composed"` // for other units
	Parameters  map[string]string   `json:"parameters"`
	Problem     *problem            `json:"problem,omitempty"`
}

// ceiling bounds how often an attacker who knows everything else picks the
// right one of several people.
type ceiling struct {
	People int     `json:"people"`
	Most   float64 `json:"most"`
	Chance float64 `json:"chance"`
	Words  string  `json:"words"`
}

// ceilingOf is (e^ε + (n−1)δ) / (e^ε + n − 1): the posterior of n equally likely
// candidates under (ε, δ)-DP, summed over the right one.
func ceilingOf(epsilon, delta float64, n int) float64 {
	others := float64(n - 1)
	e := math.Exp(-epsilon) // divides both sides, so that large ε do not overflow
	return math.Min(1, (1+others*delta*e)/(1+others*e))
}

// estimate tells what is known in advance.
func (c *choice) estimate() estimate {
	e := estimate{Ceilings: []ceiling{}, Errors: []fact{}, Warnings: []string{}, Unprotected: []string{}, Composed: []fact{}, Parameters: map[string]string{}}
	m, err := c.build()
	if err != nil {
		e.Problem = describe(err)
		return e
	}
	p := m.Plan()
	g := p.Guarantee
	e.Guarantee, e.Noise, e.Expected, e.Parameters = g.String(), p.Noise, p.Expected, p.Parameters
	e.Epsilon, e.Delta, e.Odds, e.Guess = g.Epsilon, g.Delta, manifest.Odds(g), manifest.GuessBound(g)
	e.Void, _ = g.Void()
	if e.Void == "" {
		n, _ := strconv.Atoi(or(c.Values["subjects"], c.public()["subjects"]))
		e.Ceilings = ceilings(g, n)
	}
	for _, w := range p.Warnings {
		e.Warnings = append(e.Warnings, w.Error())
	}
	e.Unprotected = append(e.Unprotected, g.Unprotected...)
	for _, name := range sortedKeys(p.Composed) {
		e.Composed = append(e.Composed, fact{name, p.Composed[name].String()})
	}
	e.Errors = errorsOf(p)
	e.Needed, e.Strength = cmp.Or(c.neededForShares(p), neededForLikeness(p.Likeness), needed(p.Expected, g)), strength(g)
	e.Weak = e.Guess >= 0.9 || g.Unit != dp.Subject
	return e
}

// ceilings for two people and for all who are enrolled.
func ceilings(g dp.Guarantee, n int) []ceiling {
	out := []ceiling{}
	if g.Unit != dp.Subject || g.Measure != dp.Pure && g.Measure != dp.Approximate {
		return out
	}
	for _, k := range []int{2, 10, n} {
		if k < 2 || k == n && n <= 10 && len(out) > 0 && out[len(out)-1].People >= n || k > n && k > 2 {
			continue
		}
		c := ceiling{People: k, Most: ceilingOf(g.Epsilon, g.Delta, k), Chance: 1 / float64(k)}
		c.Words = fmt.Sprintf("Picking the right one of %d people: right at most %s of the time (by chance: %s).", k, share(c.Most), share(c.Chance))
		out = append(out, c)
	}
	return out
}

// share is a probability in percent, rounded up so that a bound stays one.
func share(p float64) string {
	digits := 1
	if p < 0.01 {
		digits = 2
	}
	scale := math.Pow(10, float64(digits))
	return strconv.FormatFloat(math.Ceil(p*100*scale-1e-9)/scale, 'f', -1, 64) + "\u00a0%"
}

// errorsOf is the noise in each released quantity.
func errorsOf(p mechanism.Plan) []fact {
	out := []fact{}
	for _, name := range sortedKeys(p.Parameters) {
		if what, ok := strings.CutPrefix(name, "deviation-"); ok {
			v, err := strconv.ParseFloat(p.Parameters[name], 64)
			if err == nil {
				title := or(aoiTitles[what], humanName(what))
				out = append(out, fact{title, "± " + significant(v) + " " + aoiUnits[what]})
			}
		}
	}
	if e := p.PathError; e != nil {
		out = append(out, fact{"Released gaze lies from the real one by (root mean square)", significant(e.RMS) + " " + e.Unit})
	}
	if l := p.Likeness; l != nil {
		out = append(out, fact{"Density of looks differs from the people's by (0 = alike, 1 = nothing in common)", significant(l.Density) + " bits; without any data " + significant(l.PriorOnly)})
	}
	return out
}

// goodShare is the standard deviation of a share of dwell time that still tells
// areas apart.
const goodShare = 0.05

// neededForShares says how many people shares of dwell time take: their noise
// shrinks in proportion to the number of people, but for what the default δ
// asks for in return. Empty for other products.
func (c *choice) neededForShares(p mechanism.Plan) string {
	now, err := strconv.ParseFloat(p.Parameters["deviation-"+heatmap.AOIDwell], 64)
	n, errN := strconv.Atoi(or(c.Values["subjects"], c.public()["subjects"]))
	if err != nil || errN != nil || !(now > 0) || n < 1 {
		return ""
	}
	if now <= goodShare {
		return fmt.Sprintf("Enough people for shares of dwell time within ± %s.", percentOf(goodShare))
	}
	return fmt.Sprintf("For shares of dwell time within ± %s: about %s people at this ε.", percentOf(goodShare), significant(math.Ceil(float64(n)*now/goodShare)))
}

// neededForLikeness says how many people gaze of nobody takes. Empty for other
// products.
func neededForLikeness(l *mechanism.Likeness) string {
	switch {
	case l == nil:
		return ""
	case l.Density <= l.Good:
		return fmt.Sprintf("Enough people for a density of looks within %s bits of theirs.", significant(l.Good))
	case l.SubjectsNeeded > 0:
		return fmt.Sprintf("For a density of looks within %s bits of theirs: about %d people at this ε.", significant(l.Good), l.SubjectsNeeded)
	}
	return "More people than was ever measured, for gaze that looks like theirs."
}

func percentOf(v float64) string { return significant(100*v) + "\u00a0%" }

func needed(e *mechanism.Expected, g dp.Guarantee) string {
	switch {
	case e == nil && g.Model == dp.Local:
		return "Every recording is protected by itself: its noise is the same, however many others there are."
	case e == nil && g.Measure == dp.None:
		return "Not evaluated: there is no guarantee to weigh it against."
	case e == nil && g.Unit != dp.Subject:
		return "Every " + g.Unit.String() + " has noise of its own, however many people there are."
	case e == nil:
		return "Not evaluated for this mechanism. The noise in a mean over people shrinks in proportion to their number."
	case e.CC >= 0.9:
		return "Enough people for a good picture (correlation of 0.9 and more)."
	case e.SubjectsNeeded > 0 && e.EpsilonNeeded > 0:
		return fmt.Sprintf("For a good picture (correlation 0.9): about %d people at this ε, or ε = %s with these people.", e.SubjectsNeeded, significant(e.EpsilonNeeded))
	case e.SubjectsNeeded > 0:
		return fmt.Sprintf("For a good picture (correlation 0.9): about %d people at this ε.", e.SubjectsNeeded)
	}
	return "A good picture is out of reach this way."
}

// strength says in words what an ε is worth, as people judge it.
func strength(g dp.Guarantee) string {
	if _, void := g.Void(); void || g.Measure == dp.None {
		return "no protection"
	}
	words := "hardly any protection"
	switch p := manifest.GuessBound(g); {
	case p < 0.56:
		words = "very strong protection"
	case p < 0.74:
		words = "strong protection"
	case p < 0.9:
		words = "moderate protection"
	case p < 0.99:
		words = "weak protection"
	}
	if g.Unit != dp.Subject {
		words += " of one " + g.Unit.String() + ", not of a person"
	}
	return words
}
