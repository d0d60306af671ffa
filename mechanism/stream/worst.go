package stream

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// worstCase is two people who look at one place, and for one window at places a
// radius apart; after that at one place again.
type worstCase struct {
	*kaleido
	times []time.Duration
	a, b  []float64 // x of both; y is 0
	after []bool    // the sample is inside of the window
}

func newWorstCase(m Kaleido) (*worstCase, error) {
	k, err := m.prepare()
	if err != nil {
		return nil, err
	}
	w := &worstCase{kaleido: k}
	add := func(at time.Duration, b float64, inside bool) {
		w.times, w.a, w.b, w.after = append(w.times, at), append(w.a, 0), append(w.b, b), append(w.after, inside)
	}
	add(0, 0, false)
	begin := m.Window + m.Skip + 1
	for at := begin; at <= begin+m.Window; at += m.Skip {
		add(at, m.Radius, true)
	}
	return w, nil
}

// loss draws a release of one side and returns the logarithm of the ratio of its
// probabilities, B over A: the statistic that tells them apart best. It follows
// the transcript, in which a repeated position is a test that held.
func (w *worstCase) loss(side bool, src *noise.Source) (float64, error) {
	s, err := w.rule.stream(src)
	if err != nil {
		return 0, err
	}
	book := newLedger(w.rule.window, w.rule.room, w.rule.open)
	sum, px, py := 0.0, nan, nan
	for i, at := range w.times {
		g := w.a[i]
		if side {
			g = w.b[i]
		}
		units := w.rule.worth(book.left(at))
		x, y := s.Next(at, g, 0)
		repeated := x == px && y == py
		if w.after[i] && units > 0 {
			sum += w.tested(w.b[i], px, py, repeated) - w.tested(w.a[i], px, py, repeated)
		}
		if repeated || units == 0 {
			continue
		}
		if e := w.rule.epsilon(units) / w.Radius; w.after[i] {
			sum += e * (math.Hypot(x-w.a[i], y) - math.Hypot(x-w.b[i], y))
		}
		book.add(at, units)
		px, py = x, y
	}
	return sum, nil
}

// tested is the logarithm of the probability of a test's outcome.
func (w *worstCase) tested(g, px, py float64, held bool) float64 {
	z := (w.Threshold - math.Hypot(g-px, py)) / w.testScale()
	p := 1 - 0.5*math.Exp(-z) // that noise of scale one stays below z
	if z < 0 {
		p = 0.5 * math.Exp(z)
	}
	if held {
		return math.Log(p)
	}
	return math.Log1p(-p)
}

// printedTestScale is the paper's test noise, 1/ε_test instead of r/ε_test.
func printedTestScale() mechanism.Fault {
	const ms = time.Millisecond
	m := Kaleido{Epsilon: 1, Window: 200 * ms, Radius: 50, Skip: 50 * ms, Threshold: 500, Published: true}
	return mechanism.Fault{
		Name: "the printed noise of the test, 1/ε_test, is short of the radius", Claim: m.Guarantee(),
		Prepare: func() (func(bool, *noise.Source) (float64, error), error) {
			w, err := newWorstCase(m)
			if err != nil {
				return nil, err
			}
			return w.loss, nil
		},
	}
}
