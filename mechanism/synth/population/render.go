package population

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// Public habits of nobody in particular: those of simulated viewers.
const (
	driftSpread = 0.06  // deg
	tremor      = 0.008 // deg per coordinate and sample
	blinkMean   = 170 * time.Millisecond
)

// pieceLength is the number of samples of a piece.
const pieceLength = 4096

// Generator makes nobody's gaze from a model. It is safe for concurrent use
// once made.
type Generator struct {
	model     *Model
	output    Output
	chain     *chain
	durations *weighted // per fine bin
	blinks    float64   // probability that a time between saccades ends with a blink
}

// Generate makes a generator, fitted by simulation, and yields its recordings.
// They start again, with the same samples, whenever they are iterated.
func (m *Model) Generate(o Output, src *noise.Source) (gaze.Seq, error) {
	g, err := m.Generator(o, src)
	if err != nil {
		return nil, err
	}
	return g.Recordings(src), nil
}

// Recordings yields the output's recordings of subjects that are numbered. The
// randomness is post-processing: it hides nothing, so that a stretched seed
// serves.
func (g *Generator) Recordings(src *noise.Source) gaze.Seq {
	seed := src.Uint64()
	return func(yield func(*gaze.Recording, error) bool) {
		digits := len(fmt.Sprint(g.output.Recordings))
		for i := range g.output.Recordings {
			r := g.begin(fmt.Sprintf("S%0*d", max(digits, 4), i+1), noise.Seeded(seed+uint64(i)))
			if !r.run(yield) {
				return
			}
		}
	}
}

// rendering is one recording as it is made.
type rendering struct {
	*Generator
	chain      chain // its own scratch
	src        *noise.Source
	drift      simulate.Drift
	perDegree  float64
	at, from   point         // of the fixation or where the saccade lands; where it took off
	offset     point         // by drift, in px
	start, end time.Duration // of the movement at hand
	state      movement
	piece      gaze.Recording
}

type movement uint8

const (
	fixating movement = iota
	flying
	blinking
)

func (g *Generator) begin(name string, src *noise.Source) *rendering {
	r := &rendering{Generator: g, chain: *g.chain, src: src, perDegree: g.model.Shape.PixelsPerDegree}
	r.drift = simulate.NewDrift(driftSpread*r.perDegree, g.output.Rate)
	r.at = r.chain.anywhere(src)
	r.end = r.hold()
	r.piece.Header = gaze.Header{
		Participant: name, Rate: g.output.Rate, Unit: gaze.Pixels, Frame: gaze.OnScreen, Screen: g.model.Shape.output(), Format: "synthetic",
	}
	return r
}

// hold draws the time until the next saccade or blink.
func (g *Generator) holdFrom(src *noise.Source) time.Duration {
	i := float64(g.durations.draw(src)) + src.Float64()
	s := shortestRun * math.Pow(longestRun/shortestRun, i/float64(len(g.durations.weight)))
	return time.Duration(s * float64(time.Second))
}

func (r *rendering) hold() time.Duration { return r.holdFrom(r.src) }

// run yields the pieces; false when the consumer has had enough.
func (r *rendering) run(yield func(*gaze.Recording, error) bool) bool {
	step := float64(time.Second) / float64(r.output.Rate)
	track := &r.piece.Samples.Tracks[gaze.Cyclopean]
	track.X, track.Y = make([]float64, 0, pieceLength), make([]float64, 0, pieceLength)
	for i := 0; ; i++ {
		t := time.Duration(math.Round(float64(i) * step))
		if t >= r.output.Length {
			break
		}
		x, y := r.sample(t)
		r.piece.Samples.T = append(r.piece.Samples.T, t)
		track.X, track.Y = append(track.X, x), append(track.Y, y)
		if len(track.X) == pieceLength && !r.pass(yield) {
			return false
		}
	}
	return len(track.X) == 0 || r.pass(yield)
}

func (r *rendering) pass(yield func(*gaze.Recording, error) bool) bool {
	ok := yield(&r.piece, nil)
	r.piece.Continues = true
	s := &r.piece.Samples
	t := &s.Tracks[gaze.Cyclopean]
	s.T, t.X, t.Y = s.T[:0], t.X[:0], t.Y[:0]
	return ok
}

// sample is where gaze is at a time, NaN while the eyes are shut.
func (r *rendering) sample(t time.Duration) (x, y float64) {
	for t >= r.end {
		r.turn()
	}
	dx, dy := r.drift.Step(r.src)
	p := r.at
	if r.state == fixating {
		r.offset = point{dx, dy}
	}
	switch r.state {
	case blinking:
		return math.NaN(), math.NaN()
	case flying:
		f := simulate.MinimumJerk(float64(t-r.start) / float64(r.end-r.start))
		p = point{r.from.x + f*(r.at.x-r.from.x), r.from.y + f*(r.at.y-r.from.y)}
		dx, dy = 0, 0
	}
	shake := tremor * r.perDegree
	return p.x + dx + shake*r.src.NormFloat64(), p.y + dy + shake*r.src.NormFloat64()
}

// turn ends the movement at hand and begins the next.
func (r *rendering) turn() {
	r.start = r.end
	switch {
	case r.state != fixating:
		r.state, r.end = fixating, r.end+r.hold()
		r.drift.Reset()
	case r.src.Float64() < r.blinks:
		r.state, r.end = blinking, r.end+simulate.BlinkDuration(blinkMean, r.src)
	default:
		r.from = point{r.at.x + r.offset.x, r.at.y + r.offset.y}
		r.at = r.chain.next(r.at, r.src).at
		r.state, r.end = flying, r.end+max(flight(math.Hypot(r.at.x-r.from.x, r.at.y-r.from.y)/r.perDegree), time.Microsecond)
	}
}

// Rounds of fitting what a detector sees in rendered gaze.
const (
	renderRounds     = 3
	renderRecordings = 40
	renderLength     = 30 * time.Second
)

// Generator makes a generator for the model: potentials are fitted to the
// density and the jumps, then to what the detector sees in rendered gaze.
func (m *Model) Generator(o Output, src *noise.Source) (*Generator, error) {
	o, err := o.withDefaults(1)
	if err != nil {
		return nil, err
	}
	g := &Generator{model: m, output: o, chain: newChain(m, src), durations: newWeighted(interpolate(m.Durations))}
	g.chain.fit(src)
	g.blinks = min(0.5, max(o.BlinksPerMinute, 0)/60*(m.meanDuration()+flight(4).Seconds()))
	for range renderRounds {
		if err := g.refit(src); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// refit renders some recordings, looks at them as at any others, and corrects
// what the detector saw too often or too seldom.
func (g *Generator) refit(src *noise.Source) error {
	trial := *g
	trial.output.Recordings, trial.output.Length = renderRecordings, renderLength
	seen, err := Gather(g.model.Shape, trial.Recordings(src))
	if err != nil {
		return err
	}
	s := &g.model.Shape
	got, steps := make([]float64, s.Durations), make([]float64, s.steps())
	for _, p := range seen.People {
		for i, v := range p.durations {
			got[i] += v
		}
		for i, v := range p.steps {
			steps[i] += v
		}
	}
	factor := slices.Repeat([]float64{1}, s.Durations)
	correct(factor, g.model.Durations, got, 0.8)
	for i := range g.durations.weight {
		g.durations.weight[i] *= factor[i/finer]
	}
	g.durations.sum()
	g.refitAmplitudes(steps)
	visits, _ := g.chain.run(g.model.meanDuration(), src)
	g.chain.correctPlaces(visits)
	return nil
}

// refitAmplitudes corrects amplitudes whatever their direction: few jumps are
// seen, and what detection loses depends on their size alone.
func (g *Generator) refitAmplitudes(steps []float64) {
	s := &g.model.Shape
	want, got := make([]float64, s.Amplitudes), make([]float64, s.Amplitudes)
	for i, v := range steps {
		got[i/s.Directions] += v
		want[i/s.Directions] += g.model.Steps[i]
	}
	factor := slices.Repeat([]float64{1}, s.Amplitudes)
	correct(factor, want, got, 0.8)
	for i := range g.chain.ratio {
		g.chain.ratio[i] *= factor[i/s.Directions]
	}
}
