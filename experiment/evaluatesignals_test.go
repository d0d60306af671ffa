package experiment

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/noise"
)

// signalsOf makes recordings of people whose signal is a wave, released with
// noise of some scale.
func signalsOf(people int, scale float64, seed uint64) []SignalsOf {
	src := noise.Seeded(seed)
	var all []SignalsOf
	for p := range people {
		r := SignalsOf{Participant: string(rune('a' + p)), Truth: make([][]float64, 2), Released: make([][]float64, 2)}
		for i := range 60 {
			wave := 4 + 3*math.Sin(float64(i+5*p)/7)
			r.Truth[0] = append(r.Truth[0], wave)
			r.Released[0] = append(r.Released[0], wave+scale*src.NormFloat64())
			r.Truth[1] = append(r.Truth[1], math.NaN()) // a feature this recording has not
			r.Released[1] = append(r.Released[1], 1)
		}
		all = append(all, r)
	}
	return all
}

func TestEvaluateSignals(t *testing.T) {
	names, bounds := []string{"a", "b"}, [][2]float64{{0, 8}, {0, 1}}
	for _, c := range []struct{ scale, worst, best, correlation float64 }{{0, 1e-12, -1, 0.999}, {2, 0.08, 0.05, 0.5}, {80, 200, 80, -0.2}} {
		m, err := EvaluateSignals(signalsOf(8, c.scale, 3), names, bounds, 1)
		if err != nil {
			t.Fatal(err)
		}
		if v := *m[0].Value; v > c.worst || v < c.best || v < *m[0].Low || v > *m[0].High {
			t.Errorf("noise %g: error %g (%g … %g), want %g … %g", c.scale, v, *m[0].Low, *m[0].High, c.best, c.worst)
		}
		if v := *m[1].Value; math.Abs(v-9.0/2/64) > 0.01 { // a sine's mean square over the range
			t.Errorf("the constant's error is %g", v)
		}
		if v := *m[3].Value; v < c.correlation {
			t.Errorf("noise %g: correlation %g, want %g", c.scale, v, c.correlation)
		}
	}
}

func TestEvaluateSignalsBadInput(t *testing.T) {
	if _, err := EvaluateSignals(nil, nil, nil, 1); err == nil {
		t.Error("nothing was compared")
	}
	all := signalsOf(2, 1, 1)
	all[1].Released[0] = all[1].Released[0][:3]
	if _, err := EvaluateSignals(all, []string{"a", "b"}, nil, 1); err == nil {
		t.Error("other lengths were compared")
	}
	still := []SignalsOf{{Participant: "a", Truth: [][]float64{{1, 1}}, Released: [][]float64{{1, 2}}}}
	m, err := EvaluateSignals(still, []string{"a"}, nil, 1)
	if err != nil || m[0].Value != nil || m[3].Value != nil {
		t.Errorf("a signal that does not vary and has no bounds: %v %v", m, err)
	}
}
