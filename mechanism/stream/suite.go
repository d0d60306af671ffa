package stream

import (
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// suite is the conformance suite of mechanisms that take recordings.
func suite(params map[string]string, bad ...map[string]string) mechanism.Suite {
	common := []map[string]string{
		{"epsilon": "0"}, {"epsilon": "-1"}, {"epsilon": "NaN"}, {"epsilon": "1e9"}, {"window": "0s"}, {"window": "-1s"}, {"window": "9000h"},
		{"radius": "50"}, {"radius": "0px"}, {"radius": "5%"}, {"radius": "1e12px"}, {"width": "100"}, {"width": "-1", "height": "-1"},
		{"surface": "sphere"}, {"surface": "cube"}, {"radius": "200deg", "surface": "sphere"},
	}
	return mechanism.Suite{Params: params, Bad: append(common, bad...), Inputs: oddRecordings, Run: runPaths, Prepare: preparePaths, Pair: pairOfPaths}
}

// runPaths draws one release of []*gaze.Recording.
func runPaths(m mechanism.Mechanism, input any, src *noise.Source) (mechanism.Output, error) {
	r, err := m.(mechanism.Paths).Protect(sequence(input.([]*gaze.Recording)), src)
	if err != nil {
		return mechanism.Output{}, err
	}
	return positions(r)
}

// preparePaths plans once for many releases.
func preparePaths(m mechanism.Mechanism) (mechanism.Runner, error) {
	r, err := m.(interface{ prepared() (*rule, error) }).prepared()
	if err != nil {
		return nil, err
	}
	p := m.Plan()
	return func(input any, src *noise.Source) (mechanism.Output, error) {
		released, err := r.release(p, sequence(input.([]*gaze.Recording)), src)
		if err != nil {
			return mechanism.Output{}, err
		}
		return positions(released)
	}, nil
}

// positions of a release in order, without those that are lost.
func positions(r *mechanism.PathRelease) (mechanism.Output, error) {
	out := mechanism.Output{Guarantee: r.Guarantee}
	for piece, err := range r.Recordings {
		if err != nil {
			return out, err
		}
		for _, t := range piece.Samples.Tracks {
			for i := range t.X {
				if !gaze.Lost(t.X[i], t.Y[i]) {
					out.Values = append(out.Values, t.X[i], t.Y[i])
				}
			}
		}
	}
	if len(out.Values) == 0 {
		return out, errNothing
	}
	return out, nil
}

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
func recording(xy ...[2]float64) *gaze.Recording {
	r := &gaze.Recording{Header: gaze.Header{Participant: "P", Unit: gaze.Pixels}}
	t := &r.Samples.Tracks[gaze.Cyclopean]
	t.X, t.Y = []float64{}, []float64{}
	for i, p := range xy {
		r.Samples.T = append(r.Samples.T, time.Duration(i)*10*time.Millisecond)
		t.X, t.Y = append(t.X, p[0]), append(t.Y, p[1])
	}
	return r
}

func oddRecordings(mechanism.Mechanism) map[string]any {
	huge := recording([2]float64{math.MaxFloat64, -math.MaxFloat64}, [2]float64{5e-324, 0}, [2]float64{1, 1})
	odd := recording([2]float64{3, 4}, [2]float64{5, 6}, [2]float64{7, 8}, [2]float64{9, 10})
	odd.Samples.T = []time.Duration{math.MaxInt64, math.MinInt64, 5, 5}
	short := recording([2]float64{1, 2}, [2]float64{3, 4})
	short.Samples.Tracks[0].Y = short.Samples.Tracks[0].Y[:1]
	inches := recording([2]float64{1, 2})
	inches.Unit = gaze.Millimetres
	one := []*gaze.Recording{recording([2]float64{1, 2})}
	rest := recording([2]float64{7, 7}, [2]float64{9, 9})
	rest.Continues = true
	return map[string]any{
		"nobody": []*gaze.Recording{}, "no samples": []*gaze.Recording{recording()}, "one sample": one,
		"all lost": []*gaze.Recording{recording([2]float64{nan, nan}, [2]float64{math.Inf(1), 0})},
		"huge":     []*gaze.Recording{huge}, "odd times": []*gaze.Recording{odd}, "columns of two lengths": []*gaze.Recording{short},
		"another unit": []*gaze.Recording{inches}, "a rest without a beginning": []*gaze.Recording{rest},
		"two people": append(one, recording([2]float64{nan, 1}, [2]float64{-5, 1e6})),
	}
}

// pairOfPaths is one sample that moves by the radius: what is published of it is
// judged by the ratio of its densities.
func pairOfPaths(m mechanism.Mechanism) mechanism.Pair {
	r := m.Guarantee().Radius
	to := func(x float64) []*gaze.Recording { return []*gaze.Recording{recording([2]float64{x, 0})} }
	return mechanism.Pair{A: to(0), B: to(r), Statistic: func(v []float64) float64 {
		return math.Hypot(v[0], v[1]) - math.Hypot(v[0]-r, v[1])
	}}
}
