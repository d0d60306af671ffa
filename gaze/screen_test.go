package gaze_test

import (
	"errors"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
)

func lab(o gaze.Origin) gaze.Screen {
	return gaze.Screen{Width: 1920, Height: 1080, WidthCm: 53.1, HeightCm: 29.9, DistanceCm: 60, Origin: o}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestToTopLeftPixels(t *testing.T) {
	deg := 180 / math.Pi
	halfWidth := deg * math.Atan(53.1/2/60)
	halfHeight := deg * math.Atan(29.9/2/60)
	panorama := gaze.Screen{Width: 3600, Height: 1800, FieldWidthDeg: 360, FieldHeightDeg: 180, Origin: gaze.Center}
	for _, c := range []struct {
		name         string
		screen       gaze.Screen
		unit         gaze.Unit
		x, y         float64
		wantX, wantY float64
	}{
		{"px", lab(gaze.TopLeft), gaze.Pixels, 3, 4, 3, 4},
		{"px of a screen of unknown size", gaze.Screen{}, gaze.Pixels, 3, 4, 3, 4},
		{"px from the bottom", lab(gaze.BottomLeft), gaze.Pixels, 3, 4, 3, 1076},
		{"px from the centre, y up", lab(gaze.Center), gaze.Pixels, 10, 20, 970, 520},
		{"share of the screen", lab(gaze.TopLeft), gaze.Normalized, 0.25, 0.5, 480, 540},
		{"share from the bottom", lab(gaze.BottomLeft), gaze.Normalized, 0.25, 0.25, 480, 810},
		{"mm", lab(gaze.TopLeft), gaze.Millimetres, 531, 299, 1920, 1080},
		{"mm from the centre", lab(gaze.Center), gaze.Millimetres, -265.5, 149.5, 0, 0},
		{"deg at the centre", lab(gaze.Center), gaze.Degrees, 0, 0, 960, 540},
		{"deg at the edge", lab(gaze.Center), gaze.Degrees, halfWidth, halfHeight, 1920, 0},
		{"rad at the edge", lab(gaze.Center), gaze.Radians, -halfWidth / deg, -halfHeight / deg, 0, 1080},
		{"10 deg span more than 10 × 1 deg", lab(gaze.Center), gaze.Degrees, 10, 0, 960 + 60*math.Tan(10/deg)*1920/53.1, 540},
		{"deg from the left edge to the right", lab(gaze.TopLeft), gaze.Degrees, 2 * halfWidth, 2 * halfHeight, 1920, 1080},
		{"deg from the corner to the centre", lab(gaze.BottomLeft), gaze.Degrees, halfWidth, halfHeight, 960, 540},
		{"yaw and pitch", panorama, gaze.Degrees, 90, 45, 2700, 450},
		{"yaw and pitch in rad", panorama, gaze.Radians, -math.Pi, -math.Pi / 2, 0, 1800},
	} {
		x, y, err := c.screen.ToTopLeftPixels(c.x, c.y, c.unit)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		near(t, c.name+": x", x, c.wantX, 1e-9)
		near(t, c.name+": y", y, c.wantY, 1e-9)
	}
}

func TestDegreesThatMeetNoScreenAreNotOnIt(t *testing.T) {
	for _, origin := range []gaze.Origin{gaze.TopLeft, gaze.BottomLeft, gaze.Center} {
		for _, angle := range []float64{120, 181, -120, 300} {
			x, y, err := lab(origin).ToTopLeftPixels(angle, 0, gaze.Degrees)
			if err != nil || !math.IsInf(x, 0) || lab(origin).Contains(x, y) {
				t.Errorf("%v, %v deg: got %v, %v, %v", origin, angle, x, y, err)
			}
		}
	}
}

func TestConversionsRefuseToGuess(t *testing.T) {
	sized := gaze.Screen{Width: 800, Height: 600}
	for name, c := range map[string]struct {
		screen gaze.Screen
		unit   gaze.Unit
	}{
		"deg without centimetres": {sized, gaze.Degrees},
		"deg without distance":    {gaze.Screen{Width: 800, Height: 600, WidthCm: 40, HeightCm: 30}, gaze.Degrees},
		"rad without size":        {gaze.Screen{WidthCm: 40, HeightCm: 30, DistanceCm: 60}, gaze.Radians},
		"mm without centimetres":  {sized, gaze.Millimetres},
		"share of unknown size":   {gaze.Screen{}, gaze.Normalized},
		"centre of unknown size":  {gaze.Screen{Origin: gaze.Center}, gaze.Pixels},
		"no such unit":            {lab(gaze.TopLeft), gaze.Unit(99)},
	} {
		if _, _, err := c.screen.ToTopLeftPixels(1, 1, c.unit); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := sized.PixelsPerDegree(); !errors.Is(err, gaze.ErrNoGeometry) {
		t.Errorf("pixels per degree without geometry: %v", err)
	}
	if _, _, err := sized.ToTopLeftPixels(1, 1, gaze.Degrees); !errors.Is(err, gaze.ErrNoGeometry) {
		t.Errorf("degrees without geometry: %v", err)
	}
}

func TestPixelsPerDegree(t *testing.T) {
	got, err := lab(gaze.TopLeft).PixelsPerDegree()
	if err != nil {
		t.Fatal(err)
	}
	near(t, "px per degree", got, 2*60*math.Tan(0.5*math.Pi/180)*1920/53.1, 1e-12)
	got, err = gaze.Screen{Width: 1600, Height: 1200, FieldWidthDeg: 80}.PixelsPerDegree()
	if err != nil || got != 20 {
		t.Errorf("scene camera: %v, %v", got, err)
	}
}

func TestContains(t *testing.T) {
	s := gaze.Screen{Width: 800, Height: 600}
	for _, c := range []struct {
		x, y float64
		want bool
	}{
		{0, 0, true}, {799.99, 599.99, true}, {800, 10, false}, {10, 600, false}, {-0.001, 10, false},
		{math.NaN(), 10, false}, {10, math.NaN(), false}, {math.Inf(1), 10, false}, {math.Inf(-1), 10, false},
	} {
		if s.Contains(c.x, c.y) != c.want {
			t.Errorf("Contains(%v, %v) is %v", c.x, c.y, !c.want)
		}
	}
}

// A plane's point converted to an angle by trigonometry comes back, whatever
// the origin: the conversion is the inverse of looking.
func TestAnglesAreLinesOfSight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := gaze.Screen{
			Width: rapid.IntRange(1, 10000).Draw(t, "width"), Height: rapid.IntRange(1, 10000).Draw(t, "height"),
			WidthCm: rapid.Float64Range(1, 500).Draw(t, "cm"), HeightCm: rapid.Float64Range(1, 500).Draw(t, "cm"),
			DistanceCm: rapid.Float64Range(5, 500).Draw(t, "distance"),
			Origin:     rapid.SampledFrom([]gaze.Origin{gaze.TopLeft, gaze.BottomLeft, gaze.Center}).Draw(t, "origin"),
		}
		px := rapid.Float64Range(0, 1).Draw(t, "x") * float64(s.Width)
		py := rapid.Float64Range(0, 1).Draw(t, "y") * float64(s.Height)
		sight := func(p, size, cm float64) float64 { return math.Atan((p/size - 0.5) * cm / s.DistanceCm) }
		x, y := sight(px, float64(s.Width), s.WidthCm), sight(py, float64(s.Height), s.HeightCm)
		switch s.Origin {
		case gaze.TopLeft:
			x, y = x-sight(0, 1, s.WidthCm), y-sight(0, 1, s.HeightCm)
		case gaze.BottomLeft:
			x, y = x-sight(0, 1, s.WidthCm), -y-sight(0, 1, s.HeightCm)
		case gaze.Center:
			y = -y
		}
		gotX, gotY, err := s.ToTopLeftPixels(x*180/math.Pi, y*180/math.Pi, gaze.Degrees)
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(gotX-px) > 1e-6 || math.Abs(gotY-py) > 1e-6 {
			t.Fatalf("(%v, %v) came back as (%v, %v)", px, py, gotX, gotY)
		}
	})
}

func TestLostStaysLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.SampledFrom([]gaze.Unit{gaze.UnitUnknown, gaze.Pixels, gaze.Degrees, gaze.Normalized, gaze.Radians,
			gaze.Millimetres}).Draw(t, "unit")
		origin := rapid.SampledFrom([]gaze.Origin{gaze.TopLeft, gaze.BottomLeft, gaze.Center}).Draw(t, "origin")
		other := rapid.Float64().Draw(t, "other")
		x, _, err := lab(origin).ToTopLeftPixels(math.NaN(), other, unit)
		if err != nil || !math.IsNaN(x) {
			t.Fatalf("NaN became %v, %v", x, err)
		}
		if !gaze.Lost(math.NaN(), other) || !gaze.Lost(other, math.NaN()) || !gaze.Lost(math.Inf(1), other) {
			t.Fatal("a position without two finite numbers is not called lost")
		}
	})
}
