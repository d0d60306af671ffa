package feature_test

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// Over a whole recording the features say what the plan of the simulation says:
// how many fixations and saccades, how long and how large, and which way.
func TestFeaturesAreThoseOfThePlan(t *testing.T) {
	c := simulate.Cohort{People: 12, Seconds: 60, Rate: 250, Truth: true}
	for _, scene := range []simulate.Scene{simulate.ShopWindow(), simulate.TextPage(), simulate.Room()} {
		var got, want [6]float64
		for _, r := range simulated(t, scene, c) {
			table := tables(t, feature.Options{Window: time.Minute}, gazetest.Seq(r))[0]
			for i, k := range [...]int{0, 11, 14, 9, 8, 27} {
				got[i] += table.Columns[k][0] / 12
			}
			for i, v := range plan(r) {
				want[i] += v / 12
			}
		}
		for i, what := range [...]string{"fixations per s", "mean amplitude", "mean fixation", "share to the right", "share of large ones", "blinks per s"} {
			t.Logf("%s: %s %.3f, planned %.3f", scene.Name, what, got[i], want[i])
			if !(math.Abs(got[i]-want[i]) <= 0.15*want[i]) {
				t.Errorf("%s: %s is %.3f, planned %.3f", scene.Name, what, got[i], want[i])
			}
		}
	}
}

// plan counts what was planned and is visible: not hidden by a blink.
func plan(r *gaze.Recording) [6]float64 {
	hidden := func(start, duration time.Duration) bool {
		for _, b := range r.Blinks {
			if b.Start <= start && start+duration <= b.Start+b.Duration {
				return true
			}
		}
		return false
	}
	var fixations, held, saccades, amplitude, right, large float64
	for _, f := range r.Fixations {
		if !hidden(f.Start, f.Duration) {
			fixations++
			held += f.Duration.Seconds()
		}
	}
	for _, s := range r.Saccades {
		if hidden(s.Start, s.Duration) {
			continue
		}
		saccades++
		amplitude += s.Amplitude
		if across := s.X1 - s.X0; across > 0 && across < 180 || r.Frame == gaze.InWorld && across < -180 || r.Frame == gaze.OnScreen && across > 0 {
			right++
		}
		if s.Amplitude >= 3 {
			large++
		}
	}
	return [6]float64{fixations / 60, amplitude / saccades, held / fixations, right / saccades, large / saccades, float64(len(r.Blinks)) / 60}
}

// Public bounds are wide enough for people: hardly any value lies beyond them,
// and none below.
func TestBoundsHoldForPeople(t *testing.T) {
	values, beyond := 0, map[string]int{}
	for _, scene := range []simulate.Scene{simulate.ShopWindow(), simulate.TextPage(), simulate.Room()} {
		o := feature.Options{Window: 10 * time.Second}
		if scene.Task == simulate.LookAround {
			o.Limits.Amplitude = 150 // the head turns too
		}
		bounds := o.Bounds()
		for _, table := range tables(t, o, gazetest.Seq(simulated(t, scene, simulate.Cohort{People: 8, Seconds: 30, Rate: 120, Loss: 0.02})...)) {
			for k, column := range table.Columns {
				for _, v := range column {
					values++
					if v < bounds[k].Lo {
						t.Fatalf("%s is %v", feature.Names()[k], v)
					}
					if v > bounds[k].Hi {
						beyond[feature.Names()[k]]++
					}
				}
			}
		}
	}
	n := 0
	for _, count := range beyond {
		n += count
	}
	t.Logf("%d of %d values lie beyond their bounds: %v", n, values, beyond)
	if n*500 > values {
		t.Errorf("more than one of 500")
	}
}

func TestBoundsFollowFromParameters(t *testing.T) {
	b := feature.Options{}.Bounds()
	for i, name := range feature.Names() {
		if b[i].Lo != 0 || (b[i].Hi == 0) != feature.AlwaysZero(i) || math.IsInf(b[i].Hi, 0) || math.IsNaN(b[i].Hi) {
			t.Errorf("%s: %+v", name, b[i])
		}
	}
	for i, want := range map[int]float64{0: 8, 6: 4, 7: 1, 11: 60, 12: 900, 14: 3, 15: 2.94 * 2.94 / 4, 17: 4, 19: 4, 21: 9, 22: 16, 23: 0.25,
		24: 0.25 * 0.25 / 4, 25: 0.5, 26: 0.0625, 27: 2, 28: 24, 29: 240, 30: 0, 32: 10, 33: 100 * 23, 34: 239, 46: 237, 50: 237. / 331776} {
		if math.Abs(b[i].Hi-want) > 1e-12*want {
			t.Errorf("%s: at most %v, want %v", feature.Names()[i], b[i].Hi, want)
		}
	}
	short := feature.Options{Window: 2 * time.Second, Limits: feature.Limits{Rate: 100}}.Bounds()
	if short[0].Hi != 1/0.06 || short[14].Hi != 2 {
		t.Errorf("fixations of 60 ms in 2 s: %v per s, as long as %v", short[0], short[14])
	}
	if v := (feature.Bounds{Lo: 0, Hi: 2}); v.Clamp(-1) != 0 || v.Clamp(3) != 2 || v.Clamp(1) != 1 || v.Clamp(math.NaN()) != 0 {
		t.Error("clamping")
	}
}

func Example() {
	people := simulate.Cohort{People: 2, Seconds: 31, Rate: 120, Scenes: []simulate.Scene{simulate.TextPage()}}
	o := feature.Options{Window: 30 * time.Second, Step: 500 * time.Millisecond}
	for t, err := range o.Tables(people.Recordings(noise.Seeded(1))) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %d windows, %.1f fixations per s\n", t.Header.Participant, t.Windows(), t.Columns[0][0])
	}
	fmt.Println("one second of gaze touches", o.Touches(time.Second), "windows")
	// Output:
	// P1: 3 windows, 3.8 fixations per s
	// P2: 3 windows, 3.4 fixations per s
	// one second of gaze touches 62 windows
}

// Cost grows with samples plus windows: ns/sample hardly differs between
// windows that overlap 60 times and windows that do not.
func BenchmarkFeatures(b *testing.B) {
	c := simulate.Cohort{People: 1, Seconds: 600, Rate: 250, Scenes: []simulate.Scene{simulate.ShopWindow()}}
	all, err := gaze.Collect(c.Recordings(noise.Seeded(5)))
	if err != nil {
		b.Fatal(err)
	}
	for _, step := range []time.Duration{30 * time.Second, time.Second, 500 * ms, 50 * ms} {
		b.Run(step.String(), func(b *testing.B) {
			rows := 0
			s, err := feature.Options{Step: step}.Stream(func(feature.Row) { rows++ })
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := s.Add(all[0]); err != nil {
					b.Fatal(err)
				}
				s.Flush()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*all[0].Samples.Len()), "ns/sample")
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(rows), "ns/window")
		})
	}
}
