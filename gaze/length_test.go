package gaze_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
)

func TestParseLength(t *testing.T) {
	for in, want := range map[string]gaze.Length{
		"50px":    {Value: 50, Unit: gaze.LengthPixels},
		" 2deg ":  {Value: 2, Unit: gaze.LengthDegrees},
		"0.5 deg": {Value: 0.5, Unit: gaze.LengthDegrees},
		"5%":      {Value: 5, Unit: gaze.LengthPercent},
		"1e2px":   {Value: 100, Unit: gaze.LengthPixels},
	} {
		if got, err := gaze.ParseLength(in); err != nil || got != want {
			t.Errorf("%q: got %v, %v", in, got, err)
		}
	}
	for _, in := range []string{"", "50", "px", "-3px", "0deg", "NaNpx", "Infpx", "1e999px", "2 cm", "2deg2", "%", "a%"} {
		if got, err := gaze.ParseLength(in); err == nil {
			t.Errorf("%q: got %v without an error", in, got)
		} else if !strings.HasPrefix(err.Error(), "gaze: ") {
			t.Errorf("%q: error %q does not say where it comes from", in, err)
		}
	}
}

func TestLengthRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := gaze.Length{
			Value: rapid.Float64Range(1e-300, 1e300).Draw(t, "value"),
			Unit:  rapid.SampledFrom([]gaze.LengthUnit{gaze.LengthPixels, gaze.LengthDegrees, gaze.LengthPercent}).Draw(t, "unit"),
		}
		got, err := gaze.ParseLength(want.String())
		if err != nil || got != want {
			t.Fatalf("%v came back as %v, %v", want, got, err)
		}
	})
}

func TestLengthPixels(t *testing.T) {
	s := lab(gaze.TopLeft)
	perDegree, _ := s.PixelsPerDegree()
	for _, c := range []struct {
		length string
		want   float64
	}{{"24px", 24}, {"2deg", 2 * perDegree}, {"5%", 54}} {
		l, err := gaze.ParseLength(c.length)
		if err != nil {
			t.Fatal(err)
		}
		got, err := l.Pixels(s)
		if err != nil {
			t.Fatal(err)
		}
		near(t, c.length, got, c.want, 1e-12)
	}
	portrait := gaze.Screen{Width: 600, Height: 800}
	if got, err := (gaze.Length{Value: 10, Unit: gaze.LengthPercent}).Pixels(portrait); err != nil || got != 60 {
		t.Errorf("10 %% of the smaller side: %v, %v", got, err)
	}
	if _, err := (gaze.Length{Value: 1, Unit: gaze.LengthDegrees}).Pixels(portrait); !errors.Is(err, gaze.ErrNoGeometry) {
		t.Errorf("degrees without geometry: %v", err)
	}
	if _, err := (gaze.Length{Value: 1, Unit: gaze.LengthPercent}).Pixels(gaze.Screen{}); err == nil {
		t.Error("a percentage of nothing has no error")
	}
	if got, err := (gaze.Length{Value: 7, Unit: gaze.LengthPixels}).Pixels(gaze.Screen{}); err != nil || got != 7 {
		t.Errorf("px need no screen: %v, %v", got, err)
	}
}

func FuzzParseLength(f *testing.F) {
	for _, s := range []string{"50px", "2deg", "5%", "", "deg", "1e308px", "0x1p-3deg", "١px"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		l, err := gaze.ParseLength(s)
		if err != nil {
			return
		}
		if !(l.Value > 0) || math.IsInf(l.Value, 0) {
			t.Errorf("%q: length %v", s, l)
		}
		if again, err := gaze.ParseLength(l.String()); err != nil || again != l {
			t.Errorf("%q: %v came back as %v, %v", s, l, again, err)
		}
	})
}
