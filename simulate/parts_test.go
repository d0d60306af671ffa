package simulate_test

import (
	"math"
	"testing"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// A movement begins and ends at rest, and its middle is its fastest moment.
func TestMinimumJerk(t *testing.T) {
	const h = 1e-4
	speed := func(f float64) float64 {
		return (simulate.MinimumJerk(f+h) - simulate.MinimumJerk(f-h)) / (2 * h)
	}
	if simulate.MinimumJerk(0) != 0 || simulate.MinimumJerk(1) != 1 || simulate.MinimumJerk(0.5) != 0.5 {
		t.Error("a movement begins at 0, is half way in the middle and ends at 1")
	}
	if speed(h) > 1e-3 || speed(1-h) > 1e-3 || math.Abs(speed(0.5)-1.875) > 1e-6 {
		t.Errorf("velocities %v, %v, %v", speed(h), speed(0.5), speed(1-h))
	}
}

// Drift of standard deviation 3 has it after it has relaxed, whatever the rate.
// 4000 stretches of ten relaxations each: the standard error of the deviation is
// 0.8 %, six of them 5 %; a spread × 0.7 is far outside.
func TestDriftForOthers(t *testing.T) {
	src := noise.Seeded(4)
	for _, rate := range []gaze.Hertz{60, 1000} {
		sum := 0.0
		for range 2000 {
			d := simulate.NewDrift(3, rate)
			var x, y float64
			for range 2 * int(rate) {
				x, y = d.Step(src)
			}
			sum += x*x + y*y
		}
		if sd := math.Sqrt(sum / 4000); math.Abs(sd/3-1) > 0.07 {
			t.Errorf("at %v Hz drift of 3 spreads %v", rate, sd)
		}
	}
	d := simulate.NewDrift(3, 60)
	d.Step(src)
	d.Reset()
	if e := simulate.NewDrift(3, 60); d != e {
		t.Error("a reset drift is not back on its place")
	}
}

func TestBlinkDuration(t *testing.T) {
	src := noise.Seeded(1)
	mean := 0.0
	for range 4000 {
		d := simulate.BlinkDuration(170*time.Millisecond, src)
		if d < 60*time.Millisecond || d > 450*time.Millisecond {
			t.Fatalf("a blink of %v", d)
		}
		mean += d.Seconds() / 4000
	}
	if mean < 0.165 || mean > 0.19 {
		t.Errorf("blinks last %v s", mean)
	}
}
