package synth

import (
	"errors"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

var errNothing = errors.New("synth: no window has a position")

// suite is the conformance suite. Its recordings have a sample every 10 ms.
func suite() mechanism.Suite {
	return mechanism.Suite{
		Params: map[string]string{"epsilon": "1", "radius": "50px", "width": "400", "height": "300", "window": "50ms", "grid": "4", "split": "0.8,0.1,0.1", "rate": "100"},
		Bad: []map[string]string{
			{"epsilon": "0"}, {"epsilon": "-1"}, {"epsilon": "NaN"}, {"epsilon": "1e9"}, {"epsilon": "1e-9"}, {"window": "0s"}, {"window": "-1s"}, {"window": "9000h"},
			{"radius": ""}, {"radius": "0px"}, {"radius": "5%"}, {"radius": "50"}, {"radius": "1e12px"}, {"radius": "1e-9px"}, {"radius-rule": "eq8"}, {"radius-rule": "none"},
			{"grid": "0"}, {"grid": "-3"}, {"grid": "9999"}, {"width": "0"}, {"height": "-1"}, {"height": "1e-9"}, {"width": "NaN"}, {"rate": "0"}, {"rate": "-5"},
			{"split": "1,0,0"}, {"split": "0.5,0.5"}, {"split": "0.5,0.2,0.2"}, {"split": "a,b,c"}, {"split": "NaN,0.5,0.5"}, {"levels": "2"}, {"levels": "1,1"}, {"levels": "1,9"},
			{"levels": "1,x"}, {"oracle": "grr"}, {"aim": "both"}, {"pixels-per-degree": "0"}, {"pixels-per-degree": "1e9"}, {"clamp": "no"},
			{"calibration": "published", "rate": ""}, {"calibration": "published", "rate": "10"}, {"calibration": "published", "rate": "1e5", "window": "600ms", "epsilon": "1e-4"}, {"calibration": "published", "rate": "1e5", "window": "1h"},
		},
		Inputs: oddRecordings, Run: runReports, Prepare: prepareReports, Pair: pairOfReports,
		Faults: []mechanism.Fault{
			fault(runsFault, func(r PrintedReport) float64 { return float64(len(r.Runs)) }),
			fault(movesFault, func(r PrintedReport) float64 { return float64(len(r.Moves)) }),
		},
	}
}

// fault is what one number of a printed report tells of two windows that start at
// one place: gaze rests in the one and moves in the other.
func fault(name string, of func(PrintedReport) float64) mechanism.Fault {
	m := DPGazeSynth{Epsilon: 1, Area: Area{Width: 400, Height: 300}, Radius: 50, Window: 50 * time.Millisecond, Grid: 4, Rate: 100, Published: true}
	return mechanism.Fault{Name: name, Claim: m.Guarantee(), Prepare: func() (func(bool, *noise.Source) (float64, error), error) {
		d, err := m.PrintedDevice()
		if err != nil {
			return nil, err
		}
		var windows [2][]Sample
		for i := range 5 {
			at := time.Duration(i) * 10 * time.Millisecond
			windows[0] = append(windows[0], Sample{at, 20, 20})
			windows[1] = append(windows[1], Sample{at, 20 + float64(i/2)*150, 20})
		}
		return func(side bool, src *noise.Source) (float64, error) {
			s := windows[0]
			if side {
				s = windows[1]
			}
			r, _ := d.Window(s, src)
			return of(r), nil
		}, nil
	}}
}

// runReports draws the reports of all windows of []*gaze.Recording, which is all
// that is released before post-processing: of each, the start and the bits of
// what else it tells.
func runReports(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
	run, err := prepareReports(m)
	if err != nil {
		return mechanism.Output{}, err
	}
	return run(input, src)
}

func prepareReports(m mechanism.Mechanism) (mechanism.Runner, error) {
	s := m.(DPGazeSynth)
	r, err := s.resolve()
	if err != nil {
		return nil, err
	}
	report, err := s.reporter()
	if err != nil {
		return nil, err
	}
	g := m.Guarantee()
	return func(input any, src *noise.Source) (mechanism.Output, error) {
		out := mechanism.Output{Guarantee: g.DrawnFrom(src)}
		err := eachWindow(&r.DPGazeSynth, sequence(input.([]*gaze.Recording)), new([]outline), func(s []Sample, _ *windowed) error {
			out.Values = report(out.Values, s, src)
			return nil
		})
		if err == nil && out.Values == nil {
			err = errNothing
		}
		return out, err
	}, nil
}

// reporter appends the report of a window; of a printed one its start and how many
// runs and moves it has.
func (m DPGazeSynth) reporter() (func([]float64, []Sample, *noise.Source) []float64, error) {
	if m.Published {
		d, err := m.PrintedDevice()
		return func(v []float64, s []Sample, src *noise.Source) []float64 {
			if r, ok := d.Window(s, src); ok {
				v = append(v, r.Start[0], r.Start[1], float64(len(r.Runs)), float64(len(r.Moves)))
			}
			return v
		}, err
	}
	d, err := m.Device()
	return func(v []float64, s []Sample, src *noise.Source) []float64 {
		if r, ok := d.Window(s, src); ok {
			v = r.append(v)
		}
		return v
	}, err
}

// append writes a report as numbers.
func (r *Report) append(v []float64) []float64 {
	v = append(v, r.Start[0], r.Start[1], float64(r.Question), float64(r.Level))
	for _, words := range [][]uint64{r.Answer, r.Move} {
		for _, w := range words {
			for b := range 64 {
				v = append(v, float64(w>>b&1))
			}
		}
	}
	return v
}

const firstAnswer, firstMove = 4, 4 + 64 // indexes in append, for answers of one word

func sequence(all []*gaze.Recording) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// recording has one sample every 10 ms at the given positions.
func recording(xy ...point) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Participant: "P", Unit: gaze.Pixels}}
	t := &r.Samples.Tracks[gaze.Cyclopean]
	t.X, t.Y = []float64{}, []float64{}
	for i, p := range xy {
		r.Samples.T = append(r.Samples.T, time.Duration(i)*10*time.Millisecond)
		t.X, t.Y = append(t.X, p.x), append(t.Y, p.y)
	}
	return r
}

func oddRecordings(mechanism.Mechanism) map[string]any {
	nan, inf := math.NaN(), math.Inf(1)
	one := func(p ...point) []*gaze.Recording { return []*gaze.Recording{recording(p...)} }
	times := func(t ...time.Duration) []*gaze.Recording {
		r := recording(point{3, 4}, point{50, 6}, point{7, 80}, point{9, 10})
		r.Samples.T = t
		return []*gaze.Recording{r}
	}
	short := one(point{1, 2}, point{3, 4})
	short[0].Samples.Tracks[0].Y = short[0].Samples.Tracks[0].Y[:1]
	inches := one(point{1, 2})
	inches[0].Unit = gaze.Millimetres
	rest := recording(point{7, 7}, point{9, 9})
	rest.Continues = true
	blind := one()
	blind[0].Samples = gaze.Samples{T: []time.Duration{1, 2}}
	return map[string]any{
		"nobody": []*gaze.Recording{}, "no samples": one(), "one sample": one(point{1, 2}), "no eyes": blind,
		"all lost": one(point{nan, nan}, point{inf, 0}), "blink": one(point{1, 2}, point{nan, 3}, point{nan, nan}, point{300, 200}),
		"huge": one(point{math.MaxFloat64, -math.MaxFloat64}, point{5e-324, 0}, point{-math.MaxFloat64, 1}), "off the screen": one(point{-70, 1e6}, point{401, 300}),
		"gap": times(0, time.Second, 2*time.Hour, 1000*time.Hour), "unsorted": times(5, 3, 900*time.Millisecond, 1), "repeated": times(7, 7, 7, 7),
		"extreme times": times(math.MinInt64, math.MaxInt64, math.MinInt64, 0), "columns of two lengths": short, "another unit": inches,
		"a rest without a beginning": []*gaze.Recording{rest}, "two people": append(one(point{1, 2}), recording(point{nan, 1}, point{399, 299})),
	}
}

// pairOfReports is a window in which gaze rests and one that starts a radius away
// and crosses the area again and again: every part of the report differs. It is
// judged by the likelihood ratio.
func pairOfReports(m mechanism.Mechanism) mechanism.Pair {
	r, err := m.(DPGazeSynth).resolve()
	if err != nil {
		return mechanism.Pair{}
	}
	from := point{150, 20}
	to := point{150 + r.Radius, 20}
	still := recording(from, from, from, from, from)
	busy := recording(to, point{to.x, 290}, point{to.x, 290}, point{to.x, 290}, point{to.x, 290})
	bit := func(v []float64, at, none, some int, epsilon float64) float64 {
		return epsilon * (v[at+some] - v[at+none])
	}
	pair := mechanism.Pair{A: []*gaze.Recording{still}, B: []*gaze.Recording{busy}}
	if r.Published {
		pair.Statistic = func(v []float64) float64 { return v[2] }
		return pair
	}
	pair.Statistic = func(v []float64) float64 {
		l := r.epsilons[0] / r.Radius * (math.Hypot(v[0]-from.x, v[1]-from.y) - math.Hypot(v[0]-to.x, v[1]-to.y))
		if v[2] == float64(HowMany) {
			l += bit(v, firstAnswer, 0, 1, r.epsilons[1])
		} else {
			l += bit(v, firstAnswer, amplitudeClasses, octave(270/r.PerDegree), r.epsilons[1])
		}
		down := firstMove + 2 // in compass
		long := 2. / 3        // 3 moves on a grid of 4
		told := (1-long)*math.Exp(r.epsilons[2]*v[down]) + long*math.Exp(r.epsilons[2]*v[down+directions])
		return l + math.Log(told) - r.epsilons[2]*v[firstMove+2*directions]
	}
	return pair
}
