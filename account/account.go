package account

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gazeward/gazeward/dp"
)

// Key names an account. Spends add up within one account; accounts of
// different units protect different things and are never added here.
type Key struct {
	Dataset      string  // the name of the data set's Definition, at most 200 bytes
	Participants string  // a keyed hash of the list of participants, never the list; at most 200 bytes
	Unit         dp.Unit // what one spend protects
	// Distance is "" for ordinary accounts. For geo-indistinguishability it is
	// the unit of length ("px", "deg"): such an account counts ε per one unit
	// of distance, and its numbers are not comparable with any other ε. For
	// guarantees about units that start within a radius of each other it is
	// "within" and the radius: ε adds up among guarantees of one radius.
	Distance string
}

// KeyFor returns the key of the account that takes the guarantee.
func KeyFor(dataset, participants string, g dp.Guarantee) Key {
	k := Key{Dataset: dataset, Participants: participants, Unit: g.Unit}
	switch {
	case g.Measure == dp.Geo:
		k.Distance = g.RadiusUnit
	case g.Neighbours == dp.StartWithin:
		k.Distance = withinPrefix + strconv.FormatFloat(g.Radius, 'g', -1, 64) + " " + g.RadiusUnit
	}
	return k
}

const withinPrefix = "within "

// geo reports an account that counts ε per unit of distance.
func (k Key) geo() bool { return k.Distance != "" && !strings.HasPrefix(k.Distance, withinPrefix) }

// UnitName is the unit as shown: "subject", "window per px", "window within
// 72 px".
func (k Key) UnitName() string {
	switch {
	case k.geo():
		return k.Unit.String() + " per " + k.Distance
	case k.Distance != "":
		return k.Unit.String() + " " + k.Distance
	}
	return k.Unit.String()
}

func (k Key) validate() error {
	for _, f := range [...]struct{ name, value string }{{"dataset", k.Dataset}, {"participants", k.Participants}} {
		if f.value == "" {
			return fmt.Errorf("account: the key needs a %s", f.name)
		}
		if err := plainText(f.name, f.value, 200); err != nil {
			return err
		}
	}
	if _, err := dp.ParseUnit(k.Unit.String()); err != nil {
		return fmt.Errorf("account: unknown unit of privacy, got %v", k.Unit)
	}
	return plainText("distance", k.Distance, 60)
}

// plainText refuses what would make a ledger unreadable. It does not repeat
// the text: it may hold more than it should.
func plainText(name, s string, most int) error {
	if len(s) > most {
		return fmt.Errorf("account: %s must have at most %d bytes, got %d", name, most, len(s))
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl) {
		return fmt.Errorf("account: %s must be UTF-8 text without control characters", name)
	}
	return nil
}

// Record is an account as a [Store] keeps it. Key, Cap, Filters, Opened and
// Genesis never change; the rest follows from the entries.
type Record struct {
	Key     Key
	Cap     Budget
	Filters Filters
	Opened  string // date in UTC
	Genesis string // hash of all of the above; the first entry follows on it
	Entries int64
	Totals  Costs
	Head    string // hash of the last entry; Genesis while there is none
}

// Bound is what one theorem gives for everything charged so far.
type Bound struct {
	Theorem Theorem `json:"theorem"`
	Budget
}

// Account is an account as shown to people.
//
// Spent is what the named theorem gives for the charges made so far: the sums
// of basic composition while these are within their share of the cap, else
// the smallest ε among the other theorems. What holds however the spends were
// chosen is the cap (PROOF.md §3).
type Account struct {
	Record
	Spent       Budget
	Left        Budget // cap − spent, never negative
	Theorem     Theorem
	Composition []Bound // every theorem whose filter permits the history
}

// Show computes what a record's totals mean.
func Show(r Record) Account {
	a := Account{Record: r}
	for t := range theorems {
		if r.Filters[t].Loss > 0 && r.Filters[t].permits(r.Totals[t]) {
			a.Composition = append(a.Composition, Bound{t, r.bound(t)})
		}
	}
	for i, b := range a.Composition {
		if i == 0 || a.Theorem != Basic && b.Epsilon < a.Spent.Epsilon {
			a.Spent, a.Theorem = b.Budget, b.Theorem
		}
	}
	if len(a.Composition) == 0 { // no history that was charged looks like this: nothing is left
		a.Spent = Budget{epsilonOf(r.Totals[Basic].Loss), r.Totals[Basic].Delta}
		return a
	}
	a.Left = r.Cap.less(a.Spent)
	return a
}

// bound is the (ε, δ) of one theorem that permits the history. The filter's
// theorem says that ε is at most the cap's, whatever rounding does.
func (r Record) bound(t Theorem) Budget {
	total, convert := r.Totals[t], r.Filters[t].Convert
	if total == (Cost{}) {
		return Budget{}
	}
	var epsilon Epsilon
	switch t {
	case Gaussian:
		epsilon = gaussianEpsilon(total.Loss, convert)
	case ZCDP:
		epsilon = Epsilon(floatUnits(dp.ZCDPEpsilon(total.Loss.Float64(), convert.Float64()), epsilonDigits, up))
	default:
		epsilon = epsilonOf(total.Loss)
	}
	return Budget{min(epsilon, r.Cap.Epsilon), plus(total.Delta, convert)}
}

// Permits reports whether the account would take the guarantee now: nil, or
// the error with which [Ledger.Charge] would refuse it.
func (a Account) Permits(g dp.Guarantee) error {
	_, err := a.Record.price(g)
	return err
}

type accountJSON struct {
	Dataset      string  `json:"dataset"`
	Participants string  `json:"participants"`
	Unit         string  `json:"unit"`
	Distance     string  `json:"distance,omitempty"`
	Cap          Budget  `json:"cap"`
	Spent        Budget  `json:"spent"`
	Left         Budget  `json:"left"`
	Theorem      Theorem `json:"theorem"`
	Composition  []Bound `json:"composition"`
	Opened       string  `json:"opened"`
	Entries      int64   `json:"entries"`
	Head         string  `json:"head"`
}

// MarshalJSON writes numbers as plain decimals.
func (a Account) MarshalJSON() ([]byte, error) {
	return json.Marshal(accountJSON{
		a.Key.Dataset, a.Key.Participants, a.Key.Unit.String(), a.Key.Distance, a.Cap, a.Spent, a.Left,
		a.Theorem, a.Composition, a.Opened, a.Record.Entries, a.Head,
	})
}
