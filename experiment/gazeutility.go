package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"sync"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/metric"
	"github.com/gazeward/gazeward/noise"
)

// GazeEntry is one way of making gaze paths, made for the data: one line of the
// table.
type GazeEntry struct {
	Mechanism   string // kaleido, or the name of a control
	Calibration string // published, guaranteed; empty for controls
	Variant     string // what else tells it apart: an aim, clamped or not
	Epsilon     float64
	Radius      float64 // px; 0 = it has none
	Percent     float64 // Radius over the smaller side of the screen
	Guarantee   string
	Unit, Model string // of the guarantee: what is compared may protect different things
	// Nobody says that recordings are of nobody, so that there is no position to
	// compare with.
	Nobody  bool
	Protect func(pieces gaze.Seq, src *noise.Source) (gaze.Seq, error)
}

func (e *GazeEntry) key() string {
	return fmt.Sprintf("%s %s %s r=%g ε=%g", e.Mechanism, e.Calibration, e.Variant, e.Radius, e.Epsilon)
}

// GazeUtility measures what gaze paths are worth, all mechanisms on the same
// recordings: the position error of Ren et al. 2024, equation 15, as printed and
// with the mean, and the divergence of density, durations and amplitudes.
type GazeUtility struct {
	Entries         []GazeEntry
	Recordings      []*gaze.Recording // px from the top left corner of one screen
	Width, Height   float64           // px
	PixelsPerDegree float64
	Draws           int
	Work            Work
	// Settings are what the entries were built with beside what their names say: a
	// journal of other settings, or of other recordings, is refused.
	Settings map[string]string

	truth *metric.Paths
	mu    sync.Mutex // of truth: comparing ends its events
}

// GazeRow is one line of the table; figures are over draws, nil where there is
// nothing to compare.
type GazeRow struct {
	Mechanism   string   `json:"mechanism"`
	Calibration string   `json:"calibration,omitempty"`
	Variant     string   `json:"variant,omitempty"`
	Epsilon     *float64 `json:"epsilon"`
	Radius      *float64 `json:"radius_px"`
	Draws       int      `json:"draws"`
	RMSE        *Spread  `json:"rmse"`     // px: mean over recordings of √(mean of squared distances)
	RMSESum     *Spread  `json:"rmse_sum"` // px: the same as printed, √(sum of squared distances)
	Density     *Spread  `json:"density"`  // JSD in bits on 60 × 60 cells
	Duration    *Spread  `json:"duration"`
	Amplitude   *Spread  `json:"amplitude"`
	Fixations   *Spread  `json:"fixations"` // as many as there were = 1
	Saccades    *Spread  `json:"saccades"`
	Off         *Spread  `json:"off_screen"` // share of samples; left out of the density
	Unit        string   `json:"unit,omitempty"`
	Model       string   `json:"model,omitempty"`
	Guarantee   string   `json:"guarantee,omitempty"`
	// Paper holds what the paper printed for this mechanism, radius and ε, on other
	// data.
	Paper []PaperGaze `json:"paper,omitempty"`
}

// gazeCell is what one draw gives.
type gazeCell struct {
	RMSE, Sum, Density, Duration, Amplitude *float64
	Fixations, Saccades, Off                *float64
}

// SplitHalf is the control that compares one random half of the people with the
// other: nothing below it matters.
const SplitHalf = "split-half"

// Run fills the table: the floor first, then the entries in order.
func (e *GazeUtility) Run(ctx context.Context) ([]GazeRow, error) {
	if err := e.prepare(); err != nil {
		return nil, err
	}
	cells := []Cell[gazeCell]{}
	add := func(key string, run func(*noise.Source) (gazeCell, error)) {
		for d := range e.Draws {
			cells = append(cells, Cell[gazeCell]{fmt.Sprintf("%s draw %d", key, d), func(_ context.Context, src *noise.Source) (gazeCell, error) { return run(src) }})
		}
	}
	add(SplitHalf, e.splitHalf)
	for _, entry := range e.Entries {
		add(entry.key(), func(src *noise.Source) (gazeCell, error) { return e.draw(&entry, src) })
	}
	e.Work.Config = e.config()
	results, err := Do(ctx, e.Work, cells)
	if err != nil {
		return nil, err
	}
	drawn := func(key string) (out []gazeCell) {
		for d := range e.Draws {
			out = append(out, results[fmt.Sprintf("%s draw %d", key, d)])
		}
		return out
	}
	floor := GazeEntry{Mechanism: SplitHalf}
	rows := []GazeRow{floor.row(drawn(SplitHalf))}
	for _, entry := range e.Entries {
		rows = append(rows, entry.row(drawn(entry.key())))
	}
	return rows, nil
}

// config is what the figures depend on, for the journal. More draws go on with
// those that are there.
func (e *GazeUtility) config() any {
	h := sha256.New()
	for _, r := range e.Recordings {
		fmt.Fprintln(h, r.Header)
		for i, t := range r.Samples.T {
			fmt.Fprint(h, int64(t), " ")
			for _, track := range r.Samples.Tracks {
				if track.Present() {
					fmt.Fprint(h, track.X[i], " ", track.Y[i], " ")
				}
			}
		}
	}
	return struct {
		Width, Height, PixelsPerDegree float64
		Settings                       map[string]string
		Recordings                     string
	}{e.Width, e.Height, e.PixelsPerDegree, e.Settings, hex.EncodeToString(h.Sum(nil))}
}

// Total is the number of draws.
func (e *GazeUtility) Total() int { return (len(e.Entries) + 1) * e.Draws }

func (e *GazeUtility) prepare() error {
	if len(e.Recordings) == 0 || e.Draws < 1 {
		return errors.New("experiment: want at least one recording and one draw")
	}
	seen := map[string]bool{}
	for _, entry := range e.Entries {
		if seen[entry.key()] {
			return fmt.Errorf("experiment: %s is asked for twice", entry.key())
		}
		seen[entry.key()] = true
	}
	var err error
	e.truth, err = e.tally(sequenceOf(e.Recordings), nil)
	return err
}

// sequenceOf yields recordings that are kept.
func sequenceOf(all []*gaze.Recording) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// tally gathers recordings and passes each on.
func (e *GazeUtility) tally(pieces gaze.Seq, each func(i int, r *gaze.Recording)) (*metric.Paths, error) {
	p, i := &metric.Paths{Width: e.Width, Height: e.Height, PixelsPerDegree: e.PixelsPerDegree}, 0
	for r, err := range gaze.Join(pieces) {
		if err == nil {
			err = p.Add(r)
		}
		if err != nil {
			return nil, err
		}
		if each != nil {
			each(i, r)
		}
		i++
	}
	p.Flush()
	return p, nil
}

// draw is one release, compared.
func (e *GazeUtility) draw(entry *GazeEntry, src *noise.Source) (gazeCell, error) {
	pieces, err := entry.Protect(sequenceOf(e.Recordings), src)
	if err != nil {
		return gazeCell{}, err
	}
	var sum, mean float64
	compared := 0
	p, err := e.tally(pieces, func(i int, r *gaze.Recording) {
		if entry.Nobody || i >= len(e.Recordings) {
			return
		}
		if s, m, err := metric.PathRMSE(e.Recordings[i], r); err == nil {
			sum, mean, compared = sum+s, mean+m, compared+1
		}
	})
	if err != nil {
		return gazeCell{}, err
	}
	c := e.compare(e.truth, p)
	if n := float64(compared); compared > 0 {
		sum, mean = sum/n, mean/n
		c.Sum, c.RMSE = &sum, &mean
	}
	return c, nil
}

// compare ends the events of both.
func (e *GazeUtility) compare(truth, p *metric.Paths) gazeCell {
	e.mu.Lock()
	defer e.mu.Unlock()
	d := truth.Compare(p)
	over := func(a, b int) *float64 {
		if b == 0 {
			return nil
		}
		v := float64(a) / float64(b)
		return &v
	}
	// Sets of paths may have different lengths: events are counted per sample.
	per := func(a, b int) *float64 {
		v := over(a, b)
		if v != nil && p.Samples > 0 {
			*v *= float64(truth.Samples) / float64(p.Samples)
		}
		return v
	}
	return gazeCell{
		Density: d.Density, Duration: d.Duration, Amplitude: d.Amplitude,
		Fixations: per(p.Fixations, truth.Fixations), Saccades: per(p.Saccades, truth.Saccades), Off: over(p.Off, p.Samples),
	}
}

// splitHalf compares random halves of the people.
func (e *GazeUtility) splitHalf(src *noise.Source) (gazeCell, error) {
	var people []string
	known := map[string]int{}
	for _, r := range e.Recordings {
		if _, ok := known[r.Participant]; !ok {
			known[r.Participant] = 0
			people = append(people, r.Participant)
		}
	}
	for k, i := range src.Perm(len(people)) {
		known[people[i]] = k % 2
	}
	var halves [2][]*gaze.Recording
	for _, r := range e.Recordings {
		h := known[r.Participant]
		halves[h] = append(halves[h], r)
	}
	a, err := e.tally(sequenceOf(halves[0]), nil)
	if err != nil || len(halves[1]) == 0 {
		return gazeCell{}, err // one person has no halves
	}
	b, err := e.tally(sequenceOf(halves[1]), nil)
	if err != nil {
		return gazeCell{}, err
	}
	return e.compare(a, b), nil
}

func (e *GazeEntry) row(cells []gazeCell) GazeRow {
	over := func(of func(*gazeCell) *float64) *Spread {
		var v []float64
		for i := range cells {
			if x := of(&cells[i]); x != nil {
				v = append(v, *x)
			}
		}
		if v == nil {
			return nil
		}
		s := spread(v)
		return &s
	}
	r := GazeRow{
		Mechanism: e.Mechanism, Calibration: e.Calibration, Variant: e.Variant, Draws: len(cells),
		RMSE: over(func(c *gazeCell) *float64 { return c.RMSE }), RMSESum: over(func(c *gazeCell) *float64 { return c.Sum }),
		Density: over(func(c *gazeCell) *float64 { return c.Density }), Duration: over(func(c *gazeCell) *float64 { return c.Duration }),
		Amplitude: over(func(c *gazeCell) *float64 { return c.Amplitude }), Fixations: over(func(c *gazeCell) *float64 { return c.Fixations }),
		Saccades: over(func(c *gazeCell) *float64 { return c.Saccades }), Off: over(func(c *gazeCell) *float64 { return c.Off }),
		Unit: e.Unit, Model: e.Model, Guarantee: e.Guarantee,
	}
	if e.Calibration != mechanism.Guaranteed { // the paper has no such mechanism
		r.Paper = PaperGazeOf(e.Mechanism, e.Percent, e.Epsilon)
	}
	if e.Epsilon > 0 {
		r.Epsilon = &e.Epsilon
	}
	if e.Radius > 0 {
		r.Radius = &e.Radius
	}
	return r
}
