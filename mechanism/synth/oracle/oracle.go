package oracle

import (
	"errors"
	"fmt"
	"math"
	"sync"

	"github.com/gazeward/gazeward/noise"
)

// None is the value of a device that has none of the domain's: reported like any other, so that nobody learns of it.
const None = -1

// Limits of what an oracle takes.
const (
	MaxDomain  = 1 << 24
	MinEpsilon = 1e-9
	MaxEpsilon = 40
)

// ErrReport is returned for words that are no report of the oracle.
var ErrReport = errors.New("oracle: malformed report")

var errMerge = errors.New("oracle: tallies of different oracles cannot be merged")

// Oracle is a local randomiser of one value out of 0..Domain()-1 with a way to count. It is immutable and safe for concurrent use.
type Oracle interface {
	// Domain is the number of values; None comes on top of them.
	Domain() int
	// Epsilon is the privacy loss of one report: pure, between any two values, None among them.
	Epsilon() float64
	// Words is the length of a report.
	Words() int
	// Perturb overwrites dst, of length Words, with the report of a value. A value outside the domain counts as None.
	Perturb(dst []uint64, value int, src *noise.Source)
	// Tally returns an empty tally of reports.
	Tally() Tally
}

// Tally collects reports. It is not safe for concurrent use: give each goroutine its own and Merge them.
type Tally interface {
	// Takes reports whether words have the shape of a report.
	Takes(report []uint64) bool
	// Add counts a report; of one of a wrong shape it returns ErrReport and counts nothing.
	Add(report []uint64) error
	// Merge adds what another tally of the same oracle has collected.
	Merge(other Tally) error
	// Estimate returns unbiased counts of what was collected so far.
	Estimate() Estimate
}

// Estimate holds unbiased counts. They may be negative and need not sum to the number of reports.
type Estimate struct {
	Counts  []float64 // how many of the reports stand for each value
	Reports int
	// Absent and Present are what one report adds to the variance of a count: one that stands for another value or for None,
	// and one that stands for the value.
	Absent, Present float64
}

// Variance is that of the count of a value for which so many of the reports truly stand; a guess does.
func (e Estimate) Variance(truth float64) float64 {
	truth = math.Min(math.Max(truth, 0), float64(e.Reports))
	return truth*e.Present + (float64(e.Reports)-truth)*e.Absent
}

// New returns the oracle of a name: oue, subset or hadamard.
func New(name string, domain int, epsilon float64) (Oracle, error) {
	switch name {
	case "oue":
		return NewOUE(domain, epsilon)
	case "subset":
		return NewSubset(domain, epsilon)
	case "hadamard":
		return NewHadamard(domain, epsilon)
	}
	return nil, fmt.Errorf("oracle: unknown frequency oracle %q: want oue, subset or hadamard", name)
}

// Names lists the oracles that New knows.
func Names() []string { return []string{"oue", "subset", "hadamard"} }

func check(domain int, epsilon float64) error {
	if domain < 1 || domain > MaxDomain {
		return fmt.Errorf("oracle: domain must be between 1 and %d values, got %d", MaxDomain, domain)
	}
	if !(epsilon >= MinEpsilon && epsilon <= MaxEpsilon) {
		return fmt.Errorf("oracle: epsilon must be between %v and %v, got %v", MinEpsilon, float64(MaxEpsilon), epsilon)
	}
	return nil
}

// Collect perturbs every value on its own and tallies the reports, with several goroutines, each drawing from its own Split for
// its own stretch of values. With a seeded source the result depends on the seed and on workers; fewer than one counts as one.
func Collect(o Oracle, values []int, src *noise.Source, workers int) (Tally, error) {
	workers = max(1, min(workers, len(values)))
	tallies, errs := make([]Tally, workers), make([]error, workers)
	var group sync.WaitGroup
	for i := range workers {
		part, own := values[len(values)*i/workers:len(values)*(i+1)/workers], src.Split()
		group.Go(func() { tallies[i], errs[i] = collect(o, part, own) })
	}
	group.Wait()
	for _, t := range tallies[1:] {
		errs = append(errs, tallies[0].Merge(t))
	}
	return tallies[0], errors.Join(errs...)
}

func collect(o Oracle, values []int, src *noise.Source) (Tally, error) {
	t, report := o.Tally(), make([]uint64, o.Words())
	for _, v := range values {
		o.Perturb(report, v, src)
		if err := t.Add(report); err != nil {
			return t, err
		}
	}
	return t, nil
}
