package synth

import (
	"errors"
	"math"

	"github.com/gazeward/gazeward/mechanism/synth/oracle"
)

// Curator adds up reports. It needs no trust: all it sees may be published. It is
// not safe for concurrent use.
type Curator struct {
	*resolved
	rate    float64 // of the noise of first positions
	starts  *binned
	answers [questions]oracle.Tally
	moves   []oracle.Tally // by level
	levels  []raster
	cells   raster
	Reports int
}

// Curator prepares the part that collects.
func (m DPGazeSynth) Curator() (*Curator, error) {
	d, err := m.Device()
	if err != nil {
		return nil, err
	}
	return d.curator(), nil
}

// curator is the one for this device's reports.
func (d *Device) curator() *Curator {
	c := &Curator{resolved: d.resolved, rate: d.starts.rate, starts: newBinned(&d.Area), levels: d.levels, cells: d.cells}
	for q, o := range d.questions {
		c.answers[q] = o.Tally()
	}
	for _, o := range d.moves {
		c.moves = append(c.moves, o.Tally())
	}
	return c
}

var errReport = errors.New("synth: malformed report")

// Add counts a report. One that no device sends is refused and counts nothing.
func (c *Curator) Add(r Report) error {
	z := point{r.Start[0], r.Start[1]}
	if int(r.Question) >= questions || r.Level < 0 || r.Level >= len(c.moves) || math.IsNaN(z.x+z.y) || math.IsInf(z.x+z.y, 0) {
		return errReport
	}
	answer, move := c.answers[r.Question], c.moves[r.Level]
	if !answer.Takes(r.Answer) || !move.Takes(r.Move) {
		return errReport
	}
	c.starts.add(z)
	c.Reports++
	return errors.Join(answer.Add(r.Answer), move.Add(r.Move))
}

// Model is what a curator makes of all reports: laws, all of them shrunk towards
// public ones by the known noise of the reports. Without reports it is those.
type Model struct {
	area       Area
	perDegree  float64
	rate       float64
	density    []float64 // on the fine raster
	amplitudes amplitudeLaw
	rests      rests
	moves      *Moves
}

// Model estimates.
func (c *Curator) Model() *Model {
	m := &Model{area: c.Area, perDegree: c.PerDegree, rate: c.rate, density: c.starts.estimate(c.rate)}
	m.rests = newRests(c.answers[HowMany].Estimate(), c.Window.Seconds())
	m.amplitudes = newAmplitudes(c.answers[HowLarge].Estimate())
	var told []oracle.Estimate
	for _, t := range c.moves {
		told = append(told, t.Estimate())
	}
	m.moves = newMoves(c.cells, c.levels, told, m.density)
	return m
}

// Density is where gaze is, as shares of 60 × 60 cells of the area, row by row.
func (m *Model) Density() []float64 { return m.density }

// Moves is how gaze moves between neighbouring cells.
func (m *Model) Moves() *Moves { return m.moves }
