package main

import (
	"testing"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism/all"
)

// TestWithModel: a family and a model of trust name one mechanism.
func TestWithModel(t *testing.T) {
	for _, c := range [][3]string{
		{"population", "central", "population-central"}, {"population", "local", "population-local"},
		{"synthesis/population", "central", "population-central"}, {"population-local", "central", "population-central"},
		{"population-local", "", "population-local"}, {"other", "", "other"},
	} {
		if got := withModel(c[0], c[1]); got != c[2] {
			t.Errorf("%s with model %q is %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// TestFillScreen: a typed screen clamps gaze paths, but no sphere, and no other
// product.
func TestFillScreen(t *testing.T) {
	s := gaze.Screen{Width: 2560, Height: 1440}
	for _, c := range []struct {
		product, surface, width, want string
	}{{"gaze", "", "", "2560"}, {"gaze", "", "100", "100"}, {"gaze", "sphere", "", ""}, {"heatmap", "", "", ""}} {
		spec, err := all.ByName(c.product, "")
		if err != nil {
			t.Fatal(err)
		}
		values := map[string]string{}
		for name, v := range map[string]string{"surface": c.surface, "width": c.width} {
			if v != "" {
				values[name] = v
			}
		}
		if fillScreen(spec, values, s); values["width"] != c.want {
			t.Errorf("%+v: width %q", c, values["width"])
		}
	}
}
