package anonymity

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// TaskMarginals releases paths of nobody: every parameter of every event is
// drawn by itself from the histogram of that parameter over all people of the
// same task, so that what depends on what is lost (David-John et al. 2022). The
// histograms are exact.
type TaskMarginals struct {
	Bins       int // of every histogram; default 30
	Recordings int // released per task; default as many as were given
	Detection
}

const whyMarginals = "task-based marginals are not differential privacy: the histograms are exact, and who knows the others subtracts them"

// Statement implements [Mechanism].
func (m TaskMarginals) Statement() Statement {
	return Statement{Kind: "independent marginals", Among: "the events of everybody with the same task"}
}

func (m *TaskMarginals) defaults() {
	if m.Bins == 0 {
		m.Bins = 30
	}
}

const mostRecordings = 1 << 20

// Check reports parameters that make no mechanism.
func (m TaskMarginals) Check() error {
	m.defaults()
	switch {
	case m.Bins < 1 || m.Bins > 1<<16:
		return fmt.Errorf("anonymity: bins must lie in 1 to 65536, got %d", m.Bins)
	case m.Recordings < 0 || m.Recordings > mostRecordings:
		return fmt.Errorf("anonymity: recordings must lie in 0 to %d, got %d", mostRecordings, m.Recordings)
	}
	return m.check()
}

// Guarantee is void: nothing is promised.
func (m TaskMarginals) Guarantee() dp.Guarantee { return none(whyMarginals) }

// Plan implements [mechanism.Mechanism].
func (m TaskMarginals) Plan() mechanism.Plan {
	m.defaults()
	return planOf(m, "gaze/task-marginals", m.parameters(map[string]string{"bins": strconv.Itoa(m.Bins), "recordings": strconv.Itoa(m.Recordings)}))
}

// Protect implements [mechanism.Paths].
func (m TaskMarginals) Protect(pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	if err := m.Check(); err != nil {
		return nil, err
	}
	m.defaults()
	all, err := collect(pieces)
	if err != nil {
		return nil, err
	}
	var paths []path
	for _, set := range tasks(all) {
		if err := alike(set); err != nil {
			return nil, err
		}
		model, err := m.learn(set)
		if err != nil {
			return nil, err
		}
		for range cmp.Or(m.Recordings, len(set)) {
			h := set[0].Header
			h.Session, h.Trial = "", ""
			h.Participant = fmt.Sprintf("synthetic-%d", len(paths)+1)
			paths = append(paths, path{h, render(model.draw(src), model.surface, set[0].period, src), set[0].period})
		}
	}
	return release(m.Plan(), src, paths, true), nil
}

// tasks are the recordings by task, or by stimulus where no task is stated.
func tasks(all []record) (out [][]record) {
	index := map[string]int{}
	for _, r := range all {
		name := cmp.Or(r.Task, r.Stimulus, r.Trial)
		at, known := index[name]
		if !known {
			at = len(out)
			index[name] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], r)
	}
	return out
}

// marginals are one histogram per parameter.
type marginals struct {
	surface  surface
	fixation [fixationDims]histogram
	move     [moveDims]histogram
	seconds  histogram // of fixations in a recording
}

func (m *TaskMarginals) learn(set []record) (*marginals, error) {
	out := &marginals{surface: surfaceOf(&set[0].Header)}
	var fixation [fixationDims][]float64
	var way [moveDims][]float64
	var total []float64
	for i := range set {
		all, err := events(&set[i], m.Detection)
		if err != nil {
			return nil, fmt.Errorf("anonymity: events: %w", err)
		}
		sum := 0.0
		for j := range all {
			sum += all[j].seconds
			for d, v := range all[j].fixation() {
				fixation[d] = append(fixation[d], v)
			}
			if all[j].move.seen() {
				v := all[j].move.vector()
				for d := range way {
					way[d] = append(way[d], v[d])
				}
			}
		}
		total = append(total, sum)
	}
	if len(fixation[0]) == 0 {
		return nil, errNoEvents
	}
	for d := range fixation {
		out.fixation[d] = count(fixation[d], m.Bins)
	}
	for d := range way {
		out.move[d] = count(way[d], m.Bins)
	}
	out.seconds = count(total, m.Bins)
	return out, nil
}

// draw makes the events of one recording.
func (m *marginals) draw(src *noise.Source) (out []event) {
	length := m.seconds.draw(src)
	for sum := 0.0; sum < length || len(out) == 0; sum += out[len(out)-1].seconds {
		var f vector
		for d := range m.fixation {
			f[d] = m.fixation[d].draw(src)
		}
		e := event{seconds: math.Exp(f[0]), dx: math.Exp(f[3]), dy: math.Exp(f[4])}
		e.x, e.y = m.surface.place(f[1], f[2], 0, 0)
		if m.move[0].total > 0 {
			e.move = move{seconds: math.Exp(m.move[0].draw(src)), b: m.move[1].draw(src), c: math.Exp(m.move[2].draw(src))}
		}
		out = append(out, e)
	}
	return out
}

// histogram has bins of equal width from the least to the greatest value.
type histogram struct {
	lo, width float64
	counts    []int
	total     int
}

func count(values []float64, bins int) histogram {
	if len(values) == 0 {
		return histogram{}
	}
	h := histogram{lo: slices.Min(values), counts: make([]int, bins), total: len(values)}
	h.width = (slices.Max(values) - h.lo) / float64(bins)
	for _, v := range values {
		at := 0
		if h.width > 0 {
			at = min(bins-1, int((v-h.lo)/h.width))
		}
		h.counts[at]++
	}
	return h
}

// draw takes a bin by its count and a value evenly from it.
func (h *histogram) draw(src *noise.Source) float64 {
	left := src.IntN(h.total)
	for i, c := range h.counts {
		if left -= c; left < 0 {
			return h.lo + (float64(i)+src.Float64())*h.width
		}
	}
	return h.lo
}
