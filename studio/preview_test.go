package studio

import (
	"bytes"
	"image/png"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gazeward/gazeward/curator"
	"github.com/gazeward/gazeward/mechanism/all"
)

// decoded is a side of a preview as a PNG.
func decoded(t *testing.T, p picture, err error) []byte {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := p.draw(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(b.Bytes())); err != nil {
		t.Fatal(err)
	}
	if p.alt == "" {
		t.Error("a picture without words for those who cannot see")
	}
	return b.Bytes()
}

// TestEveryMechanismHasAPreview: both sides, different from each other, and the
// same whenever they are asked for.
func TestEveryMechanismHasAPreview(t *testing.T) {
	s, err := New(Options{Home: curator.Home{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range all.Specs() {
		if !slices.Contains(curator.Products(), spec.Product()) {
			continue
		}
		t.Run(spec.Name, func(t *testing.T) {
			q := url.Values{"product": {spec.Product()}, "mechanism": {spec.Short()}}
			if spec.Product() == "heatmap" { // one number per pixel for some
				q.Set("width", "320")
				q.Set("height", "240")
			}
			c, err := s.choose(q)
			if err != nil {
				t.Fatal(err)
			}
			v := s.previews.of(spec.Product())
			if v == nil {
				t.Fatal("no preview")
			}
			if !v.sketches(c) && !patient {
				t.Skip("it learns from everybody: with -tags slow")
			}
			show := showOf(v, c, "")
			p, err := v.before(c, show)
			before := decoded(t, p, err)
			p, err = v.after(c, show, v.sketches(c))
			after := decoded(t, p, err)
			p, err = v.after(c, show, v.sketches(c))
			again := decoded(t, p, err)
			if bytes.Equal(before, after) && spec.Short() != "noise-free" {
				t.Error("the noise changes nothing")
			}
			if !bytes.Equal(after, again) {
				t.Error("the picture flickers: the same choice gives another one")
			}
		})
	}
}

// TestPreviewsFollowTheSlider: more ε, less noise; the same numbers otherwise.
func TestPreviewsFollowTheSlider(t *testing.T) {
	s, err := New(Options{Home: curator.Home{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	v := &heatView{&s.previews, &s.previews.heat}
	var last float64
	for i, epsilon := range []string{"0.2", "0.5", "1", "3", "10"} {
		c, err := s.choose(url.Values{"epsilon": {epsilon}, "width": {"640"}, "height": {"480"}, "picture": {"plain"}})
		if err != nil {
			t.Fatal(err)
		}
		m, err := v.mechanism(c)
		if err != nil {
			t.Fatal(err)
		}
		r, err := v.noisy(m, false)
		if err != nil {
			t.Fatal(err)
		}
		truth, err := v.truth(m)
		if err != nil {
			t.Fatal(err)
		}
		sum := 0.0
		for k, x := range r.Maps[0] {
			sum += (x - truth.Maps[0][k]) * (x - truth.Maps[0][k])
		}
		if i > 0 && sum >= last {
			t.Errorf("at ε = %s the squared error is %v, before it was %v", epsilon, sum, last)
		}
		last = sum
	}
}

// TestPreviewsOfDirections: around the head there is a preview too, with lengths
// in degrees, and the picture without noise is that of the scene as it is.
func TestPreviewsOfDirections(t *testing.T) {
	s, err := New(Options{Home: curator.Home{Dir: t.TempDir()}})
	if err != nil {
		t.Fatal(err)
	}
	v := s.previews.of("gaze")
	for _, name := range []string{"fixed", "kaleido", "jitter"} {
		plane, err := s.choose(url.Values{"product": {"gaze"}, "mechanism": {name}})
		if err != nil {
			t.Fatal(err)
		}
		c, err := s.choose(url.Values{"product": {"gaze"}, "mechanism": {name}, "surface": {"sphere"}, "width": {"1280"}, "radius": {plane.Values["radius"]}})
		if err != nil {
			t.Fatal(err)
		}
		if e := c.estimate(); e.Problem != nil {
			t.Errorf("%s: %s", name, e.Problem.What)
		}
		p, err := v.before(c, "")
		before := decoded(t, p, err)
		p, err = v.before(plane, "")
		if flat := decoded(t, p, err); !bytes.Equal(before, flat) {
			t.Errorf("%s: the same gaze looks otherwise as directions", name)
		}
		p, err = v.after(c, "", true)
		if after := decoded(t, p, err); bytes.Equal(before, after) {
			t.Errorf("%s: the noise changes nothing", name)
		}
	}
	c, err := s.choose(url.Values{"product": {"gaze"}, "mechanism": {"kaleido"}, "surface": {"sphere"}, "radius": {"50px"}})
	if err != nil {
		t.Fatal(err)
	}
	if e := c.estimate(); e.Problem == nil || !strings.Contains(e.Problem.Hint, "5deg") {
		t.Errorf("a radius in px around the head: %+v", e.Problem)
	}
}
