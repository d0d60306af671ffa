package stream

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/mechanism"
)

const ms = time.Millisecond

// TestPlanFigures: the plan's numbers are those of PROOF.md, section 3.
func TestPlanFigures(t *testing.T) {
	p := Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 50}.Plan()
	if p.TestsPerWindow != 11 || math.Abs(p.Noise.TestScale-50/(1.5/11)) > 1e-3 {
		t.Errorf("%d tests of scale %v, want 11 of 366.667", p.TestsPerWindow, p.Noise.TestScale)
	}
	if math.Abs(p.Noise.Scale-50/0.75) > 1e-4 || p.Noise.TestScale < 50/(1.5/11) || p.Noise.Scale < 50/0.75 {
		t.Errorf("first publication of scale %v, want 66.667, rounded up", p.Noise.Scale)
	}
	printed := Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 50, Published: true}.Plan()
	if printed.TestsPerWindow != 10 || math.Abs(printed.Noise.TestScale-1/(1.5/10)) > 1e-6 || printed.Calibration != mechanism.Published {
		t.Errorf("as printed: %d tests of scale %v, want 10 of 6.667", printed.TestsPerWindow, printed.Noise.TestScale)
	}
	why, void := printed.Guarantee.Void()
	if !void || !strings.Contains(why, "r/ε_test") || printed.Guarantee.Epsilon != 3 {
		t.Errorf("as printed: %v", printed.Guarantee)
	}
	f := Fixed{Epsilon: 3, Window: 500 * ms, Radius: 50, Every: 250 * ms}.Plan()
	if f.Parameters["publications"] != "3" || math.Abs(f.Noise.Scale-50) > 1e-4 {
		t.Errorf("a closed window of 500 ms holds three instants 250 ms apart: %v, scale %v", f.Parameters, f.Noise.Scale)
	}
}

func TestGuarantee(t *testing.T) {
	g := Kaleido{Epsilon: 3, Window: 500 * ms, Radius: 2, Surface: Surface{Sphere: true}}.Guarantee()
	want := dp.Guarantee{Measure: dp.Geo, Epsilon: 3, Delta: dp.RoundUp(11 * 0x1p-30), Radius: 2, RadiusUnit: "deg", Unit: dp.Window, Neighbours: dp.ShiftedWithin, Model: dp.Local}
	if g.Terms() != want.Terms() || g.Unit != want.Unit || g.Neighbours != want.Neighbours || g.Model != want.Model || len(g.Unprotected) == 0 {
		t.Errorf("%+v", g)
	}
	if _, void := (Kaleido{Epsilon: -1, Window: 500 * ms, Radius: 2}).Guarantee().Void(); !void {
		t.Error("a mechanism that cannot be made promises something")
	}
}

// TestPlanSaysWhichIsNearer: with tests for half of ε the schedule is nearer to
// the gaze, and the plan says by how much.
func TestPlanSaysWhichIsNearer(t *testing.T) {
	m := Kaleido{Epsilon: 1, Window: 500 * ms, Radius: 72, Surface: Surface{Width: 2560, Height: 1440}, Smooth: Smooth{Filter: true}}
	p := m.Plan()
	if p.PathError == nil || !(p.PathError.Instead[fixedName] < p.PathError.RMS) || len(p.Warnings) != 1 || !strings.Contains(p.Warnings[0].Error(), fixedName) {
		t.Fatalf("%+v, %v", p.PathError, p.Warnings)
	}
	f := Fixed{Epsilon: 1, Window: 500 * ms, Radius: 72, Surface: m.Surface, Smooth: m.Smooth}.Plan()
	if f.PathError.RMS != p.PathError.Instead[fixedName] {
		t.Errorf("the plan promises %v of the schedule, which plans %v", p.PathError.Instead, f.PathError.RMS)
	}
	if again := m.Plan(); again.PathError.RMS != p.PathError.RMS {
		t.Error("two plans differ")
	}
	m.Smooth = Smooth{}
	if raw := m.Plan(); !(p.PathError.RMS < 0.8*raw.PathError.RMS) {
		t.Errorf("smoothing leaves %v of %v px", p.PathError.RMS, raw.PathError.RMS)
	}
}

// TestBestScheduleIsBest: the chosen schedule is about as near to simulated gaze
// as any other that was tried.
func TestBestScheduleIsBest(t *testing.T) {
	for _, epsilon := range []float64{0.5, 1, 3, 10} {
		m := Fixed{Epsilon: epsilon, Window: 500 * ms, Radius: 72, Surface: Surface{Width: 2560, Height: 1440}, Smooth: Smooth{Filter: true}}
		chosen := m.Plan().PathError.RMS
		for _, n := range []time.Duration{1, 2, 3, 5, 8, 16} {
			other := m
			other.Every = m.Window/n + 1
			if rms := other.Plan().PathError.RMS; chosen > 1.2*rms {
				t.Errorf("ε = %v: %.4g px, but %.4g px with %d publications", epsilon, chosen, rms, n)
			}
		}
	}
}
