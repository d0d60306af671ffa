package population

import (
	"math"
	"testing"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

var page = Shape{Screen: gaze.Screen{Width: 2560, Height: 1440}, PixelsPerDegree: 45}

// Published laws of reading can be lived on a page: forward and back add up to
// nothing. (The mean step of either kind is 2 deg and more.)
func TestReadersStayOnThePage(t *testing.T) {
	for name, p := range map[string]Prior{
		"a page": {Density: PriorLayout, Boxes: []Box{{800, 360, 840, 1060, 1}}, Laws: LawsReading},
		"narrow": {Density: PriorLayout, Boxes: []Box{{800, 360, 240, 1060, 1}, {1200, 360, 240, 1060, 3}}, Laws: LawsReading}, "unknown": {Laws: LawsReading}, "viewing": {},
	} {
		m, err := p.Model(page)
		if err != nil {
			t.Fatal(err)
		}
		s, dx, dy := &m.Shape, 0.0, 0.0
		for i, v := range m.Steps {
			deg := smallestJump * math.Pow(widest/smallestJump, (float64(i/s.Directions)+0.5)/float64(s.Amplitudes))
			angle := 2 * math.Pi * float64(i%s.Directions) / float64(s.Directions)
			dx, dy = dx+v*deg*math.Cos(angle), dy+v*deg*math.Sin(angle)
		}
		if math.Hypot(dx, dy) > 0.25 {
			t.Errorf("%s: the mean step is %.2f, %.2f deg", name, dx, dy)
		}
	}
}

// What is generated from a page's layout and the laws of reading stays where the
// layout is: 0.08 bits from it, half of which is scatter of so few recordings. Laws
// that moved on and on would pile up at the right edge.
func TestPriorOfAPage(t *testing.T) {
	m, err := Prior{Density: PriorLayout, Boxes: []Box{{800, 360, 840, 1060, 1}}, Laws: LawsReading}.Model(page)
	if err != nil {
		t.Fatal(err)
	}
	seq, err := m.Generate(Output{Rate: 60, Recordings: 60}, noise.Seeded(1))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Gather(m.Shape, seq)
	if err != nil {
		t.Fatal(err)
	}
	got := g.Laws()
	t.Logf("density %.4f, durations %.4f, amplitudes %.4f", divergence(m.Density, got.Density), divergence(m.Durations, got.Durations), divergence(amplitudes(m), amplitudes(got)))
	if d := divergence(m.Density, got.Density); d > 0.11 {
		t.Errorf("the density is %.3f bits from the layout", d)
	}
}
