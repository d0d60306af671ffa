package studio

import (
	"bytes"
	"image/png"
	"net/url"
	"slices"
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
