package report

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestResampleKeepsWhatItShould: a constant stays, a linear ramp stays linear
// inside, nothing leaves the range of the cells, and one cell per pixel is a
// copy.
func TestResampleKeepsWhatItShould(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(1, 20).Draw(t, "cols"), rapid.IntRange(1, 20).Draw(t, "rows")
		width, height := rapid.IntRange(1, 90).Draw(t, "width"), rapid.IntRange(1, 90).Draw(t, "height")
		cell := rapid.Float64Range(0.1, 50).Draw(t, "cell")
		across := axisTaps(cols, cell, width, float64(width)/(float64(cols)*cell))
		down := axisTaps(rows, cell, height, float64(height)/(float64(rows)*cell))
		values := rapid.SliceOfN(rapid.Float64Range(-1, 1), cols*rows, cols*rows).Draw(t, "values")
		low, high := rangeOf(values)
		for _, v := range resample(values, across, down, cols) {
			if !(v >= low && v <= high) {
				t.Fatalf("%v lies outside of [%v, %v]", v, low, high)
			}
		}
		for i := range values {
			values[i] = 0.7
		}
		for _, v := range resample(values, across, down, cols) {
			if math.Abs(v-0.7) > 1e-9 {
				t.Fatalf("a constant of 0.7 became %v", v)
			}
		}
	})
	ramp := make([]float64, 12)
	for i := range ramp {
		ramp[i] = float64(i)
	}
	fine := resample(ramp, axisTaps(12, 5, 120, 2), axisTaps(1, 5, 1, 0.2), 12)
	for x := 20; x < 100; x++ {
		if want := (float64(x)+0.5)/10 - 0.5; math.Abs(fine[x]-want) > 1e-9 {
			t.Errorf("pixel %d of a ramp is %v, want %v", x, fine[x], want)
		}
	}
	for i, v := range resample(ramp, axisTaps(12, 5, 12, 0.2), axisTaps(1, 5, 1, 0.2), 12) {
		if math.Abs(v-ramp[i]) > 1e-12 {
			t.Errorf("cell %d became %v", i, v)
		}
	}
}

// TestResampleAverages: where many cells fall into one pixel, none is lost.
func TestResampleAverages(t *testing.T) {
	values := make([]float64, 1000)
	values[100], values[500], values[800] = -1, 1, 2
	var sum float64
	for _, v := range resample(values, axisTaps(1000, 1, 50, 0.05), axisTaps(1, 1, 1, 1), 1000) {
		sum += v
	}
	if math.Abs(sum-0.1) > 1e-3 { // 1000 cells become 50 pixels
		t.Errorf("the sum is %v, want about 0.1", sum)
	}
}

func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		high := math.Pow(10, rapid.Float64Range(-299, 299).Draw(t, "exponent"))
		low := rapid.SampledFrom([]float64{0, -0.3, -1, -20}).Draw(t, "low") * high
		s := newScale(low, high, 6)
		ticks := s.ticks()
		if len(ticks) < 3 || len(ticks) > 8 {
			t.Fatalf("%d ticks from %v to %v", len(ticks), low, high)
		}
		seen := map[string]bool{}
		for _, v := range ticks {
			text := s.number(v)
			if v < low-1e-9*(high-low) || v > high+1e-9*(high-low) || seen[text] || len([]rune(text)) > 8 {
				t.Fatalf("tick %v is written %q; range %v to %v", v, text, low, high)
			}
			seen[text] = true
			back, err := strconv.ParseFloat(strings.Replace(text, "−", "-", 1), 64)
			if want := v / math.Pow(10, float64(s.power)); err != nil || math.Abs(back-want) > 1e-6*math.Abs(s.step/math.Pow(10, float64(s.power))) {
				t.Fatalf("%q does not read as %v", text, want)
			}
		}
	})
	for _, c := range []struct {
		high float64
		unit string
		last string
	}{{3e-5, "10⁻⁵ s", "3.0"}, {0.5, "s", "0.5"}, {12000, "s", "12000"}, {2e6, "10⁶ s", "2.0"}, {0, "s", "1.0"}} {
		s := newScale(0, c.high, 6)
		if ticks := s.ticks(); s.unit("s") != c.unit || s.number(ticks[len(ticks)-1]) != c.last {
			t.Errorf("up to %v: unit %q, last %q; want %q and %q", c.high, s.unit("s"), s.number(ticks[len(ticks)-1]), c.unit, c.last)
		}
	}
}

// luminance is relative luminance of sRGB (IEC 61966-2-1).
func luminance(r *ramp, i int) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.04045 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(r[i].R) + 0.7152*linear(r[i].G) + 0.0722*linear(r[i].B)
}

// TestPalettes: lightness of the perceptual maps rises evenly, so that more
// looks like more; all maps start and end where they are known to.
func TestPalettes(t *testing.T) {
	lightness := func(y float64) float64 { // CIE 1976
		if y <= 216.0/24389 {
			return y * 24389 / 27
		}
		return 116*math.Cbrt(y) - 16
	}
	for _, name := range []string{Viridis, Inferno} {
		r, err := newRamp(name)
		if err != nil {
			t.Fatal(err)
		}
		const steps = 16
		first, last := lightness(luminance(r, 0)), lightness(luminance(r, len(r)-1))
		for k := range steps {
			rise := lightness(luminance(r, (k+1)*(len(r)-1)/steps)) - lightness(luminance(r, k*(len(r)-1)/steps))
			if even := (last - first) / steps; rise < 0.4*even || rise > 1.9*even {
				t.Errorf("%s: step %d of %d adds %.1f of lightness, an even one %.1f", name, k, steps, rise, even)
			}
		}
	}
	for name, ends := range map[string][2][3]uint8{
		Viridis: {{68, 1, 84}, {253, 231, 37}}, Inferno: {{0, 0, 4}, {252, 255, 164}}, Turbo: {{48, 18, 59}, {122, 4, 3}},
	} {
		r, _ := newRamp(name)
		for i, at := range []int{0, len(r) - 1} {
			got := r[at]
			for k, v := range []uint8{got.R, got.G, got.B} {
				if math.Abs(float64(v)-float64(ends[i][k])) > 12 {
					t.Errorf("%s ends in %v, want about %v", name, got, ends[i])
				}
			}
		}
	}
	if _, err := newRamp("jet"); err == nil {
		t.Error("an unknown colour map: want an error")
	}
}

func TestWrap(t *testing.T) {
	styles, err := newStyles()
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("abcW iä日·-\n"))).Draw(t, "text")
		width := rapid.IntRange(1, 300).Draw(t, "width")
		lines := styles.text.wrap(text, width)
		if squeeze(strings.Join(lines, "")) != squeeze(text) {
			t.Fatalf("%q became %q", text, lines)
		}
		for _, line := range lines {
			if styles.text.width(line) > width && len([]rune(line)) > 1 {
				t.Fatalf("%q is %d px wide, more than %d", line, styles.text.width(line), width)
			}
		}
	})
}
