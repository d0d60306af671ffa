package experiment

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/gazeward/gazeward/mechanism"
)

// PrintedRemark says what the authors' numbers are.
const PrintedRemark = "printed: mean |NMSE| released by the authors for MPIIDPEye (60 recordings of VR glasses, windows of 30 s, 48 features; R1 comic, R2 newspaper, R3 textbook). " +
	"These data are others: compare orders of mechanisms, not values. Means of |NMSE| do not converge; look at the medians."

// authors are the means of |NMSE| that Bozkir et al. released, by mechanism and
// by ε of the table (MECHANISMS §9).
var authors = map[string]map[float64][3]float64{
	"lpa":       {0.48: {2.5e9, 9.4e9, 1.2e9}, 48: {2.5e7, 7.7e6, 1.4e7}},
	"fpa":       {0.48: {1.0e12, 9.1e11, 1.7e11}, 48: {1.3e8, 1.1e8, 1.9e7}},
	"cfpa-32":   {0.48: {4.5e7, 1.4e9, 8.6e9}, 48: {6.0e3, 1.5e5, 7.6e5}},
	"cfpa-128":  {0.48: {4.3e7, 1.4e9, 8.7e9}, 48: {5.0e3, 1.4e5, 7.2e5}},
	"dcfpa-32":  {0.48: {3.8e6, 7.0e6, 1.6e7}, 48: {4.2e4, 1.2e5, 1.7e5}},
	"dcfpa-128": {0.48: {1.6e8, 2.3e8, 8.8e8}, 48: {5.7e5, 4.0e6, 4.1e6}},
}

// printedNMSE is what the authors give by document; nil = nothing.
func printedNMSE(mechanism string, epsilon float64) map[string]float64 {
	v, ok := authors[mechanism][epsilon]
	if !ok {
		return nil
	}
	return map[string]float64{"R1": v[0], "R2": v[1], "R3": v[2]}
}

// Order is one of the papers' claims about utility, and what these rows say of
// it by three measures.
type Order struct {
	Claim   string `json:"claim"`
	Squared string `json:"squared_error"` // by the mean squared error
	Median  string `json:"median_nmse"`   // by the median of |NMSE|
	Utility string `json:"mean_utility"`  // by the papers' mean of 1/|NMSE|
}

// measure is a figure of a row, larger for better ones.
type measure func(NMSERow) float64

var measures = [3]measure{
	func(r NMSERow) float64 { return -r.MSE },
	func(r NMSERow) float64 { return -r.NMSE.Median },
	func(r NMSERow) float64 { return r.Utility.Mean },
}

// PapersOrders compares the rows of published calibrations: CFPA above FPA at
// every ε, DCFPA-32 best at the smallest and CFPA at the largest, as the papers
// say, and FPA below LPA, as the authors' released numbers say.
func PapersOrders(rows []NMSERow) []Order {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r NMSERow) bool { return r.Calibration != mechanism.Published })
	if len(rows) == 0 {
		return []Order{}
	}
	first, last := rows[0].Epsilon, rows[0].Epsilon
	for _, r := range rows {
		first, last = math.Min(first, r.Epsilon), math.Max(last, r.Epsilon)
	}
	return []Order{
		order("CFPA above FPA at every ε", func(m measure) string { return above(rows, "cfpa-", "fpa", m) }),
		order("FPA below LPA at every ε (released numbers)", func(m measure) string { return above(rows, "lpa", "fpa", m) }),
		order(fmt.Sprintf("DCFPA-32 best at ε = %g", first), func(m measure) string { return bestAt(rows, first, m) }),
		order(fmt.Sprintf("CFPA best at ε = %g", last), func(m measure) string { return bestAt(rows, last, m) }),
	}
}

func order(claim string, of func(measure) string) Order {
	return Order{claim, of(measures[0]), of(measures[1]), of(measures[2])}
}

// above says at which ε every row of one family beats every row of the other.
func above(rows []NMSERow, better, worse string, m measure) string {
	var fails []string
	compared := false
	for _, b := range rows {
		for _, w := range rows {
			if strings.HasPrefix(b.Mechanism, better) && strings.HasPrefix(w.Mechanism, worse) && b.Epsilon == w.Epsilon {
				compared = true
				if at := text(b.Epsilon); m(b) <= m(w) && !slices.Contains(fails, at) {
					fails = append(fails, at)
				}
			}
		}
	}
	switch {
	case !compared:
		return "not compared"
	case fails == nil:
		return "yes"
	}
	return "not at " + strings.Join(fails, ", ")
}

func bestAt(rows []NMSERow, epsilon float64, m measure) string {
	best := -1
	for i, r := range rows {
		if r.Epsilon == epsilon && (best < 0 || m(r) > m(rows[best])) {
			best = i
		}
	}
	return rows[best].Mechanism
}
