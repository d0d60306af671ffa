package synth

import (
	"math"
	"testing"
	"time"
)

// looking has a sample every 10 ms; a degree is 10 px.
func looking(x ...float64) (s []Sample) {
	for i, v := range x {
		s = append(s, Sample{T: time.Duration(i) * 10 * time.Millisecond, X: v, Y: 5})
	}
	return s
}

func TestAmplitudes(t *testing.T) {
	nan := math.NaN()
	late := looking(0, 0, 40, 40)
	late[2].T, late[3].T = time.Second, time.Second+1
	same := looking(0, 0, 90, 0, 0)
	same[2].T = same[1].T
	back := looking(0, 0, 90, 0, 0)
	back[2].T = 0
	for name, c := range map[string]struct {
		s    []Sample
		want []float64
	}{
		"at rest":                   {looking(0, 1, 2, 1, 0, 0), nil},
		"one saccade":               {looking(0, 0, 20, 40, 40, 40), []float64{4}},
		"two":                       {looking(0, 10, 10, 30, 30), []float64{1, 2}},
		"cut by the window":         {looking(0, 0, 30), []float64{3}},
		"slow":                      {looking(0, 2.9, 5.8), nil},
		"just fast":                 {looking(0, 3.0, 3.0), []float64{0.3}},
		"lost samples between":      {looking(0, nan, nan, 40, 40), []float64{4}},
		"across a pause":            {late, nil},
		"a repeated stamp is left":  {same, nil},
		"a stamp that runs back":    {back, nil},
		"nothing":                   {nil, nil},
		"all lost":                  {looking(nan, math.Inf(1)), nil},
		"a position beyond numbers": {looking(0, math.MaxFloat64, 0), []float64{0}},
	} {
		got := amplitudes(c.s, 10)
		if len(got) != len(c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
			continue
		}
		for i := range got {
			if math.Abs(got[i]-c.want[i]) > 1e-9 {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
	}
}

func TestOctaves(t *testing.T) {
	for deg, want := range map[float64]int{0: 0, 0.3: 0, 0.99: 0, 1: 1, 1.99: 1, 2: 2, 7.9: 3, 8: 4, 15.9: 4, 16: 5, 1e300: 5, math.Inf(1): 5} {
		if got := octave(deg); got != want {
			t.Errorf("%v deg is of class %d, want %d", deg, got, want)
		}
	}
	for b := range amplitudeBins {
		from, to := bounds(b)
		if mid := math.Sqrt(from * to); binOf(mid) != b || octave(from*1.0001) != classOf(b) || octave(to*0.9999) != classOf(b) {
			t.Errorf("bin %d, %v to %v, is of class %d", b, from, to, classOf(b))
		}
	}
}
