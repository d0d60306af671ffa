package detect_test

import (
	"errors"
	"math"
	"runtime"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func detectors() map[string]detect.Detector {
	return map[string]detect.Detector{
		"I-VT":                 detect.Standard(),
		"I-VT, point to point": detect.IVT{Threshold: 30, Window: 1},
		"I-DT":                 detect.IDT{Dispersion: 1, MinDuration: 100 * ms},
	}
}

// Events do not depend on how a recording is cut into pieces.
func TestPiecesMakeNoDifference(t *testing.T) {
	all := append(gazetest.Lossy(2, 0.05), gazetest.Wanderers(1)...)
	all = append(all, gazetest.Readers(1)...)
	for name, d := range detectors() {
		whole, err := gaze.Collect(detect.Annotate(d, gazetest.Seq(all...)))
		if err != nil {
			t.Fatal(err)
		}
		if len(whole) != len(all) || len(whole[0].Fixations) < 5 {
			t.Fatalf("%s: %d recordings, the first with %d fixations", name, len(whole), len(whole[0].Fixations))
		}
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.IntRange(1, 400).Draw(t, "n")
			got, err := gaze.Collect(detect.Annotate(d, gazetest.Pieces(n, all...)))
			if err != nil {
				t.Fatal(err)
			}
			if diff := gazetest.Diff(whole, got); diff != "" {
				t.Fatalf("%s in pieces of %d: %s", name, n, diff)
			}
		})
	}
}

func TestAnnotateIsFixations(t *testing.T) {
	r := gazetest.Annotated(1)[0]
	want, err := detect.Standard().Fixations(r)
	if err != nil {
		t.Fatal(err)
	}
	sac, _ := detect.Standard().Saccades(r)
	before := gazetest.Clone(r)
	got, err := gaze.Collect(detect.Annotate(detect.Standard(), gazetest.Seq(r)))
	if err != nil || len(got) != 1 {
		t.Fatal(len(got), err)
	}
	if d := gazetest.Diff(want, got[0].Fixations) + gazetest.Diff(sac, got[0].Saccades); d != "" {
		t.Error(d)
	}
	if d := gazetest.Diff(before, r); d != "" {
		t.Errorf("the input was changed: %s", d)
	}
}

// Whatever is wrong with a recording, there is an answer without NaN, or an
// error, and the input stays as it was.
func TestOddRecordings(t *testing.T) {
	refused := map[string]bool{"no geometry": true, "unknown unit": true}
	for _, c := range gazetest.Cases() {
		before := gazetest.Clone(c.Recording)
		for name, d := range detectors() {
			all, err := gaze.Collect(detect.Annotate(d, gazetest.Seq(c.Recording)))
			if refused[c.Name] {
				if !errors.Is(err, gaze.ErrNoGeometry) {
					t.Errorf("%s, %s: %v", name, c.Name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, c.Name, err)
				continue
			}
			for _, f := range all[0].Fixations {
				if gaze.Lost(f.X, f.Y) || f.Duration < 0 {
					t.Errorf("%s, %s: fixation %+v", name, c.Name, f)
				}
			}
			for _, s := range all[0].Saccades {
				if gaze.Lost(s.X0, s.Y0) || gaze.Lost(s.X1, s.Y1) || gaze.Lost(s.Amplitude, s.PeakVelocity) {
					t.Errorf("%s, %s: saccade %+v", name, c.Name, s)
				}
			}
		}
		if _, err := (detect.Blinks{}).Detect(c.Recording); err != nil {
			t.Errorf("blinks, %s: %v", c.Name, err)
		}
		if diff := gazetest.Diff(before, c.Recording); diff != "" {
			t.Errorf("%s was changed: %s", c.Name, diff)
		}
	}
}

func TestWhatOddRecordingsHold(t *testing.T) {
	for name, want := range map[string]int{"no samples": 0, "no columns": 0, "one sample": 0, "all lost": 0, "infinite": 0, "huge": 0,
		"constant": 1, "off screen": 1, "one stamp": 0, "pupil only": 0, "one long gap": 1, "clock restarts": 2} {
		for _, c := range gazetest.Cases() {
			if c.Name != name {
				continue
			}
			if fix, err := detect.Standard().Fixations(c.Recording); err != nil || len(fix) != want {
				t.Errorf("%s: %d fixations, want %d (%v)", name, len(fix), want, err)
			}
		}
	}
}

func TestRepeatedStampsAreCounted(t *testing.T) {
	for _, c := range gazetest.Cases() {
		if c.Name == "repeated stamps" {
			s, _ := detect.Standard().Stream(detect.Sink{})
			if err := s.Add(c.Recording); err != nil || s.Repeated != 150 {
				t.Errorf("%d of 200 samples in fours left out, want 150 (%v)", s.Repeated, err)
			}
		}
	}
}

func TestColumnsOfUnequalLength(t *testing.T) {
	r := recording(100, step{1, 2, 10})
	r.Samples.Tracks[gaze.Right].Y = r.Samples.Tracks[gaze.Right].Y[:5]
	if _, err := detect.Standard().Fixations(r); err == nil {
		t.Error("no error")
	}
}

func TestAnnotatePassesErrorsOn(t *testing.T) {
	broken := errors.New("broken")
	seq := func(yield func(*gaze.Recording, error) bool) {
		_ = yield(recording(100, step{1, 2, 50}), nil) && yield(nil, broken)
	}
	all, err := gaze.Collect(detect.Annotate(detect.Standard(), seq))
	if !errors.Is(err, broken) {
		t.Error(all, err)
	}
	if _, err := gaze.Collect(detect.Annotate(detect.IVT{}, seq)); err == nil {
		t.Error("a detector without a threshold is taken")
	}
}

// Memory does not grow with the number of samples, not even at absurd rates.
func TestMemoryIsBounded(t *testing.T) {
	piece := recording(1000, step{300, 300, 4096})
	for name, d := range detectors() {
		s, err := d.Stream(detect.Sink{Fixation: func(gaze.Fixation) {}})
		if err != nil {
			t.Fatal(err)
		}
		feed := func(pieces int, step time.Duration) {
			for range pieces {
				for i := range piece.Samples.T {
					piece.Samples.T[i] += 4096 * step
				}
				if err := s.Add(piece); err != nil {
					t.Fatal(err)
				}
				piece.Continues = true
			}
		}
		for i := range piece.Samples.T {
			piece.Samples.T[i] = time.Duration(i)
		}
		feed(20, 1) // a sample per nanosecond fills every window
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		feed(100, 1)
		runtime.ReadMemStats(&after)
		if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
			t.Errorf("%s allocates %d bytes for 400 000 samples", name, grown)
		}
		piece.Continues = false
	}
}

func TestBlinks(t *testing.T) {
	nan := math.NaN()
	for lost, want := range map[int]int{3: 0, 5: 1, 40: 1, 51: 0} { // at 100 Hz
		r := recording(100, step{300, 300, 30}, step{nan, nan, lost}, step{300, 300, 30})
		got, err := (detect.Blinks{}).Detect(r)
		if err != nil || len(got) != want {
			t.Errorf("%d lost samples: %d blinks, want %d (%v)", lost, len(got), want, err)
		}
		if want == 1 && (got[0].Start != 300*ms || got[0].Duration != time.Duration(lost)*10*ms || got[0].Eye != gaze.Right) {
			t.Errorf("%d lost samples: %+v", lost, got[0])
		}
	}
	border := recording(100, step{nan, nan, 20}, step{300, 300, 30}, step{nan, nan, 20})
	if got, _ := (detect.Blinks{}).Detect(border); len(got) != 0 {
		t.Errorf("blinks of unknown length at the borders: %+v", got)
	}
	gap := recording(100, step{300, 300, 60})
	for i := 30; i < 60; i++ {
		gap.Samples.T[i] += 200 * ms
	}
	if got, _ := (detect.Blinks{}).Detect(gap); len(got) != 1 || got[0].Duration != 210*ms {
		t.Errorf("samples left out by the tracker: %+v", got)
	}
	if got, _ := (detect.Blinks{}).Detect(recording(10, step{300, 300, 60})); len(got) != 0 {
		t.Errorf("a slow tracker blinks: %+v", got)
	}
	pupil := recording(100, step{300, 300, 60})
	pupil.Samples.Tracks[gaze.Right].Pupil = make([]float64, 60)
	for i := range 60 {
		if i < 20 || i > 30 {
			pupil.Samples.Tracks[gaze.Right].Pupil[i] = 3
		}
	}
	if got, _ := (detect.Blinks{}).Detect(pupil); len(got) != 1 || got[0].Start != 200*ms || got[0].Duration != 110*ms {
		t.Errorf("a pupil that vanishes: %+v", got)
	}
	if _, err := (detect.Blinks{MinDuration: time.Second}).Detect(gap); err == nil {
		t.Error("no error for a shortest blink above the longest")
	}
}

// Simulated blinks are found, but for those cut by the ends of the recording or
// joined to a neighbour.
func TestPlannedBlinksAreFound(t *testing.T) {
	planned, found := 0, 0
	for _, r := range simulated(t, simulate.ShopWindow(), 250, 8) {
		got, err := (detect.Blinks{}).Detect(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range r.Blinks {
			planned++
			near, _ := nearest(got, b.Start, func(b gaze.Blink) time.Duration { return b.Start })
			if (near.Start-b.Start).Abs() <= 4*ms && (near.Duration-b.Duration).Abs() <= 8*ms {
				found++
			}
		}
		if len(got) > len(r.Blinks) {
			t.Errorf("%d blinks found, %d made", len(got), len(r.Blinks))
		}
	}
	if planned < 15 || found*100 < planned*85 {
		t.Errorf("%d of %d blinks found", found, planned)
	}
}

func benchmark(b *testing.B, d detect.Detector, rate gaze.Hertz) {
	c := simulate.Cohort{People: 1, Seconds: 100, Rate: rate, Scenes: []simulate.Scene{simulate.ShopWindow()}}
	all, err := gaze.Collect(c.Recordings(noise.Seeded(1)))
	if err != nil {
		b.Fatal(err)
	}
	n := 0
	s, err := d.Stream(detect.Sink{Fixation: func(gaze.Fixation) { n++ }})
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
	b.ReportMetric(float64(all[0].Samples.Len())*float64(b.N)/b.Elapsed().Seconds(), "samples/s")
}

func BenchmarkIVT120Hz(b *testing.B)  { benchmark(b, detect.Standard(), 120) }
func BenchmarkIVT1000Hz(b *testing.B) { benchmark(b, detect.Standard(), 1000) }
func BenchmarkIDT1000Hz(b *testing.B) {
	benchmark(b, detect.IDT{Dispersion: 1, MinDuration: 100 * ms}, 1000)
}
