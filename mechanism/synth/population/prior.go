package population

import (
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
)

// Priors of where people look, and how.
const (
	PriorUniform = "uniform" // everywhere alike
	PriorCentre  = "centre"  // about the screen's middle: free viewing of pictures (Clarke and Tatler 2014)
	PriorLayout  = "layout"  // inside Prior.Boxes, whose weights are per box

	LawsViewing = "viewing" // published laws of viewing pictures (Rayner 2009, Foulsham et al. 2008)
	LawsReading = "reading" // published laws of reading (Rayner 1998)
)

// Prior is what was known before: public, and never read off the data that are
// to be protected. The release leaves it where it can, so a fitting prior helps
// and a wrong one hardly harms.
type Prior struct {
	Density string // PriorUniform (default), PriorCentre or PriorLayout
	Boxes   []Box  // required with PriorLayout, and only then: a page's paragraphs, a picture's objects
	Laws    string // LawsViewing (default) or LawsReading: time between saccades, amplitudes and directions
}

// Box is a rectangle of the screen in px that draws a share of the looks in
// proportion to Weight.
type Box struct{ X, Y, Width, Height, Weight float64 }

// maxBoxes bounds a layout.
const maxBoxes = 10_000

// ParseBoxes reads boxes as x,y,width,height[,weight] in px, separated by
// semicolons or lines; lines that begin with a letter are headings. A box
// without a weight weighs as much as its area.
func ParseBoxes(text string) ([]Box, error) {
	var all []Box
	for i, line := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == '\n' || r == '\r' }) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] >= 'A' {
			continue
		}
		var v []float64
		for _, word := range strings.Split(line, ",") {
			x, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if err != nil || math.IsNaN(x) || math.Abs(x) > 1e9 {
				return nil, fmt.Errorf("population: layout: box %d: want x,y,width,height[,weight] in px", i+1)
			}
			v = append(v, x)
		}
		if len(v) == 4 {
			v = append(v, v[2]*v[3])
		}
		if len(v) != 5 || !(v[2] > 0 && v[3] > 0 && v[4] > 0) {
			return nil, fmt.Errorf("population: layout: box %d: want x,y,width,height[,weight], sizes and weight positive", i+1)
		}
		all = append(all, Box{v[0], v[1], v[2], v[3], v[4]})
	}
	if len(all) == 0 || len(all) > maxBoxes {
		return nil, fmt.Errorf("population: layout: want 1 to %d boxes, got %d", maxBoxes, len(all))
	}
	return all, nil
}

func (p Prior) withDefaults() Prior {
	if p.Density == "" {
		p.Density = PriorUniform
	}
	if p.Laws == "" {
		p.Laws = LawsViewing
	}
	return p
}

// name is the prior as it stands in a plan, a layout with its hash.
func (p Prior) name() string {
	p = p.withDefaults()
	name := p.Density
	if name == PriorLayout {
		hash := sha256.Sum256(fmt.Appendf(nil, "%v", p.Boxes))
		name += fmt.Sprintf(" of %d boxes, sha256 %x", len(p.Boxes), hash[:8])
	}
	return name + "; " + p.Laws
}

// laws are shares of looking, each part summing to one, without zeros.
type laws [nLaws][]float64

// stray is the share of each part that no prior denies to anything. A long time
// between saccades weighs as much as a hundred short ones in what is generated,
// so that little of it is enough.
var stray = [nLaws]float64{0.05, 1e-5, 0.005}

// laws are the prior's on a shape.
func (p Prior) laws(s *Shape) (*laws, error) {
	p = p.withDefaults()
	out := &laws{}
	switch p.Density {
	case PriorUniform:
		out[density] = make([]float64, s.cells())
	case PriorCentre:
		out[density] = centre(s)
	case PriorLayout:
		out[density] = layout(s, p.Boxes)
		if out[density] == nil {
			return nil, fmt.Errorf("population: layout: no box lies on the screen of %d × %d px", s.Screen.Width, s.Screen.Height)
		}
	default:
		return nil, fmt.Errorf("population: prior must be %s, %s or %s, got %.40q", PriorUniform, PriorCentre, PriorLayout, p.Density)
	}
	if p.Density != PriorLayout && len(p.Boxes) > 0 {
		return nil, fmt.Errorf("population: prior must be %s where a layout is given, got %q", PriorLayout, p.Density)
	}
	m, ok := published[p.Laws]
	if !ok {
		return nil, fmt.Errorf("population: laws must be %s or %s, got %.40q", LawsViewing, LawsReading, p.Laws)
	}
	out[durations] = m.durations(s)
	out[steps] = m.steps(s, p.line(s))
	for i := range out {
		smooth(out[i], stray[i])
	}
	return out, nil
}

// smooth mixes a law with the uniform one and lets it sum to one.
func smooth(p []float64, share float64) {
	total := floats.Sum(p)
	for i, v := range p {
		p[i] = share / float64(len(p))
		if total > 0 {
			p[i] += (1 - share) * v / total
		} else {
			p[i] = 1 / float64(len(p))
		}
	}
}

// centre is a Gaussian about the screen's middle with variances 0.22 and
// 0.45·0.22 of half the width, squared (Clarke and Tatler 2014).
func centre(s *Shape) []float64 {
	g := s.grid()
	out := make([]float64, s.cells())
	half := float64(s.Screen.Width) / 2
	for i := range out {
		x, y := g.Center(i)
		x, y = x/half-1, (y-float64(s.Screen.Height)/2)/half
		out[i] = math.Exp(-0.5 * (x*x + y*y/0.45) / 0.22)
	}
	return out
}

// layout spreads the boxes' weights over the cells they cover; nil where they
// cover none.
func layout(s *Shape, boxes []Box) []float64 {
	g := s.grid()
	out := make([]float64, s.cells())
	for _, b := range boxes {
		across := covered(b.X, b.X+b.Width, g.Cell, s.Columns)
		down := covered(b.Y, b.Y+b.Height, g.CellHeight, s.Rows)
		for y, v := range down {
			for x, u := range across {
				out[y*s.Columns+x] += b.Weight * u * v / (b.Width * b.Height)
			}
		}
	}
	if total := floats.Sum(out); !(total > 0) || math.IsInf(total, 0) {
		return nil
	}
	return out
}

// covered is the length of [from, to] in each of n cells.
func covered(from, to, cell float64, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		low := float64(i) * cell
		out[i] = max(0, min(to, low+cell)-max(from, low))
	}
	return out
}

// manner is how people look, in medians and standard deviations of logarithms.
type manner struct {
	duration, durationSpread float64 // s
	jumps                    func(line float64) []jumps
}

// jumps are saccades of one kind.
type jumps struct {
	share, amplitude, spread float64 // of all saccades; deg
	sectors                  func(angle float64) float64
}

// published laws in round numbers: means of 225 ms and 2 deg for reading (Rayner
// 1998, table 1), 300 ms and 4 deg for scenes (the same, and Rayner 2009); viewers
// more horizontally than vertically (Foulsham, Kingstone and Underwood 2008).
var published = map[string]manner{
	LawsViewing: {0.26, 0.55, func(float64) []jumps {
		return []jumps{{1, 2.8, 0.85, func(a float64) float64 { return 1 + 0.5*math.Cos(2*a) + 0.15*math.Cos(4*a) }}}
	}},
	LawsReading: {0.21, 0.5, readers},
}

// readers go forward along lines of a length in deg, one regression in seven, and
// sweeps back to the left: as many as bring back what the others have moved on.
// A law that moves on and on has no page that it could stay on.
func readers(line float64) []jumps {
	const regressions, strays = 0.13, 0.05
	forward := jumps{0, 1.9, 0.55, toward(0, 12)}
	back := jumps{regressions, 1.6, 0.7, toward(math.Pi, 12)}
	sweep := jumps{0, 0.9 * line, 0.25, toward(math.Pi, 60)}
	rest := 1 - regressions - strays
	sweep.share = max(0, (rest*forward.mean()-regressions*back.mean())/(forward.mean()+sweep.mean()))
	forward.share = rest - sweep.share
	return []jumps{forward, back, sweep, {strays, 1.9, 0.9, func(float64) float64 { return 1 }}}
}

// mean amplitude of a law.
func (j jumps) mean() float64 { return j.amplitude * math.Exp(j.spread*j.spread/2) }

// toward is von Mises' law about an angle.
func toward(angle, focus float64) func(float64) float64 {
	return func(a float64) float64 { return math.Exp(focus * (math.Cos(a-angle) - 1)) }
}

// Length of a line in deg: of a column of text that nothing is known of, and the
// least.
const (
	usualLine = 10.0
	leastLine = 3.0
)

// line is how long lines of text are: as wide as the boxes of a layout.
func (p Prior) line(s *Shape) float64 {
	width, weight := 0.0, 0.0
	for _, b := range p.Boxes {
		width, weight = width+b.Weight*b.Width, weight+b.Weight
	}
	screen := float64(s.Screen.Width) / s.PixelsPerDegree
	if weight == 0 {
		return max(min(usualLine, screen/2), leastLine)
	}
	return max(min(width/weight/s.PixelsPerDegree, screen), leastLine)
}

// interrupted is the share of times between saccades that losses and corrections
// cut to below a tenth of a second.
const interrupted = 0.03

func (m manner) durations(s *Shape) []float64 {
	out := logNormal(m.duration, m.durationSpread, shortestRun, longestRun, s.Durations)
	short := 0
	for short < len(out) && s.seconds(short) < 0.1 {
		short++
	}
	for i := range short {
		out[i] += interrupted / float64(short)
	}
	return out
}

func (m manner) steps(s *Shape, line float64) []float64 {
	out := make([]float64, s.steps())
	for _, j := range m.jumps(line) {
		amplitudes := logNormal(j.amplitude, j.spread, smallestJump, widest, s.Amplitudes)
		sectors := j.inSectors(s.Directions)
		for i := range out {
			out[i] += j.share * amplitudes[i/s.Directions] * sectors[i%s.Directions]
		}
	}
	return out
}

// inSectors are the shares of directions per sector.
func (j jumps) inSectors(n int) []float64 {
	const fine = 32 // angles per sector
	out := make([]float64, n)
	for i := range out {
		for k := range fine {
			out[i] += j.sectors(2 * math.Pi * (float64(i) + (float64(k)+0.5)/fine - 0.5) / float64(n))
		}
	}
	floats.Scale(1/floats.Sum(out), out)
	return out
}

// logNormal is the law's share of each logarithmic bin; what lies beyond is in
// the outermost.
func logNormal(median, spread, low, high float64, n int) []float64 {
	out := make([]float64, n)
	before := 0.0
	for i := range out {
		edge := math.Log(low) + math.Log(high/low)*float64(i+1)/float64(n)
		after := 0.5 * math.Erfc((math.Log(median)-edge)/(spread*math.Sqrt2))
		if i == n-1 {
			after = 1
		}
		out[i], before = after-before, after
	}
	return out
}
