package gaze_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/gazeward/gazeward/gaze"
)

func TestDirectionsOfTheAxes(t *testing.T) {
	for _, c := range []struct {
		name       string
		yaw, pitch float64
		want       gaze.Direction
	}{
		{"ahead", 0, 0, gaze.Direction{Z: 1}},
		{"right", 90, 0, gaze.Direction{X: 1}},
		{"left", -90, 0, gaze.Direction{X: -1}},
		{"up", 0, 90, gaze.Direction{Y: 1}},
		{"down", 0, -90, gaze.Direction{Y: -1}},
		{"behind", 180, 0, gaze.Direction{Z: -1}},
		{"up and right", 45, 45, gaze.Direction{X: 0.5, Y: math.Sqrt2 / 2, Z: 0.5}},
	} {
		d := gaze.DirectionOf(c.yaw, c.pitch)
		near(t, c.name+": x", d.X, c.want.X, 1e-15)
		near(t, c.name+": y", d.Y, c.want.Y, 1e-15)
		near(t, c.name+": z", d.Z, c.want.Z, 1e-15)
		yaw, pitch := c.want.Angles()
		near(t, c.name+": pitch", pitch, c.pitch, 1e-9)
		if math.Abs(c.pitch) < 90 {
			near(t, c.name+": yaw", yaw, c.yaw, 1e-9)
		}
	}
}

// draw draws an angle over the whole circle, often one that is special.
func draw(t *rapid.T, name string, most float64) float64 {
	if rapid.Bool().Draw(t, name+" special") {
		return most / 4 * float64(rapid.IntRange(-4, 4).Draw(t, name+" quarters"))
	}
	return rapid.Float64Range(-most, most).Draw(t, name)
}

func TestAnglesAndDirectionsAreInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		yaw, pitch := draw(t, "yaw", 179.9), draw(t, "pitch", 89.9)
		scale := rapid.SampledFrom([]float64{1, 1e-3, 1e200, 1e-200}).Draw(t, "length")
		d := gaze.DirectionOf(yaw, pitch)
		gotYaw, gotPitch := gaze.Direction{X: d.X * scale, Y: d.Y * scale, Z: d.Z * scale}.Angles()
		if !(math.Abs(gotYaw-yaw) < 1e-9) || !(math.Abs(gotPitch-pitch) < 1e-9) {
			t.Fatalf("%v, %v came back as %v, %v", yaw, pitch, gotYaw, gotPitch)
		}
	})
}

func TestNoDirection(t *testing.T) {
	for _, d := range []gaze.Direction{{}, {X: math.NaN(), Z: 1}, {Y: math.Inf(1)}, {Z: math.Inf(-1)}} {
		if yaw, pitch := d.Angles(); !math.IsNaN(yaw) || !math.IsNaN(pitch) {
			t.Errorf("%v has the angles %v, %v", d, yaw, pitch)
		}
		if a := d.AngleTo(gaze.Direction{Z: 1}); !math.IsNaN(a) {
			t.Errorf("%v is %v degrees from ahead", d, a)
		}
	}
	if yaw, _ := gaze.InWorldAngles(gaze.Quaternion(0, 0, 0, 0), 1, 2); !math.IsNaN(yaw) {
		t.Errorf("a head without orientation gives %v", yaw)
	}
}

func TestGreatCircle(t *testing.T) {
	for _, c := range []struct{ yaw1, pitch1, yaw2, pitch2, want float64 }{
		{0, 0, 90, 0, 90}, {10, 0, 10, 35, 35}, {0, 90, 120, 90, 0}, {0, 60, 180, 60, 60},
		{0, 0, 180, 0, 180}, {0, 0, 1e-7, 0, 1e-7}, {-170, 0, 170, 0, 20}, {0, 60, 90, 60, 41.40962210927086},
	} {
		near(t, "great circle", gaze.GreatCircle(c.yaw1, c.pitch1, c.yaw2, c.pitch2), c.want, 1e-13+1e-14*c.want)
	}
}

func TestGreatCircleIsADistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d [3]gaze.Direction
		for i := range d {
			d[i] = gaze.DirectionOf(draw(t, "yaw", 180), draw(t, "pitch", 90))
		}
		ab, bc, ac := d[0].AngleTo(d[1]), d[1].AngleTo(d[2]), d[0].AngleTo(d[2])
		if ba := d[1].AngleTo(d[0]); math.Abs(ab-ba) > 1e-9 || ab < 0 || ab > 180+1e-9 {
			t.Fatalf("%v there and %v back", ab, ba)
		}
		if ac > ab+bc+1e-9 {
			t.Fatalf("%v is more than %v + %v", ac, ab, bc)
		}
		head := gaze.HeadRotation(draw(t, "yaw", 180), draw(t, "pitch", 90), draw(t, "roll", 180))
		if turned := head.Turn(d[0]).AngleTo(head.Turn(d[1])); math.Abs(turned-ab) > 1e-9 {
			t.Fatalf("turning the head changes the angle %v to %v", ab, turned)
		}
	})
}

func TestHeadAndEyeCompose(t *testing.T) {
	for _, c := range []struct {
		name               string
		head               gaze.Rotation
		yaw, pitch         float64
		wantYaw, wantPitch float64
	}{
		{"still head", gaze.HeadRotation(0, 0, 0), 12, -7, 12, -7},
		{"turned head", gaze.HeadRotation(30, 0, 0), 12, -7, 42, -7},
		{"turned past the back", gaze.HeadRotation(170, 0, 0), 20, 0, -170, 0},
		{"raised head", gaze.HeadRotation(0, 20, 0), 0, 15, 0, 35},
		{"turned and raised head", gaze.HeadRotation(-50, 20, 0), 0, 0, -50, 20},
		{"tilted to the left, eye right", gaze.HeadRotation(0, 0, 90), 10, 0, 0, 10},
		{"quaternion about the vertical", gaze.Quaternion(2, 0, 2, 0), 5, 3, 95, 3},
	} {
		yaw, pitch := gaze.InWorldAngles(c.head, c.yaw, c.pitch)
		near(t, c.name+": yaw", yaw, c.wantYaw, 1e-9)
		near(t, c.name+": pitch", pitch, c.wantPitch, 1e-9)
	}
}

// A rotation and its inverse leave everything where it was, and an eye turned
// against the head keeps looking where it looked.
func TestInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		head := gaze.HeadRotation(draw(t, "yaw", 180), draw(t, "pitch", 90), draw(t, "roll", 180))
		d := gaze.DirectionOf(draw(t, "eye yaw", 180), draw(t, "eye pitch", 90))
		if back := head.Turn(head.Inverse().Turn(d)); back.AngleTo(d) > 1e-9 {
			t.Fatalf("%v came back as %v", d, back)
		}
	})
}

func TestWrapDegrees(t *testing.T) {
	for angle, want := range map[float64]float64{0: 0, 353.5: -6.5, 180: 180, -180: 180, 181: -179, -181: 179, 720: 0, 540: 180, -359: 1} {
		if got := gaze.WrapDegrees(angle); got != want {
			t.Errorf("%v is wrapped to %v, want %v", angle, got, want)
		}
	}
	if !math.IsNaN(gaze.WrapDegrees(math.NaN())) || !math.IsNaN(gaze.WrapDegrees(math.Inf(1))) {
		t.Error("what is no angle is wrapped to one")
	}
}

func TestTracksOfVectors(t *testing.T) {
	nan := math.NaN()
	track := gaze.Track{X: []float64{1, 0, 0, nan, 0.6, 1e-9, 2e9}, Y: []float64{0, 1, 0, 0, 0, 0, 0}}
	odd := track.ToAngles([]float64{0, 0, 0, 1, 0.6, 0, 1})
	for i, want := range [][2]float64{{90, 0}, {0, 90}, {nan, nan}, {nan, nan}, {45, 0}, {nan, nan}, {nan, nan}} {
		if x, y := track.X[i], track.Y[i]; math.IsNaN(want[0]) != math.IsNaN(x) || math.IsNaN(want[0]) != math.IsNaN(y) {
			t.Errorf("vector %d has the angles %v, %v, want %v", i, x, y, want)
		} else if !math.IsNaN(x) {
			near(t, "yaw", x, want[0], 1e-12)
			near(t, "pitch", y, want[1], 1e-12)
		}
	}
	if odd != 2 {
		t.Errorf("%d vectors are no unit vectors, want 2", odd)
	}
}

func TestUnityHead(t *testing.T) {
	s := gaze.UnityHead([]float64{10, 350}, []float64{350, 20}, []float64{1, 359})
	for i, want := range []gaze.Signal{
		{Name: "head_yaw", Unit: "deg", Values: []float64{-10, 20}},
		{Name: "head_pitch", Unit: "deg", Values: []float64{-10, 10}},
		{Name: "head_roll", Unit: "deg", Values: []float64{1, -1}},
	} {
		if s[i].Name != want.Name || s[i].Unit != want.Unit || s[i].Values[0] != want.Values[0] || s[i].Values[1] != want.Values[1] {
			t.Errorf("%+v, want %+v", s[i], want)
		}
	}
}
