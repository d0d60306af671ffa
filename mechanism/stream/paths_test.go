package stream

import (
	"errors"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// full is a recording that carries everything a recording can.
func full() *gaze.Recording {
	r := recording([2]float64{10, 20}, [2]float64{11, 21}, [2]float64{nan, nan}, [2]float64{300, 200})
	r.PupilUnit, r.Session, r.Stimulus = gaze.PupilMillimetres, "1", "hill"
	s := &r.Samples
	s.Tracks[gaze.Left] = gaze.Track{X: []float64{1, 2, 3, 4}, Y: []float64{1, 2, 3, 4}, Pupil: []float64{1, 2, 3, 4}}
	s.Tracks[gaze.Cyclopean].Pupil, s.Tracks[gaze.Cyclopean].Confidence = []float64{1, 2, 3, 4}, []float64{1, 1, 1, 1}
	s.Labels = []gaze.Label{1, 1, 2, 2}
	s.Signals = []gaze.Signal{{Name: "lid", Values: []float64{1, 2, 3, 4}}}
	r.Fixations = []gaze.Fixation{{X: 10, Y: 20, Duration: 1}}
	r.Saccades = []gaze.Saccade{{X0: 10, X1: 300, Duration: 1}}
	r.Blinks = []gaze.Blink{{Start: 1, Duration: 1}}
	return r
}

// TestNothingElseOfARecording: time stamps and the protected positions of one eye
// leave, and nothing else.
func TestNothingElseOfARecording(t *testing.T) {
	for _, m := range []mechanism.Paths{
		Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 50}, Fixed{Epsilon: 3, Window: 500 * ms, Radius: 50}, Baseline{Jitter: 3},
	} {
		r, err := m.Protect(sequence([]*gaze.Recording{full()}), noise.Secure())
		if err != nil {
			t.Fatal(err)
		}
		all, err := gaze.Collect(r.Recordings)
		if err != nil || len(all) != 1 || r.Synthetic {
			t.Fatal(len(all), err)
		}
		got := all[0]
		if got.Samples.Len() != 4 || got.Stimulus != "hill" || got.Session != "1" {
			t.Errorf("%T: %+v", m, got.Header)
		}
		if got.PupilUnit != gaze.PupilUnknown || got.Fixations != nil || got.Saccades != nil || got.Blinks != nil || got.Samples.Labels != nil || got.Samples.Signals != nil {
			t.Errorf("%T lets more out than positions: %+v", m, got)
		}
		for e, track := range got.Samples.Tracks {
			if track.Pupil != nil || track.Confidence != nil || gaze.Eye(e) != gaze.Cyclopean && track.Present() {
				t.Errorf("%T lets more out than the positions of one eye", m)
			}
		}
	}
}

// TestErrorsEndTheSequence: a source that fails, or a recording in another unit in
// between, ends the release without a further sample.
func TestErrorsEndTheSequence(t *testing.T) {
	broken := errors.New("disk")
	inches := recording([2]float64{1, 2})
	inches.Unit = gaze.Normalized
	for name, third := range map[string]func(yield func(*gaze.Recording, error) bool) bool{
		"source": func(yield func(*gaze.Recording, error) bool) bool { return yield(recording([2]float64{9, 9}), broken) },
		"unit":   func(yield func(*gaze.Recording, error) bool) bool { return yield(inches, nil) },
	} {
		pieces := func(yield func(*gaze.Recording, error) bool) {
			if yield(recording([2]float64{1, 2}), nil) && third(yield) {
				yield(recording([2]float64{3, 4}), nil)
			}
		}
		r, err := Fixed{Epsilon: 1, Window: time.Second, Radius: 50}.Protect(pieces, noise.Seeded(1))
		if err != nil {
			t.Fatal(err)
		}
		good, bad := 0, 0
		for piece, err := range r.Recordings {
			switch {
			case err != nil && piece != nil:
				t.Errorf("%s: a recording beside the error %v", name, err)
			case err != nil:
				bad++
			default:
				good++
			}
		}
		if good != 1 || bad != 1 {
			t.Errorf("%s: %d recordings and %d errors", name, good, bad)
		}
	}
}

// TestNoRawPositionLeaves feeds recordings with lost samples, stamps in any order
// and pieces cut anywhere: no coordinate that went in comes out, and as many
// samples leave as came.
func TestNoRawPositionLeaves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyStream(t)
		if m.Check() != nil {
			t.Skip("no mechanism")
		}
		paths := m.(mechanism.Paths)
		surface := surfaceOf(m)
		var in []*gaze.Recording
		raw := map[float64]bool{}
		times := anyTimes(t, m)
		for len(times) > 0 {
			n := rapid.IntRange(0, len(times)).Draw(t, "piece")
			r := recording()
			if surface.Sphere {
				r.Unit, r.Frame = gaze.Degrees, gaze.InWorld
			}
			r.Continues = len(in) > 0 && rapid.Bool().Draw(t, "continues")
			r.Samples.T = times[:n]
			for range n {
				x, y := rapid.Float64Range(-180, 2000).Draw(t, "x"), anyPosition(t)
				if g := 0x1p-20; x == math.RoundToEven(x/g)*g { // on every released grid: it could meet one by chance
					x += g / 3
				}
				raw[x] = true
				track := &r.Samples.Tracks[gaze.Cyclopean]
				track.X, track.Y = append(track.X, x), append(track.Y, y)
			}
			in = append(in, r)
			times = times[max(n, 1):]
		}
		released, err := paths.Protect(sequence(in), noise.Seeded(rapid.Uint64().Draw(t, "seed")))
		if err != nil {
			t.Fatal(err)
		}
		i := 0
		for piece, err := range released.Recordings {
			if err != nil {
				t.Fatal(err)
			}
			if piece.Samples.Len() != in[i].Samples.Len() || piece.Continues != in[i].Continues {
				t.Fatalf("piece %d: %d samples for %d", i, piece.Samples.Len(), in[i].Samples.Len())
			}
			for _, x := range piece.Samples.Tracks[gaze.Cyclopean].X {
				if raw[x] {
					t.Fatalf("piece %d: %v came in and went out", i, x)
				}
			}
			i++
		}
		if i != len(in) {
			t.Fatalf("%d pieces for %d", i, len(in))
		}
	})
}

func surfaceOf(m streamer) Surface {
	if k, ok := m.(Kaleido); ok {
		return k.Surface
	}
	return m.(Fixed).Surface
}

// TestRecordingsAreAlone: every recording begins without a memory of the others.
func TestRecordingsAreAlone(t *testing.T) {
	lost := recording([2]float64{nan, nan}, [2]float64{nan, nan})
	r, err := Fixed{Epsilon: 1, Window: time.Second, Radius: 50}.Protect(sequence([]*gaze.Recording{recording([2]float64{1, 2}), lost}), noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	all, err := gaze.Collect(r.Recordings)
	if err != nil {
		t.Fatal(err)
	}
	if x := all[1].Samples.Tracks[0].X; !math.IsNaN(x[0]) || !math.IsNaN(x[1]) || math.IsNaN(all[0].Samples.Tracks[0].X[0]) {
		t.Errorf("a recording without gaze has positions %v", x)
	}
}

// TestSphereTakesPanoramas: gaze around a room is taken in degrees, and stays on
// the sphere.
func TestSphereTakesPanoramas(t *testing.T) {
	c := simulate.Cohort{People: 1, Scenes: []simulate.Scene{simulate.Room()}, Seconds: 3}
	r, err := Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 2, Surface: Surface{Sphere: true}}.Protect(c.Recordings(noise.Seeded(1)), noise.Seeded(2))
	if err != nil {
		t.Fatal(err)
	}
	all, err := gaze.Collect(r.Recordings)
	if err != nil || len(all) != 1 {
		t.Fatal(err)
	}
	track, _, _ := all[0].Best()
	moved := map[float64]bool{}
	for i, yaw := range track.X {
		moved[yaw] = true
		if pitch := track.Y[i]; !(math.Abs(yaw) <= 180 && math.Abs(pitch) <= 90) {
			t.Fatalf("(%v, %v) is no direction", yaw, pitch)
		}
	}
	if len(moved) < 20 {
		t.Errorf("%d positions in 3 s", len(moved))
	}
	if _, err := (Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 2}).Stream(nil); err == nil {
		t.Error("a stream without a source of noise")
	}
}

// TestBaselines do what they are called.
func TestBaselines(t *testing.T) {
	c := simulate.Cohort{People: 1, Scenes: []simulate.Scene{simulate.ShopWindow()}, Seconds: 4, Rate: 100}
	run := func(m Baseline) *gaze.Recording {
		r, err := m.Protect(c.Recordings(noise.Seeded(1)), noise.Secure())
		if err != nil {
			t.Fatal(err)
		}
		if _, void := r.Guarantee.Void(); !void {
			t.Errorf("%+v promises %v", m, r.Guarantee)
		}
		all, err := gaze.Collect(r.Recordings)
		if err != nil {
			t.Fatal(err)
		}
		return all[0]
	}
	raw, err := gaze.Collect(c.Recordings(noise.Seeded(1)))
	if err != nil {
		t.Fatal(err)
	}
	in, _, _ := raw[0].Best()
	kept, _, _ := run(Baseline{Keep: 3}).Best()
	for i, x := range kept.X {
		if !same(x, in.X[3*i]) {
			t.Fatalf("sample %d of every third is %v, want %v", i, x, in.X[3*i])
		}
	}
	if len(kept.X) != (len(in.X)+2)/3 {
		t.Errorf("%d of %d samples are kept", len(kept.X), len(in.X))
	}
	jittered, _, _ := run(Baseline{Jitter: 20}).Best()
	sum, n := 0.0, 0
	for i, x := range jittered.X {
		if d := x - in.X[i]; !math.IsNaN(d) {
			sum, n = sum+d*d, n+1
		}
	}
	if sd := math.Sqrt(sum / float64(n)); math.Abs(sd-20) > 20*5.5/math.Sqrt(2*float64(n)) {
		t.Errorf("jitter of 20 px has %v px", sd)
	}
	scene := simulate.ShopWindow()
	screen := scene.Screen()
	coarse, _, _ := run(Baseline{Coarse: 216, Surface: Surface{Width: float64(screen.Width), Height: float64(screen.Height)}}).Best()
	cell := float64(screen.Height) / 10 // 2160/216 rows
	for i, y := range coarse.Y {
		if !gaze.Lost(in.X[i], in.Y[i]) && math.Abs(y-in.Y[i]) > cell/2+1e-9 && in.Y[i] >= 0 && in.Y[i] < float64(screen.Height) {
			t.Fatalf("%v falls to %v in cells of %v", in.Y[i], y, cell)
		}
		if k := y/cell - 0.5; !math.IsNaN(k) && math.Abs(k-math.Round(k)) > 1e-9 {
			t.Fatalf("%v is no centre", y)
		}
	}
	yaw, pitch := (&blurred{Baseline: &Baseline{Coarse: 120, Surface: Surface{Sphere: true}}}).Next(0, -179, 89)
	if yaw != -174.375 || pitch != 85 { // 32 × 18 cells
		t.Errorf("(-179, 89) falls to (%v, %v)", yaw, pitch)
	}
}

// TestDrawnOnce: a release that is iterated again yields no second draw.
func TestDrawnOnce(t *testing.T) {
	for _, m := range []mechanism.Paths{Fixed{Epsilon: 1, Window: time.Second, Radius: 50}, Kaleido{Epsilon: 1, Window: time.Second, Radius: 50}} {
		r, err := m.Protect(sequence([]*gaze.Recording{recording([2]float64{10, 10})}), noise.Secure())
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []error{nil, errTwice} {
			all, err := gaze.Collect(r.Recordings)
			if !errors.Is(err, want) || (len(all) == 1) != (want == nil) {
				t.Errorf("%T: %d recordings, %v, want %v", m, len(all), err, want)
			}
		}
	}
}

// TestWholeTurns: directions that are a radius apart stay so however many turns
// their angles count.
func TestWholeTurns(t *testing.T) {
	g := newGlobe(2)
	for k := range 200 {
		a := 1e16 + float64(2*k) // where float64 has steps of 2
		if d := g.distance(point{a + 2, 0}, point{math.Remainder(a, 360), 0}); math.Abs(d-1) > 1e-12 {
			t.Fatalf("yaws of %v and %v deg are %v radii apart", a, a+2, d)
		}
	}
}
