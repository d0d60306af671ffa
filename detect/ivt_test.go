package detect_test

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/simulate"
)

func TestTwoFixationsAndTheSaccadeBetween(t *testing.T) {
	r := recording(100, step{200, 300, 30}, step{578, 300, 20}) // 10 deg at 37.8 px/deg at the centre
	d := detect.IVT{Threshold: 30, MinDuration: 60 * ms}
	fix, err := d.Fixations(r)
	if err != nil || len(fix) != 2 {
		t.Fatalf("%d fixations, %v", len(fix), err)
	}
	want := []gaze.Fixation{
		{Eye: gaze.Right, Start: 0, Duration: 290 * ms, X: 200, Y: 300, Pupil: math.NaN()},
		{Eye: gaze.Right, Start: 300 * ms, Duration: 190 * ms, X: 578, Y: 300, Pupil: math.NaN()},
	}
	if d := gazetest.Diff(want, fix); d != "" {
		t.Error(d)
	}
	sac, err := d.Saccades(r)
	if err != nil || len(sac) != 1 {
		t.Fatalf("%d saccades, %v", len(sac), err)
	}
	s := sac[0]
	if s.Start != 290*ms || s.Duration != 10*ms || s.X0 != 200 || s.X1 != 578 {
		t.Errorf("saccade %+v", s)
	}
	// The angle between the lines of sight, by the law of cosines.
	cm := func(x, y float64) (float64, float64) { return (x - 640) * 0.0277, (y - 480) * 0.0277 }
	x0, y0 := cm(200, 300)
	x1, y1 := cm(578, 300)
	dot := (x0*x1 + y0*y1 + 3600) / math.Sqrt((x0*x0+y0*y0+3600)*(x1*x1+y1*y1+3600))
	angle := math.Acos(dot) * 180 / math.Pi
	if math.Abs(s.Amplitude-angle) > 1e-9 || math.Abs(s.PeakVelocity-angle/0.01) > 1e-6 {
		t.Errorf("amplitude %v, peak %v, want %v and %v", s.Amplitude, s.PeakVelocity, angle, angle/0.01)
	}
}

// A threshold in px/s by an explicit scale is the same algorithm.
func TestPixelsPerDegree(t *testing.T) {
	r := recording(83, step{100, 100, 30}, step{100 + 45*2, 100, 30})
	r.Screen = gaze.Screen{}
	if _, err := detect.Standard().Fixations(r); !errors.Is(err, gaze.ErrNoGeometry) {
		t.Errorf("without geometry: %v", err)
	}
	d := detect.Standard()
	d.PixelsPerDegree = 45
	sac, err := d.Saccades(r)
	if err != nil || len(sac) != 1 || math.Abs(sac[0].Amplitude-2) > 1e-12 {
		t.Errorf("got %+v, %v", sac, err)
	}
	r.Unit = gaze.UnitUnknown
	if sac, err := d.Saccades(r); err != nil || len(sac) != 1 {
		t.Errorf("unknown unit with a stated scale: %v, %v", sac, err)
	}
	d.PixelsPerDegree = 0
	r.Screen = screen()
	if _, err := d.Saccades(r); !errors.Is(err, gaze.ErrNoGeometry) {
		t.Errorf("unknown unit: %v", err)
	}
}

func TestUnits(t *testing.T) {
	px := recording(100, step{200, 300, 30}, step{700, 500, 30})
	want, err := detect.Standard().Saccades(px)
	if err != nil || len(want) != 1 {
		t.Fatal(want, err)
	}
	s := screen()
	for name, convert := range map[string]func(*gaze.Recording, *float64, *float64){
		"norm": func(r *gaze.Recording, x, y *float64) { r.Unit, *x, *y = gaze.Normalized, *x/1280, *y/960 },
		"mm":   func(r *gaze.Recording, x, y *float64) { r.Unit, *x, *y = gaze.Millimetres, *x*0.277, *y*0.277 },
		"bottom left": func(r *gaze.Recording, x, y *float64) {
			r.Screen.Origin, *y = gaze.BottomLeft, 960-*y
		},
		"centre": func(r *gaze.Recording, x, y *float64) {
			r.Screen.Origin, *x, *y = gaze.Center, *x-640, 480-*y
		},
	} {
		r := gazetest.Clone(px)
		r.Screen = s
		for i := range r.Samples.T {
			track := &r.Samples.Tracks[gaze.Right]
			convert(r, &track.X[i], &track.Y[i])
		}
		got, err := detect.Standard().Saccades(r)
		if err != nil || len(got) != 1 || math.Abs(got[0].Amplitude-want[0].Amplitude) > 1e-9 {
			t.Errorf("%s: %+v, %v; want %+v", name, got, err, want)
		}
	}
}

// On the sphere a degree of yaw shrinks with the cosine of the pitch, and the
// seam at 180 deg is no movement.
func TestSphere(t *testing.T) {
	r := recording(100, step{-30, 60, 30}, step{30, 60, 30})
	r.Unit, r.Frame, r.Screen = gaze.Degrees, gaze.InWorld, gaze.Screen{}
	sac, err := detect.Standard().Saccades(r)
	angle := 2 * math.Asin(math.Cos(60*math.Pi/180)*math.Sin(30*math.Pi/180)) * 180 / math.Pi
	if err != nil || len(sac) != 1 || math.Abs(sac[0].Amplitude-angle) > 1e-9 {
		t.Errorf("got %+v, %v; want %v deg", sac, err, angle)
	}
	r = recording(100)
	r.Unit, r.Frame = gaze.Degrees, gaze.InWorld
	for i := range 40 {
		r.Samples.T = append(r.Samples.T, time.Duration(i)*10*ms)
		track := &r.Samples.Tracks[gaze.Right]
		yaw := 179.9
		if i%2 == 1 {
			yaw = -179.9
		}
		track.X, track.Y = append(track.X, yaw), append(track.Y, 10)
	}
	fix, err := detect.Standard().Fixations(r)
	if err != nil || len(fix) != 1 || math.Abs(math.Abs(fix[0].X)-180) > 0.01 || math.Abs(fix[0].Y-10) > 0.01 {
		t.Errorf("at the seam: %+v, %v", fix, err)
	}
	rad := gazetest.Clone(r)
	rad.Unit = gaze.Radians
	for i := range rad.Samples.T {
		track := &rad.Samples.Tracks[gaze.Right]
		track.X[i], track.Y[i] = track.X[i]*math.Pi/180, track.Y[i]*math.Pi/180
	}
	got, err := detect.Standard().Fixations(rad)
	if err != nil || len(got) != 1 || math.Abs(got[0].Y-10*math.Pi/180) > 1e-3 {
		t.Errorf("radians: %+v, %v", got, err)
	}
}

// A panorama in px is the same sphere.
func TestPanoramaInPixels(t *testing.T) {
	r := recording(100, step{20, 450, 30}, step{3580, 450, 30}) // 358 → 2 deg of yaw apart at pitch 45
	r.Screen = gaze.Screen{Width: 3600, Height: 1800, FieldWidthDeg: 360, FieldHeightDeg: 180}
	sac, err := detect.IVT{Threshold: 30}.Saccades(r)
	angle := 2 * math.Asin(math.Cos(math.Pi/4)*math.Sin(2*math.Pi/180)) * 180 / math.Pi
	if err != nil || len(sac) != 1 || math.Abs(sac[0].Amplitude-angle) > 1e-9 {
		t.Errorf("got %+v, %v; want %v deg", sac, err, angle)
	}
	fix, _ := detect.IVT{Threshold: 30}.Fixations(r)
	if len(fix) != 2 || math.Abs(fix[0].X-20) > 1e-6 || math.Abs(fix[1].Y-450) > 1e-6 {
		t.Errorf("fixations %+v", fix)
	}
}

func TestLossesEndFixations(t *testing.T) {
	nan := math.NaN()
	for lost, want := range map[int]int{3: 1, 6: 1, 7: 2, 30: 2} { // 75 ms: 6 lost samples at 100 Hz leave a gap of 70 ms
		r := recording(100, step{300, 300, 30}, step{nan, nan, lost}, step{300, 300, 30})
		fix, err := detect.Standard().Fixations(r)
		if err != nil || len(fix) != want {
			t.Errorf("%d lost samples: %d fixations, want %d (%v)", lost, len(fix), want, err)
		}
	}
	// Gaze that moved during a short loss made a saccade.
	r := recording(100, step{300, 300, 30}, step{nan, nan, 3}, step{600, 300, 30})
	sac, _ := detect.Standard().Saccades(r)
	if len(sac) != 1 || sac[0].Start != 290*ms || sac[0].Duration != 40*ms {
		t.Errorf("a saccade hidden by a loss: %+v", sac)
	}
}

func TestMinDuration(t *testing.T) {
	r := recording(100, step{200, 300, 30}, step{500, 300, 5}, step{800, 300, 30})
	for shortest, want := range map[time.Duration]int{0: 3, 40 * ms: 3, 41 * ms: 2, time.Second: 0} {
		fix, err := detect.IVT{Threshold: 30, MinDuration: shortest}.Fixations(r)
		if err != nil || len(fix) != want {
			t.Errorf("from %v: %d fixations, want %d (%v)", shortest, len(fix), want, err)
		}
	}
}

func TestPupilIsAveraged(t *testing.T) {
	r := recording(100, step{200, 300, 4})
	r.Samples.Tracks[gaze.Right].Pupil = []float64{3, 0, math.NaN(), 4}
	fix, err := detect.IVT{Threshold: 30}.Fixations(r)
	if err != nil || len(fix) != 1 || fix[0].Pupil != 3.5 {
		t.Errorf("%+v, %v", fix, err)
	}
}

func TestSettingsAreRefused(t *testing.T) {
	for _, d := range []detect.Detector{
		detect.IVT{}, detect.IVT{Threshold: -1}, detect.IVT{Threshold: math.NaN()}, detect.IVT{Threshold: math.Inf(1)},
		detect.IVT{Threshold: 30, MinDuration: -1}, detect.IVT{Threshold: 30, MaxGap: -1}, detect.IVT{Threshold: 30, Window: -1},
		detect.IVT{Threshold: 30, Window: time.Hour}, detect.IVT{Threshold: 30, PixelsPerDegree: math.NaN()},
		detect.IDT{}, detect.IDT{Dispersion: 1}, detect.IDT{Dispersion: math.NaN(), MinDuration: ms},
		detect.IDT{Dispersion: 1, MinDuration: ms, MaxGap: -1}, detect.IDT{Dispersion: 1, MinDuration: time.Hour},
	} {
		if _, err := d.Stream(detect.Sink{}); err == nil || !strings.HasPrefix(err.Error(), "detect: ") {
			t.Errorf("%+v: %v", d, err)
		}
	}
}

// The plan is found again: of the fixations that no blink touches at least 95 %
// begin and end within 25 ms and lie within 0.4 deg of where they were planned
// (the drift's standard deviation is 0.06 deg, samples are up to 17 ms apart).
func TestPlannedFixationsAreFound(t *testing.T) {
	for _, scene := range simulate.Scenes() {
		for _, rate := range []gaze.Hertz{60, 250, 1000} {
			planned, found := 0, 0
			for _, r := range simulated(t, scene, rate, 4) {
				p, f := matched(t, r)
				planned, found = planned+p, found+f
			}
			if planned < 150 || found*100 < planned*95 {
				t.Errorf("%s at %v Hz: %d of %d planned fixations found", scene.Name, rate, found, planned)
			}
		}
	}
}

func matched(t *testing.T, r *gaze.Recording) (planned, found int) {
	t.Helper()
	fix, err := detect.Standard().Fixations(r)
	if err != nil {
		t.Fatal(err)
	}
	perDegree := 1.0
	if r.Unit == gaze.Pixels {
		perDegree, _ = r.Screen.PixelsPerDegree()
	}
	for _, p := range r.Fixations {
		if p.Duration < 90*ms || !whole(r, p.Start, p.Duration) {
			continue
		}
		planned++
		f, ok := nearest(fix, p.Start, func(f gaze.Fixation) time.Duration { return f.Start })
		end := (f.Start + f.Duration - p.Start - p.Duration).Abs()
		if ok && (f.Start-p.Start).Abs() < 25*ms && end < 25*ms && math.Hypot(f.X-p.X, f.Y-p.Y) < 0.4*perDegree {
			found++
		}
	}
	return planned, found
}

// Saccades lie on the planned main sequence: amplitudes within 10 % and 0.2 deg, peak
// velocities within 15 % from 3 deg up (the window flattens smaller ones).
func TestPlannedSaccadesAreFound(t *testing.T) {
	planned, found := 0, 0
	for _, r := range simulated(t, simulate.ShopWindow(), 500, 5) {
		sac, err := detect.Standard().Saccades(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Saccades {
			if p.Amplitude < 3 || !whole(r, p.Start, p.Duration) {
				continue
			}
			planned++
			s, _ := nearest(sac, p.Start, func(s gaze.Saccade) time.Duration { return s.Start })
			if math.Abs(s.Amplitude-p.Amplitude) < 0.1*p.Amplitude+0.2 && math.Abs(s.PeakVelocity/p.PeakVelocity-1) < 0.15 {
				found++
			}
		}
	}
	if planned < 150 || found*100 < planned*90 {
		t.Errorf("%d of %d planned saccades found", found, planned)
	}
}

// Runs of slow and fast intervals partition every stretch without long gaps.
func TestFixationsAndSaccadesPartitionTheTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := wild(t)
		var last time.Duration
		first := true
		var covered time.Duration
		event := func(start, d time.Duration) {
			if d <= 0 {
				t.Fatalf("an event of %v at %v", d, start)
			}
			if !first && start < last {
				t.Fatalf("an event begins at %v, the one before ended at %v", start, last)
			}
			first, last, covered = false, start+d, covered+d
		}
		d := detect.IVT{Threshold: 30, Window: rapid.SampledFrom([]time.Duration{1, 0, 50 * ms}).Draw(t, "window")}
		s, err := d.Stream(detect.Sink{
			Fixation: func(f gaze.Fixation) { event(f.Start, f.Duration) },
			Saccade: func(c gaze.Saccade) {
				event(c.Start, c.Duration)
				if !(c.Amplitude >= 0 && c.PeakVelocity >= 0) || math.IsInf(c.PeakVelocity, 0) {
					t.Fatalf("saccade %+v", c)
				}
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Add(r); err != nil {
			t.Fatal(err)
		}
		s.Flush()
		var want time.Duration
		var before time.Duration
		begun := false
		for i, at := range r.Samples.T {
			track := &r.Samples.Tracks[gaze.Right]
			if gaze.Lost(track.X[i], track.Y[i]) {
				continue
			}
			if begun && at > before && at-before <= 75*ms {
				want += at - before
			}
			if !begun || at > before {
				before, begun = at, true
			}
		}
		if covered != want {
			t.Fatalf("events cover %v of %v", covered, want)
		}
	})
}

// wild is a recording with irregular, repeated and lost samples.
func wild(t *rapid.T) *gaze.Recording {
	r := recording(100)
	track := &r.Samples.Tracks[gaze.Right]
	var at time.Duration
	x, y := 640.0, 480.0
	for range rapid.IntRange(20, 200).Draw(t, "samples") {
		at += rapid.SampledFrom([]time.Duration{0, 1, ms, 4 * ms, 10 * ms, 10 * ms, 10 * ms, 30 * ms, 75 * ms, 200 * ms}).Draw(t, "step")
		switch rapid.IntRange(0, 9).Draw(t, "what") {
		case 0:
			x, y = rapid.Float64Range(-100, 1400).Draw(t, "x"), rapid.Float64Range(-100, 1000).Draw(t, "y")
		case 1:
			r.Samples.T = append(r.Samples.T, at)
			track.X, track.Y = append(track.X, math.NaN()), append(track.Y, y)
			continue
		}
		r.Samples.T = append(r.Samples.T, at)
		track.X, track.Y = append(track.X, x), append(track.Y, y)
	}
	return r
}
