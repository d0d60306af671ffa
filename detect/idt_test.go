package detect_test

import (
	"testing"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/simulate"
)

func TestDispersion(t *testing.T) {
	r := recording(100, step{300, 300, 30}, step{310, 305, 30}, step{700, 300, 30})
	fix, err := detect.IDT{Dispersion: 1, MinDuration: 100 * ms}.Fixations(r)
	if err != nil || len(fix) != 2 || fix[0].Duration != 590*ms || fix[0].X != 305 || fix[1].Start != 600*ms {
		t.Errorf("%+v, %v", fix, err)
	}
	// Width plus height are 15 px = 0.4 deg at the centre.
	fix, err = detect.IDT{Dispersion: 0.3, MinDuration: 100 * ms}.Fixations(r)
	if err != nil || len(fix) != 3 {
		t.Errorf("%+v, %v", fix, err)
	}
	if fix, _ := (detect.IDT{Dispersion: 1, MinDuration: 700 * ms}).Fixations(r); len(fix) != 0 {
		t.Errorf("too short: %+v", fix)
	}
}

func TestDispersionOnTheSphere(t *testing.T) {
	r := recording(100, step{179.8, 60, 20}, step{-179.8, 60, 20}, step{-175, 60, 20})
	r.Unit, r.Frame = gaze.Degrees, gaze.InWorld
	fix, err := detect.IDT{Dispersion: 0.3, MinDuration: 100 * ms}.Fixations(r) // 0.4 deg of yaw at 60 deg span 0.2
	if err != nil || len(fix) != 2 || fix[0].Duration != 390*ms {
		t.Errorf("%+v, %v", fix, err)
	}
}

// Both algorithms find the planned fixations; dispersion is the coarser one.
func TestDispersionFindsPlannedFixations(t *testing.T) {
	planned, found := 0, 0
	for _, r := range simulated(t, simulate.ShopWindow(), 250, 4) {
		fix, err := detect.IDT{Dispersion: 1, MinDuration: 80 * ms}.Fixations(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range r.Fixations {
			if p.Duration < 120*ms || !whole(r, p.Start, p.Duration) {
				continue
			}
			planned++
			f, _ := nearest(fix, p.Start, func(f gaze.Fixation) time.Duration { return f.Start })
			if (f.Start - p.Start).Abs() < 40*ms {
				found++
			}
		}
	}
	if planned < 100 || found*100 < planned*90 {
		t.Errorf("%d of %d planned fixations found", found, planned)
	}
}
