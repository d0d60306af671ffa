package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
)

// tableFeatures is how many features the ε of the papers' tables adds up over:
// 52 less the four that are always zero.
const tableFeatures = 48

// SeriesNMSE measures what released feature signals are worth by the papers'
// measure (Bozkir et al. 2021, eq. 4 to 6), with what it hides beside it:
//
//	NMSE = mean (X − X̃)² / (mean X · mean X̃), utility = 1/|NMSE|
//
// ε is that of the papers' tables: 48 times the ε of a signal, whatever number
// of signals these data have; per chunk for cfpa and dcfpa, per recording for
// the others.
type SeriesNMSE struct {
	Data       *SeriesData
	Mechanisms []string // lpa, fpa, cfpa-32, dcfpa-128, steil-10, gaussian, gaussian-32
	Epsilons   []float64
	Draws      int
	Guaranteed bool    // public bounds instead of the papers' calibration
	Criterion  string  // of k in published calibrations, one of Criteria; empty = the first
	Delta      float64 // of gaussian; 0 = 1e-5
	Seed       uint64
	Progress   func(done int) // may be nil
}

// NMSERow is one mechanism at one ε.
type NMSERow struct {
	Mechanism   string  `json:"mechanism"`
	Calibration string  `json:"calibration"`
	Epsilon     float64 `json:"epsilon"`
	NMSE        struct {
		Mean   float64    `json:"mean"`   // of |NMSE|: does not converge
		Median float64    `json:"median"` // of |NMSE|
		CI     [2]float64 `json:"ci"`     // 95 % of the median, batches of draws as trials
	} `json:"nmse"`
	MSE     float64 `json:"mse"` // squared error in shares of the public ranges, squared
	Utility struct {
		Mean   float64 `json:"mean"` // of 1/|NMSE|
		Median float64 `json:"median"`
	} `json:"utility"`
	Guarantee string             `json:"guarantee"` // as it would be with secure noise
	Printed   map[string]float64 `json:"printed"`   // the authors' mean |NMSE| by document on MPIIDPEye; null where they give none
	Values    int                `json:"values"`    // draws × recordings × signals whose mean is not zero
}

// Total is the number of draws of the whole table.
func (e SeriesNMSE) Total() int { return len(e.Mechanisms) * len(e.Epsilons) * e.Draws }

// drawer is a mechanism with data.
type drawer func(src *noise.Source) (*series.Release, error)

// Run fills the table, mechanism by mechanism.
func (e SeriesNMSE) Run(ctx context.Context) ([]NMSERow, error) {
	if err := e.Check(); err != nil {
		return nil, err
	}
	var rows []NMSERow
	src := noise.Seeded(e.Seed)
	for _, name := range e.Mechanisms {
		for _, epsilon := range e.Epsilons {
			row, err := e.row(ctx, name, epsilon, src.Split(), len(rows)*e.Draws)
			if err != nil {
				return rows, fmt.Errorf("%s at ε = %g: %w", name, epsilon, err)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// Check refuses what makes no table, before anything is drawn.
func (e SeriesNMSE) Check() error {
	if e.Draws < 1 || len(e.Mechanisms) == 0 || len(e.Epsilons) == 0 {
		return errors.New("experiment: want at least one mechanism, one ε and one draw")
	}
	if e.Data == nil || len(e.Data.Recordings) == 0 {
		return errNoWindows
	}
	if e.Criterion != "" && !slices.Contains(Criteria, e.Criterion) {
		return fmt.Errorf("experiment: criterion must be one of %s, got %q", strings.Join(Criteria, ", "), e.Criterion)
	}
	for _, name := range e.Mechanisms {
		for _, epsilon := range e.Epsilons {
			if _, err := e.build(name, epsilon); err != nil {
				return err
			}
		}
	}
	return nil
}

// cut is the shape of these data.
func (e SeriesNMSE) cut() series.Cut {
	c := series.Cut{Features: len(e.Data.Names)}
	of := map[string]int{}
	for i := range e.Data.Recordings {
		r := &e.Data.Recordings[i]
		of[r.Subject]++
		c.Length, c.Recordings = max(c.Length, r.Windows()), max(c.Recordings, of[r.Subject])
	}
	return c
}

// build makes a mechanism by its name in the table: method-size.
func (e SeriesNMSE) build(name string, epsilon float64) (series.Mechanism, error) {
	method, text, sized := strings.Cut(name, "-")
	size := 0
	if sized {
		var err error
		if size, err = strconv.Atoi(text); err != nil || size < 1 {
			return nil, fmt.Errorf("experiment: want a mechanism like lpa, fpa, cfpa-32, dcfpa-64, steil-10 or gaussian, got %q", name)
		}
	}
	own := epsilon * float64(len(e.Data.Names)) / tableFeatures
	if method == "gaussian" {
		g := series.Gaussian{Epsilon: own, Delta: e.Delta, Cut: e.cut(), Bounds: e.Data.Bounds, Gaps: series.Interpolate}
		if g.Delta == 0 {
			g.Delta = 1e-5
		}
		g.Cut.Chunk, g.Cut.Unit = size, unitOf(sized)
		return g, g.Check()
	}
	at := slices.Index([]string{"lpa", "fpa", "cfpa", "dcfpa", "steil"}, method)
	if at < 0 {
		return nil, fmt.Errorf("experiment: unknown mechanism %q: want lpa, fpa, cfpa-32, dcfpa-64, steil-10 or gaussian", name)
	}
	m := series.Laplace{Method: series.Method(at), Epsilon: own, Cut: e.cut(), Bounds: e.Data.Bounds, Gaps: series.Interpolate, Published: !e.Guaranteed}
	m.Cut.Unit = unitOf(m.Method == series.CFPA || m.Method == series.DCFPA)
	if m.Method == series.Steil {
		m.Block = size
	} else {
		m.Cut.Chunk = size
	}
	e.chooseCoefficients(&m)
	return m, m.Check()
}

// Criteria of k in published calibrations: the least expected squared error by
// the closed form; the papers' mean |NMSE| of 100 noisy runs; or no choice at
// all, every coefficient.
var Criteria = []string{series.SquaredError.String(), series.NMSE.String(), "all"}

// All is the same table with every coefficient kept, for the mechanisms that
// keep some; false where there is nothing to compare. With the best k one or
// two coefficients are kept at the papers' ε, and FPA lies far above LPA; the
// authors' released numbers, where it lies below, look like this table.
func (e SeriesNMSE) All() (SeriesNMSE, bool) {
	if e.Guaranteed || e.Criterion == Criteria[2] {
		return e, false
	}
	e.Mechanisms = slices.DeleteFunc(slices.Clone(e.Mechanisms), func(name string) bool {
		return strings.HasPrefix(name, "gaussian") || strings.HasPrefix(name, "steil")
	})
	e.Criterion, e.Draws = Criteria[2], min(e.Draws, 20)
	return e, slices.ContainsFunc(e.Mechanisms, func(name string) bool { return name != "lpa" })
}

func (e SeriesNMSE) chooseCoefficients(m *series.Laplace) {
	switch {
	case !m.Published || m.Method == series.LPA || m.Method == series.Steil:
	case e.Criterion == Criteria[1]:
		m.Choose = series.NMSE
	case e.Criterion == Criteria[2]:
		n := m.Cut.Length
		if m.Cut.Chunk > 0 {
			n = min(n, m.Cut.Chunk)
		}
		m.Coefficients = n/2 + 1
	}
}

func unitOf(chunked bool) dp.Unit {
	if chunked {
		return dp.Chunk
	}
	return dp.Recording
}

// prepared shapes the data once where that is possible.
func (e SeriesNMSE) prepared(m series.Mechanism) (drawer, error) {
	p, ok := m.(interface {
		Prepare([]series.Signals) (*series.Prepared, error)
	})
	if l, laplace := m.(series.Laplace); !ok || laplace && l.Method == series.Steil {
		return func(src *noise.Source) (*series.Release, error) { return m.Release(e.Data.Recordings, src) }, nil
	}
	shaped, err := p.Prepare(e.Data.Recordings)
	if err != nil {
		return nil, err
	}
	return shaped.Draw, nil
}

func (e SeriesNMSE) row(ctx context.Context, name string, epsilon float64, src *noise.Source, before int) (row NMSERow, err error) {
	m, err := e.build(name, epsilon)
	if err != nil {
		return row, err
	}
	draw, err := e.prepared(m)
	if err != nil {
		return row, err
	}
	plan := m.Plan()
	row = NMSERow{Mechanism: name, Calibration: plan.Calibration, Epsilon: epsilon, Guarantee: plan.Guarantee.String(), Printed: printedNMSE(name, epsilon)}
	var t nmseTally
	for i := range e.Draws {
		if err := ctx.Err(); err != nil {
			return row, err
		}
		r, err := draw(src)
		if err != nil {
			return row, err
		}
		t.add(e.Data, r, i*batches/e.Draws)
		if e.Progress != nil {
			e.Progress(before + i + 1)
		}
	}
	t.write(&row)
	return row, nil
}

// batches of draws whose medians give the interval of the median.
const batches = 20

// nmseTally gathers |NMSE| of all draws, recordings and signals.
type nmseTally struct {
	of      [batches][]float64
	squares float64
	count   float64
}

func (t *nmseTally) add(d *SeriesData, r *series.Release, batch int) {
	for i := range d.Recordings {
		for f, x := range d.Recordings[i].Values {
			v, mse := nmse(x, &r.Recordings[i], f)
			span := d.Bounds[f].Hi - d.Bounds[f].Lo
			t.squares += mse / (span * span)
			t.count++
			if !math.IsNaN(v) {
				t.of[batch] = append(t.of[batch], v)
			}
		}
	}
}

// nmse is |NMSE| of one released signal and its squared error; NaN where a
// mean is zero. Where windows were left out, the kept ones are compared.
func nmse(x []float64, r *series.Signals, f int) (v, mse float64) {
	var a, b, sum float64
	for i, y := range r.Values[f] {
		t := i
		if r.At != nil {
			t = r.At[i]
		}
		a, b = a+x[t], b+y
		sum += (x[t] - y) * (x[t] - y)
	}
	n := float64(len(r.Values[f]))
	mse = sum / n
	if a == 0 || b == 0 || sum == 0 {
		return math.NaN(), mse
	}
	return math.Abs(mse * n * n / (a * b)), mse
}

func (t *nmseTally) write(row *NMSERow) {
	row.MSE = t.squares / t.count
	var all, medians []float64
	for _, v := range t.of {
		if len(v) > 0 {
			all, medians = append(all, v...), append(medians, middleOf(v))
		}
	}
	row.Values = len(all)
	if row.Values == 0 {
		return
	}
	for _, v := range all {
		row.NMSE.Mean += v / float64(row.Values)
		row.Utility.Mean += 1 / v / float64(row.Values)
	}
	row.NMSE.Median = middleOf(all)
	row.Utility.Median = 1 / row.NMSE.Median
	row.NMSE.CI = [2]float64{row.NMSE.Median - halfWidth(medians), row.NMSE.Median + halfWidth(medians)}
}

// middleOf is the median; it sorts v.
func middleOf(v []float64) float64 {
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}

// halfWidth of a 95 % interval from batches' medians: Student's quantile for 19
// degrees of freedom; 0 for a single batch.
func halfWidth(medians []float64) float64 {
	if len(medians) < 2 {
		return 0
	}
	return 2.093 * spread(medians).SD / math.Sqrt(float64(len(medians)))
}
