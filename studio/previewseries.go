package studio

import (
	"fmt"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/mechanism/series"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/report"
)

// seriesPreview shows an invented signal: features of simulated people would
// take minutes of simulated gaze.
type seriesPreview struct{ drawn cache[[]float64] }

type seriesView struct{ k *seriesPreview }

func (v *seriesView) shows(*choice) []string { return nil }
func (v *seriesView) sketches(*choice) bool  { return true }

// invented is a slow wave with a faster one on it, between the bounds.
func invented(person, windows int, low, high float64) []float64 {
	out := make([]float64, windows)
	phase := 0.7 * float64(person)
	for t := range out {
		x := 2 * math.Pi * float64(t) / float64(windows)
		wave := 0.5 + 0.28*math.Sin(2*x+phase) + 0.1*math.Sin(7*x+2*phase)
		out[t] = low + (high-low)*math.Min(1, math.Max(0, wave))
	}
	return out
}

// plan is the mechanism with what the signal has to be like.
func (v *seriesView) plan(c *choice) (m mechanism.Mechanism, windows int, low, high float64, err error) {
	if m, err = c.build(); err != nil {
		return nil, 0, 0, 0, err
	}
	values, err := c.resolved()
	if err != nil {
		return nil, 0, 0, 0, err
	}
	windows, errW := strconv.Atoi(or(values["length"], values["chunk"]))
	low, errL := strconv.ParseFloat(values["lower"], 64)
	high, errH := strconv.ParseFloat(values["upper"], 64)
	if errW != nil || errL != nil || errH != nil || windows < 2 || windows > 5000 {
		err = refuse("There is no preview of several signals, or of very long ones.", "The figures below hold.")
	}
	return m, windows, low, high, err
}

func (v *seriesView) before(c *choice, _ string) (picture, error) {
	_, windows, low, high, err := v.plan(c)
	if err != nil {
		return picture{}, err
	}
	return v.curves("An invented signal, without noise", invented(0, windows, low, high)), nil
}

func (v *seriesView) after(c *choice, _ string, _ bool) (picture, error) {
	m, windows, low, high, err := v.plan(c)
	if err != nil {
		return picture{}, err
	}
	released, err := v.k.drawn.get(keyOf(c.Spec.Name, m), func() ([]float64, error) { return v.release(c, m, windows, low, high) })
	if err != nil {
		return picture{}, err
	}
	return v.curves("As it would be released", released, invented(0, windows, low, high)), nil
}

// mostInvented bounds the people whose signals are invented for a mean.
const mostInvented = 5000

func (v *seriesView) release(c *choice, m mechanism.Mechanism, windows int, low, high float64) ([]float64, error) {
	record := func(person int) series.Signals {
		name := strconv.Itoa(person)
		return series.Signals{Subject: name, Recording: name, Condition: "invented", Values: [][]float64{invented(0, windows, low, high)}}
	}
	var r *series.Release
	var err error
	switch m := m.(type) {
	case series.Mean:
		var all []series.Signals
		n, _ := strconv.Atoi(or(c.Values["subjects"], c.public()["subjects"]))
		if n > mostInvented {
			return nil, refuse("There is no preview of means over more than "+strconv.Itoa(mostInvented)+" people: the noise would not be seen.", "The figures below hold.")
		}
		for i := range n {
			all = append(all, record(i))
		}
		r, err = m.Release(all, []string{"invented"}, noise.Seeded(7))
	case series.Mechanism:
		r, err = m.Release([]series.Signals{record(0)}, noise.Seeded(7))
	default:
		return nil, fmt.Errorf("studio: %s releases no signals", c.Spec.Name)
	}
	if err != nil {
		return nil, err
	}
	if len(r.Recordings) == 0 || len(r.Recordings[0].Values) == 0 {
		return nil, refuse("Nothing of this would be released.", "Choose a shorter chunk, or larger bounds.")
	}
	return r.Recordings[0].Values[0], nil
}

// curves shows a signal, and beside it where it came from.
func (v *seriesView) curves(title string, lines ...[]float64) picture {
	c := report.Curves{Title: title, X: "window", Y: "signal", Guarantee: "an invented signal, for choosing only"}
	for i, values := range lines {
		l := report.Line{Name: "without noise"}
		if i < len(lines)-1 {
			l.Name = "released"
		}
		for t, y := range values {
			if !math.IsNaN(y) {
				l.Points = append(l.Points, report.Point{X: float64(t), Y: y})
			}
		}
		c.Lines = append(c.Lines, l)
	}
	return picture{draw: c.WritePNG, alt: title + ": a curve over " + strconv.Itoa(len(lines[0])) + " windows."}
}
