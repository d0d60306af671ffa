package series

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

// uniformVariance is that of a guess drawn uniformly between the bounds, for a
// range of one: a release whose noise has more carries nothing.
const uniformVariance = 1.0 / 12

// Plan implements [mechanism.Mechanism]. Noise and sensitivity are those of one
// signal in one whole chunk: in the signals' unit where all have one range,
// else in shares of their ranges. L1 is the sensitivity of the coordinates,
// which the noise is calibrated to; L2 that of the signal (or its differences),
// which the papers start from. Published calibrations read both off the
// data: the plan shows them for people who differ by the range (or by one)
// everywhere.
func (m Laplace) Plan() mechanism.Plan {
	p := mechanism.Plan{Mechanism: "series/" + m.Method.String(), Calibration: calibration(m.Published), Guarantee: m.Guarantee()}
	l, err := m.resolve()
	if err != nil {
		p.Warnings = []error{err}
		return p
	}
	f, unit := l.full, commonSpan(m.Bounds)
	lambda := l.scale(f)
	p.Noise = mechanism.Noise{Law: "discrete laplace", Scale: lambda * unit, Sigma: math.Sqrt2 * lambda * unit, Grid: lambda / laplaceScale * unit}
	p.Sensitivity = mechanism.Sensitivity{L1: lambda * l.item * unit, L2: math.Min(f.l2(), lambda*l.item) * unit}
	p.Parameters = l.parameters()
	_, exact := f.radius()
	p.Parameters["sensitivity-published"] = format(f.bound() * unit)
	if !m.Published {
		p.Parameters["sensitivity-of-the-box"] = sensitivityWords(lambda*l.item*unit, exact)
	}
	worth := lambda * lambda * f.power()
	p.Parameters["expected-squared-error"] = format(worth) + " of the squared range"
	p.PerFeature = share(p.Guarantee, p.Guarantee.Epsilon/float64(m.Cut.Features))
	if _, void := p.Guarantee.Void(); !void {
		p.Composed = l.composed()
	}
	p.Warnings = append(worthWarnings(worth, l.Cut.Unit), l.warnings()...)
	return p
}

func calibration(published bool) string {
	if published {
		return mechanism.Published
	}
	return mechanism.Guaranteed
}

func sensitivityWords(v float64, exact bool) string {
	if exact {
		return format(v) + " (over all signs)"
	}
	return format(v) + " (by ascent, enforced by the clip)"
}

// commonSpan is the range that all signals have, or 1.
func commonSpan(bounds []Bounds) float64 {
	if len(bounds) == 0 {
		return 1
	}
	for _, b := range bounds {
		if b.span() != bounds[0].span() {
			return 1
		}
	}
	return bounds[0].span()
}

func share(g dp.Guarantee, epsilon float64) *dp.Guarantee {
	g.Epsilon = epsilon
	return &g
}

func format(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }

func (l *laplace) parameters() map[string]string {
	p := l.Cut.parameters(l.Bounds)
	p["epsilon-per-signal-and-chunk"] = format(l.item)
	if l.full.kind != plain {
		p["coefficients"] = l.coefficientWords()
	}
	if l.Method == Steil {
		p["block"] = strconv.Itoa(l.Block)
	}
	p["gaps"] = l.Gaps.String()
	return p
}

func (l *laplace) coefficientWords() string {
	switch l.Choose {
	case Paid:
		return fmt.Sprintf("at most %d, chosen for %g of ε", min(l.full.k, l.full.n/2+1), PaidShare)
	case SquaredError, NMSE:
		return "chosen on the data by " + l.Choose.String()
	}
	return strconv.Itoa(l.full.k)
}

func (c Cut) parameters(bounds []Bounds) map[string]string {
	p := map[string]string{
		"features": strconv.Itoa(c.Features), "length": strconv.Itoa(c.Length), "unit": c.Unit.String(),
		"recordings": strconv.Itoa(c.tables(dp.Subject)), "trials": strconv.Itoa(c.tables(dp.Recording)), "chunk": strconv.Itoa(c.chunkLength()), "chunks": strconv.Itoa(c.chunks()),
		"window": c.Window.String(), "step": c.Step.String(), "gaze": c.Gaze.String(),
	}
	if c.Foreign {
		delete(p, "gaze")
	}
	var lower, upper []string
	for _, b := range bounds {
		lower, upper = append(lower, format(b.Lo)), append(upper, format(b.Hi))
	}
	if len(bounds) > 0 {
		p["lower"], p["upper"] = strings.Join(lower, ","), strings.Join(upper, ",")
	}
	return p
}

// worthWarnings say when the noise alone exceeds a guess between the bounds.
func worthWarnings(worth float64, unit dp.Unit) []error {
	if !(worth >= uniformVariance) {
		return nil
	}
	advice := "protect chunks or recordings instead of subjects, release fewer signals, or release means over people (mean)"
	if unit == dp.Chunk {
		advice = "release fewer signals, shorter chunks, or means over people (mean)"
	}
	return []error{fmt.Errorf("this carries nothing: the noise of a released value has %.3g times the variance of a guess drawn between the bounds; %s", worth/uniformVariance, advice)}
}

func (l *laplace) warnings() (list []error) {
	if l.Published {
		list = append(list, fmt.Errorf("published: sensitivities are read off the data; noise and sensitivity are shown for people who differ by %s everywhere", format(commonSpan(l.Bounds))))
	}
	return list
}

// composed is what ε amounts to for other units. Chunks are disjoint and their
// noise is independent, so that ε of a chunk adds over the chunks of a unit;
// so does the price of k, whose score moves by each unit's share.
func (l *laplace) composed() map[string]dp.Guarantee {
	all := map[string]dp.Guarantee{}
	chunk := l.Epsilon / float64(l.Cut.chunksIn(l.Cut.Unit))
	at := func(name string, u dp.Unit, chunks float64) {
		g := l.Guarantee()
		g.Unit, g.Epsilon = u, chunk*chunks
		if u == l.Cut.Unit {
			g.Epsilon = l.Epsilon
		}
		all[name] = g
	}
	if l.Method.chunked() {
		at("chunk", dp.Chunk, 1)
	}
	at("recording", dp.Recording, float64(l.Cut.chunksIn(dp.Recording)))
	at("subject", dp.Subject, float64(l.Cut.chunksIn(dp.Subject)))
	if l.Cut.Foreign {
		return all
	}
	_, chunks := l.Cut.Touches()
	at("gaze", dp.Window, float64(chunks)) // LPA too: a recording may be as short as what is touched
	return all
}
