package synth

import (
	"cmp"
	"errors"
	"math"
	"slices"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism/synth/oracle"
	"github.com/gazeward/gazeward/noise"
)

// PrintedReport is what the device of Ren et al. 2024 tells of a window. It has
// as many runs and moves as the window: that is its fault.
type PrintedReport struct {
	Start [2]float64 // first position with planar Laplace noise
	Runs  []int      // samples per cell visited, with noise, brought to the window's number of samples
	Moves [][]uint64 // one report of optimised unary encoding for every move, at ε₃/(W−1)
}

// PrintedDevice is the device as printed.
type PrintedDevice struct {
	*resolved
	cells  raster
	starts starts
	runs   *noise.Sampler // in 2^-10 of a sample
	moves  *oracle.OUE
}

const runSteps = 1 << 10

// PrintedDevice prepares the device of the published calibration.
func (m DPGazeSynth) PrintedDevice() (*PrintedDevice, error) {
	m.Published = true
	r, err := m.resolve()
	if err != nil {
		return nil, err
	}
	d := &PrintedDevice{resolved: r, cells: r.Area.raster(r.Grid)}
	if d.starts, err = newStarts(r.epsilons[0], r.Radius); err != nil {
		return nil, err
	}
	if d.runs, err = noise.NewLaplace(r.runScale()); err != nil {
		return nil, err
	}
	d.moves, err = oracle.NewOUE(d.cells.len()*directions, r.moveEpsilon())
	return d, err
}

// Window reports a window; false when no sample of it has a position.
func (d *PrintedDevice) Window(s []Sample, src *noise.Source) (PrintedReport, bool) {
	var moves [][]uint64
	r, ok := d.tell(s, src, func(words []uint64) { moves = append(moves, slices.Clone(words)) })
	r.Moves = moves
	return r, ok
}

// tell calls f with the report of every move; the words are used again.
func (d *PrintedDevice) tell(s []Sample, src *noise.Source, f func([]uint64)) (r PrintedReport, ok bool) {
	first, ok := firstPosition(s)
	if !ok {
		return r, false
	}
	z := d.starts.draw(d.Area.place(first.X, first.Y), src)
	r.Start = [2]float64{z.x, z.y}
	lengths := d.lengths(s)
	for i := range lengths {
		lengths[i] += float64(d.runs.Draw(src)) / runSteps
	}
	r.Runs = share(lengths, len(s))
	words := make([]uint64, d.moves.Words())
	visit(d.cells, &d.Area, s, func(m move) {
		d.moves.Perturb(words, m.from*directions+m.direction, src)
		f(words)
	})
	return r, true
}

// lengths are how many samples in a row lie in one cell; lost ones count to the
// cell before.
func (d *PrintedDevice) lengths(s []Sample) (out []float64) {
	last := -1
	for _, p := range s {
		if !gaze.Lost(p.X, p.Y) {
			if c := d.cells.cell(d.Area.place(p.X, p.Y)); c != last {
				out, last = append(out, 0), c
			}
		}
		if last >= 0 {
			out[len(out)-1]++
		}
	}
	return out
}

// share brings noisy lengths to whole numbers that sum to total: negative ones
// are nothing, and what is left over goes to the largest remainders.
func share(v []float64, total int) []int {
	for i := range v {
		v[i] = math.Max(v[i], 0)
	}
	normalise(v)
	out, left, order := make([]int, len(v)), total, make([]int, len(v))
	for i := range v {
		v[i] *= float64(total)
		out[i], order[i] = int(v[i]), i
		left -= out[i]
		v[i] -= math.Floor(v[i])
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(v[b], v[a]) })
	for i := 0; left > 0; i++ {
		out[order[i%len(order)]]++
		left--
	}
	return out
}

// PrintedCurator is the curator as printed.
type PrintedCurator struct {
	*resolved
	cells raster
	moves oracle.Tally
}

// PrintedCurator prepares the curator of the published calibration.
func (m DPGazeSynth) PrintedCurator() (*PrintedCurator, error) {
	d, err := m.PrintedDevice()
	if err != nil {
		return nil, err
	}
	return d.curator(), nil
}

func (d *PrintedDevice) curator() *PrintedCurator {
	return &PrintedCurator{d.resolved, d.cells, d.moves.Tally()}
}

// Add counts the moves of a report.
func (c *PrintedCurator) Add(r PrintedReport) error {
	var errs []error
	for _, m := range r.Moves {
		errs = append(errs, c.moves.Add(m))
	}
	return errors.Join(errs...)
}

// Moves is the model as printed: negative counts are nothing, rows are brought to
// the sum one, and are uniform where nothing is left. What was noise becomes
// certainty that way.
func (c *PrintedCurator) Moves() *Moves {
	counts := c.moves.Estimate().Counts
	m := &Moves{cells: c.cells, level: c.cells}
	for cell := range c.cells.len() {
		row := make([]float64, directions)
		for d := range row {
			if _, ok := c.cells.step(cell, d); ok {
				row[d] = math.Max(counts[cell*directions+d], 0)
			}
		}
		normalise(row)
		m.laws = append(m.laws, moveLaws{row, row})
	}
	return m
}

// print is Protect as printed.
func (m DPGazeSynth) print(pieces gaze.Seq, src *noise.Source) (gaze.Seq, error) {
	d, err := m.PrintedDevice()
	if err != nil {
		return nil, err
	}
	c := d.curator()
	var all []outline
	p := &printer{resolved: d.resolved, cells: d.cells, src: src}
	err = eachWindow(&d.resolved.DPGazeSynth, pieces, &all, func(s []Sample, w *windowed) (err error) {
		r, ok := d.tell(s, src, func(words []uint64) {
			if err == nil {
				err = c.moves.Add(words)
			}
		})
		if ok {
			w.report = &Report{Start: r.Start}
			p.runs = append(p.runs, r.Runs)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	p.model = c.Moves()
	return func(yield func(*gaze.Recording, error) bool) {
		again := *p
		drawAll(all, &d.Area, &again, yield)
	}, nil
}

// printer draws paths as printed. It is told of stretches in the order in which
// their windows were reported.
type printer struct {
	*resolved
	cells raster
	model *Moves
	src   *noise.Source
	runs  [][]int
}

// paint is Algorithm 1 of the paper: from the noisy start, for every run, a random
// neighbour and a random point in it, held as long as the run.
func (p *printer) paint(c *canvas, windows []windowed) {
	for _, w := range windows {
		z := w.start()
		inside := p.Area.clamp(z)
		off := point{}
		if p.Unclamped {
			off = point{z.x - inside.x, z.y - inside.y}
		}
		cell, i := p.cells.cell(inside), w.from
		for k, length := range p.runs[0] {
			if k > 0 {
				cell = p.step(cell)
			}
			at := p.cells.at(cell, p.src.Float64(), p.src.Float64())
			for range length {
				c.x[i], c.y[i] = at.x+off.x, at.y+off.y
				i++
			}
		}
		p.runs = p.runs[1:]
	}
}

// step goes to a random neighbour; on a grid of one cell there is none.
func (p *printer) step(cell int) int {
	row := p.model.Row(cell)
	u := p.src.Float64()
	for d, share := range row {
		if u -= share; u < 0 {
			cell, _ = p.cells.step(cell, d)
			return cell
		}
	}
	return cell
}
