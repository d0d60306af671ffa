package synth

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
)

func TestPlanSaysWhatItCosts(t *testing.T) {
	m := DPGazeSynth{Epsilon: 3, Area: Area{Width: 2560, Height: 1440}, Radius: 72, Windows: 120}
	p := m.Plan()
	g := p.Guarantee
	if g.Measure != dp.Pure || g.Epsilon != 3 || g.Unit != dp.Window || g.Neighbours != dp.StartWithin || g.Radius != 72 || g.RadiusUnit != "px" || g.Model != dp.Local {
		t.Errorf("%v", g)
	}
	if s := 72 / 1.8; math.Abs(p.Noise.Scale/s-1) > 1e-5 {
		t.Errorf("noise of scale %v, want %v", p.Noise.Scale, s)
	}
	any := p.Composed["window-any"]
	if want := 1.8*math.Hypot(2560, 1440)/72 + 1.2; math.Abs(any.Epsilon/want-1) > 1e-6 || any.Neighbours != dp.ReplaceOne || any.Unit != dp.Window {
		t.Errorf("any window: %v, want %v", any, want)
	}
	whole := p.Composed["recording"]
	if math.Abs(whole.Epsilon/any.Epsilon-120) > 1e-9 || whole.Unit != dp.Recording {
		t.Errorf("recording: %v", whole)
	}
	m.Radius, m.Windows = 5000, 0
	p = m.Plan()
	if p.Composed["window-any"].Epsilon != 3 || len(p.Composed) != 1 {
		t.Errorf("a radius beyond the screen: %v", p.Composed)
	}
}

func TestRadiusRules(t *testing.T) {
	m := DPGazeSynth{Epsilon: 1, Area: Area{Width: 2560, Height: 1440}, Grid: 60, RadiusRule: RadiusEq8}
	if g := m.Guarantee(); g.Radius != 4 {
		t.Errorf("eq. 8 gives %v px", g.Radius)
	}
	m.RadiusRule = RadiusTable2
	if g := m.Guarantee(); g.Radius != 72 {
		t.Errorf("Table 2 gives %v px", g.Radius)
	}
}

func TestPrintedIsVoid(t *testing.T) {
	m := DPGazeSynth{Epsilon: 1, Area: Area{Width: 100, Height: 100}, Radius: 5, Rate: 83, Published: true}
	p := m.Plan()
	why, void := p.Guarantee.Void()
	if !void || !strings.Contains(why, "run lengths") || !strings.Contains(why, "each move") || p.Calibration != mechanism.Published {
		t.Errorf("%v", p.Guarantee)
	}
	if p.Parameters["samples"] != "42" {
		t.Errorf("W = %s", p.Parameters["samples"])
	}
	if _, err := m.Device(); err == nil {
		t.Error("the corrected device takes the published calibration")
	}
}

// TestLevelsFollowTheTotal, and the budget: the noise of a count falls with both.
func TestLevelsFollowTheTotal(t *testing.T) {
	for _, c := range []struct {
		total   int
		epsilon float64
		grid    int
		want    []int
	}{
		{0, 30, 30, []int{1}}, {99_999, 3, 30, []int{1}}, {1_000_000, 3, 30, []int{1}}, {4_000_000, 3, 30, []int{1, 3}}, {40_000_000, 3, 30, []int{1, 3, 10}},
		{100_000, 15, 30, []int{1, 3}}, {1_000_000, 15, 30, []int{1, 3, 10}}, {10_000_000, 15, 30, []int{1, 3, 10, 30}}, {10_000_000, 15, 4, []int{1, 3}},
	} {
		r, err := DPGazeSynth{Epsilon: c.epsilon, Area: Area{Width: 100, Height: 100}, Radius: 5, Total: c.total, Grid: c.grid}.resolve()
		if err != nil || !slices.Equal(r.Levels, c.want) {
			t.Errorf("%+v: %v, %v", c, r.Levels, err)
		}
	}
}

// TestWindowShorterThanASample: as printed it is refused, since no sample can be
// divided among runs.
func TestWindowShorterThanASample(t *testing.T) {
	m := DPGazeSynth{Epsilon: 1, Area: Area{Width: 100, Height: 100}, Radius: 5, Rate: 83, Window: time.Millisecond}
	if err := m.Check(); err != nil {
		t.Error(err)
	}
	m.Published = true
	if err := m.Check(); err == nil || !strings.Contains(err.Error(), "window") {
		t.Errorf("%v", err)
	}
}

// TestWhatIsCheckedCanBeBuilt: at the edges of what Check takes, devices exist.
func TestWhatIsCheckedCanBeBuilt(t *testing.T) {
	for _, epsilon := range []float64{5e-5, 1e-3, 30} {
		for _, radius := range []float64{100. / 65536, 1000} {
			for _, printed := range []bool{false, true} {
				for _, rate := range []float64{1, 1e5} {
					m := DPGazeSynth{Epsilon: epsilon, Area: Area{Width: 100, Height: 50}, Radius: radius, Rate: gaze.Hertz(rate), Published: printed, Grid: 3}
					if m.Check() != nil {
						continue
					}
					var err error
					if printed {
						_, err = m.PrintedDevice()
					} else {
						_, err = m.Device()
					}
					if err != nil {
						t.Errorf("ε = %v, r = %v, printed %v, %v Hz: %v", epsilon, radius, printed, rate, err)
					}
				}
			}
		}
	}
}
