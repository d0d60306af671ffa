package detect_test

import (
	"errors"
	"math"
	"testing"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/gaze/gazetest"
)

func TestSightKnowsRightAndUp(t *testing.T) {
	low := screen()
	low.Origin = gaze.BottomLeft
	for name, c := range map[string]struct {
		header    gaze.Header
		perDegree float64
		x, y, up  float64 // what is added to x and y; where it lies
	}{
		"screen, from the top":      {gaze.Header{Unit: gaze.Pixels, Screen: screen()}, 0, 10, 10, -1},
		"screen, from the bottom":   {gaze.Header{Unit: gaze.Pixels, Screen: low}, 0, 10, 10, 1},
		"explicit, from the top":    {gaze.Header{Unit: gaze.Pixels, Screen: screen()}, 40, 10, 10, -1},
		"explicit, from the bottom": {gaze.Header{Unit: gaze.Pixels, Screen: low}, 40, 10, 10, 1},
		"explicit, share of screen": {gaze.Header{Unit: gaze.Normalized, Screen: low}, 40, 0.01, 0.01, 1},
		"degrees from the middle":   {gaze.Header{Unit: gaze.Degrees, Screen: gaze.Screen{Origin: gaze.Center}}, 0, 1, 1, 1},
		"directions":                {gaze.Header{Unit: gaze.Degrees, Frame: gaze.InWorld}, 0, 1, 1, 1},
	} {
		s, err := detect.NewSight(&c.header, c.perDegree)
		if err != nil {
			t.Fatal(name, err)
		}
		a, _ := s.At(0.4, 0.4)
		b, ok := s.At(0.4+c.x, 0.4+c.y)
		x0, y0 := s.Degrees(a)
		x1, y1 := s.Degrees(b)
		if !ok || !(x1 > x0) || !((y1-y0)*c.up > 0) {
			t.Errorf("%s: from %v, %v to %v, %v", name, x0, y0, x1, y1)
		}
		if d := s.Angle(a, b); math.Abs(d-math.Hypot(x1-x0, y1-y0)) > 0.02*d {
			t.Errorf("%s: %v deg apart, but %v, %v and %v, %v", name, d, x0, y0, x1, y1)
		}
		if s.AllAround() != (name == "directions") {
			t.Errorf("%s: all around is %v", name, s.AllAround())
		}
	}
}

func TestSightRefuses(t *testing.T) {
	if _, err := detect.NewSight(&gaze.Header{Unit: gaze.Pixels}, 0); !errors.Is(err, gaze.ErrNoGeometry) {
		t.Error(err)
	}
	if _, err := detect.NewSight(&gaze.Header{Unit: gaze.Pixels}, math.NaN()); err == nil {
		t.Error("no error for a scale that is no number")
	}
	s, err := detect.NewSight(&gazetest.People(1)[0].Header, 0)
	if _, ok := s.At(math.NaN(), 1); ok || err != nil {
		t.Error("a lost position has a point", err)
	}
}
