package experiment

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gazeward/gazeward/attack"
	"github.com/gazeward/gazeward/classify"
	"github.com/gazeward/gazeward/dp"
	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// Protected is one way of protecting gaze paths at one ε, made for the data.
type Protected struct {
	Name        string // kaleido
	Calibration string
	Epsilon     float64
	Mechanism   mechanism.Paths // nil = raw
	Synthetic   bool            // recordings of nobody: there is nobody to identify
}

func (p Protected) String() string {
	return fmt.Sprintf("%s %s ε=%g", p.Name, p.Calibration, p.Epsilon)
}

// Identification attacks protected gaze paths: the first half of every
// recording is protected in one release, of which the attacker learns people,
// and the second half in another, in which they are looked for. So references
// and probes share no noise, and the ceiling of PROOFS C9 binds where a claim
// covers a person. Attackers that know raw halves stand beside.
type Identification struct {
	Protected       []Protected
	Recordings      gaze.Seq // in px of one screen, or degrees; iterated again and again
	PixelsPerDegree float64
	Window, Step    time.Duration                     // of the features; default 10 s and 5 s
	Label           func(*gaze.Header) (string, bool) // a class of recordings to tell, as utility; nil = none
	// OwnClocks keeps every recording's time stamps. No mechanism protects them,
	// and a tracker's clock tells which recording it is: without this all
	// recordings have the sample interval of the first.
	OwnClocks bool
	Draws     int
	Work      Work

	period time.Duration
}

// IdentificationRow is one attack on one mechanism at one ε.
type IdentificationRow struct {
	Mechanism   string            `json:"mechanism"`
	Calibration string            `json:"calibration"`
	Epsilon     float64           `json:"epsilon"`
	Attack      string            `json:"attack"`
	Classifier  string            `json:"classifier"`
	Enrolled    string            `json:"enrolled"`
	Positions   bool              `json:"positions"`
	Rate        Spread            `json:"rate"`     // over draws
	Interval    classify.Interval `json:"interval"` // 95 %, people as trials
	Chance      float64           `json:"chance"`
	Majority    float64           `json:"majority"`
	F1          float64           `json:"f1"`
	People      int               `json:"people"`
	Ceiling     *float64          `json:"ceiling"` // of the claim, if it is one per person
	Verdict     string            `json:"verdict"`
	PerPerson   *PerPerson        `json:"per_person"`
	Guarantee   string            `json:"guarantee"`
	Printed     *float64          `json:"printed,omitempty"` // by a paper, on its data
}

// idCell is what one draw of one mechanism gives.
type idCell struct{ Attacks []attack.Result }

func (e *Identification) check() error {
	switch {
	case len(e.Protected) == 0 || e.Draws < 1:
		return errors.New("experiment: want at least one mechanism and one draw")
	case e.Recordings == nil:
		return errors.New("experiment: want recordings, got none")
	}
	if e.Window == 0 {
		e.Window = 10 * time.Second
	}
	if e.Step == 0 {
		e.Step = e.Window / 2
	}
	return e.features().Validate()
}

func (e *Identification) features() feature.Options {
	o := feature.Options{Window: e.Window, Step: e.Step, BlinkSource: feature.NoBlinks}.Resolved()
	o.Detector.PixelsPerDegree = e.PixelsPerDegree
	return o
}

// cells are the draws of everything that has people in it.
func (e *Identification) cells() []Cell[idCell] {
	var out []Cell[idCell]
	for _, p := range e.Protected {
		for d := range e.draws(p) {
			out = append(out, Cell[idCell]{e.key(p, d), func(ctx context.Context, src *noise.Source) (idCell, error) {
				return e.draw(ctx, p, src)
			}})
		}
	}
	return out
}

func (e *Identification) draws(p Protected) int {
	switch {
	case p.Synthetic:
		return 0
	case p.Mechanism == nil:
		return 1
	}
	return e.Draws
}

func (e *Identification) key(p Protected, draw int) string { return fmt.Sprintf("%v draw %d", p, draw) }

// Total is the number of cells.
func (e *Identification) Total() int { return len(e.cells()) }

// clock is the median sample interval of the first recording.
func (e *Identification) clock() (time.Duration, error) {
	for r, err := range gaze.Join(e.Recordings) {
		if err != nil {
			return 0, err
		}
		var steps []time.Duration
		for i := 1; i < r.Samples.Len(); i++ {
			steps = append(steps, r.Samples.T[i]-r.Samples.T[i-1])
		}
		if len(steps) > 0 {
			slices.Sort(steps)
			return max(1, steps[len(steps)/2]), nil
		}
	}
	return 0, errors.New("experiment: the recordings have no samples")
}

// half of every recording, by its own middle. With a period, its samples are
// that far apart.
func half(pieces gaze.Seq, second bool, period time.Duration) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for r, err := range gaze.Join(pieces) {
			if err != nil {
				yield(nil, err)
				return
			}
			n := r.Samples.Len()
			from, to := 0, n/2
			if second {
				from, to = n/2, n
			}
			part := &gaze.Recording{Header: r.Header}
			if to > from {
				start := r.Samples.T[from]
				for i, t := range r.Samples.T[from:to] {
					if t -= start; period > 0 {
						t = time.Duration(i) * period
					}
					part.Samples.T = append(part.Samples.T, t)
				}
			}
			for eye, t := range r.Samples.Tracks {
				if t.Present() {
					part.Samples.Tracks[eye] = gaze.Track{X: t.X[from:to], Y: t.Y[from:to]}
				}
			}
			if !yield(part, nil) {
				return
			}
		}
	}
}

// seen is what attackers see of one half of all recordings.
type seen struct {
	events  map[bool][]attack.Looker // with and without positions
	windows map[bool]attack.Labelled // Label: the class; Recording: its number
}

func (e *Identification) draw(_ context.Context, p Protected, src *noise.Source) (idCell, error) {
	people, classes := numbers{}, numbers{}
	var halves [2]seen // of what was released
	var raw [2]seen
	for i := range halves {
		pieces := half(e.Recordings, i == 1, e.period)
		if p.Mechanism == nil {
			var err error
			if halves[i], err = e.see(pieces, people, classes); err != nil {
				return idCell{}, err
			}
			continue
		}
		r, err := p.Mechanism.Protect(pieces, src.Split())
		if err != nil {
			return idCell{}, err
		}
		if halves[i], err = e.see(r.Recordings, people, classes); err != nil {
			return idCell{}, err
		}
		if raw[i], err = e.see(half(e.Recordings, i == 1, e.period), people, classes); err != nil {
			return idCell{}, err
		}
	}
	return e.attack(p, halves, raw, src)
}

// see gathers events and windows.
func (e *Identification) see(pieces gaze.Seq, people, classes numbers) (seen, error) {
	s := seen{map[bool][]attack.Looker{}, map[bool]attack.Labelled{}}
	d := attack.Events()
	d.PixelsPerDegree, d.MinDuration, d.Window = e.PixelsPerDegree, 100*time.Millisecond, 1
	n := 0
	for r, err := range gaze.Join(pieces) {
		if err != nil {
			return s, err
		}
		who := people.of(r.Participant)
		for _, positions := range []bool{false, true} {
			l, err := attack.Look(who, r, d, positions)
			if err != nil {
				return s, err
			}
			l.Fixations, l.Saccades = thinned(l.Fixations), thinned(l.Saccades)
			if len(l.Fixations)+len(l.Saccades) > 0 {
				s.events[positions] = append(s.events[positions], l)
			}
		}
		if err := e.window(&s, r, who, n, classes); err != nil {
			return s, err
		}
		n++
	}
	return s, nil
}

// window adds the feature windows of a recording.
func (e *Identification) window(s *seen, r *gaze.Recording, who, number int, classes numbers) error {
	class := 0
	if e.Label != nil {
		if name, ok := e.Label(&r.Header); ok {
			class = classes.of(name)
		}
	}
	one := func(yield func(*gaze.Recording, error) bool) { yield(r, nil) }
	for t, err := range e.features().Tables(one) {
		if err != nil {
			return err
		}
		for i, row := range attack.Windows(t, 1) {
			for _, positions := range []bool{false, true} {
				x := row
				if positions {
					x = slices.Concat(row, where(r, time.Duration(i)*e.Step, e.Window))
				}
				w := s.windows[positions]
				w.X, w.Label, w.Person, w.Recording = append(w.X, x), append(w.Label, class), append(w.Person, who), append(w.Recording, number)
				s.windows[positions] = w
			}
		}
	}
	return nil
}

// where is the mean and the spread of positions in a window.
func where(r *gaze.Recording, from, length time.Duration) []float64 {
	track, _, ok := r.Best()
	if !ok {
		return make([]float64, 4)
	}
	var n, x, y, xx, yy float64
	for i, t := range r.Samples.T {
		if t-r.Samples.T[0] < from || t-r.Samples.T[0] >= from+length || gaze.Lost(track.X[i], track.Y[i]) {
			continue
		}
		n, x, y, xx, yy = n+1, x+track.X[i], y+track.Y[i], xx+track.X[i]*track.X[i], yy+track.Y[i]*track.Y[i]
	}
	if n == 0 {
		return make([]float64, 4)
	}
	x, y = x/n, y/n
	return []float64{x, y, math.Sqrt(math.Max(0, xx/n-x*x)), math.Sqrt(math.Max(0, yy/n-y*y))}
}

// attack runs every attack on the second half.
func (e *Identification) attack(p Protected, released, raw [2]seen, src *noise.Source) (idCell, error) {
	var cell idCell
	claim := claimOf(p)
	for _, positions := range []bool{true, false} {
		enrolments := map[attack.Enrol]seen{attack.Protected: released[0]}
		if p.Mechanism != nil {
			enrolments[attack.Raw] = raw[0]
		}
		for _, enrol := range []attack.Enrol{attack.Protected, attack.Raw} {
			from, ok := enrolments[enrol]
			if !ok {
				continue
			}
			settings := attack.Settings{Enrol: enrol, Positions: positions, Claim: claim}
			rows := func(s seen) attack.Rows {
				return attack.Rows{X: s.windows[positions].X, Person: s.windows[positions].Person}
			}
			for _, run := range []func() (*attack.Result, error){
				func() (*attack.Result, error) {
					return attack.Fused{Settings: settings}.Run(from.events[positions], released[1].events[positions], src)
				},
				func() (*attack.Result, error) {
					return attack.Identify{Classifier: "forest", Settings: settings}.Run(rows(from), rows(released[1]), src)
				},
				func() (*attack.Result, error) {
					return e.task(settings, joined(from, positions), joined(released[1], positions), src)
				},
			} {
				r, err := run()
				if errors.Is(err, errNoTask) {
					continue
				}
				if err != nil { // nothing to learn from: the attacker has nothing
					r = &attack.Result{Attack: "failed", Enrol: enrol, Positions: positions, Verdict: attack.NoEvidence, Why: err.Error()}
				}
				cell.Attacks = append(cell.Attacks, *r)
			}
		}
	}
	return cell, nil
}

func joined(s seen, positions bool) attack.Labelled { return s.windows[positions] }

var errNoTask = errors.New("experiment: there is no class to tell")

// task tells the class of recordings of people who were not trained on.
func (e *Identification) task(settings attack.Settings, train, test attack.Labelled, src *noise.Source) (*attack.Result, error) {
	if e.Label == nil || len(slices.Compact(slices.Sorted(slices.Values(train.Label)))) < 2 {
		return nil, errNoTask
	}
	settings.Claim = nil
	return attack.Task{Name: "task", Vote: true, Settings: settings}.Run(train, test, src)
}

// claimOf is what the mechanism claims about a person.
func claimOf(p Protected) *attack.Claim {
	if p.Mechanism == nil {
		return nil
	}
	g := p.Mechanism.Guarantee()
	_, void := g.Void()
	return &attack.Claim{Epsilon: g.Epsilon, Delta: g.Delta, WholePerson: g.Unit == dp.Subject && !void}
}

// Run fills the table.
func (e *Identification) Run(ctx context.Context) ([]IdentificationRow, error) {
	if err := e.check(); err != nil {
		return nil, err
	}
	if !e.OwnClocks {
		var err error
		if e.period, err = e.clock(); err != nil {
			return nil, err
		}
	}
	e.Work.Config = struct {
		Window, Step    time.Duration
		PerDegree       float64
		Task, OwnClocks bool
	}{e.Window, e.Step, e.PixelsPerDegree, e.Label != nil, e.OwnClocks}
	found, err := Do(ctx, e.Work, e.cells())
	if err != nil {
		return nil, err
	}
	var rows []IdentificationRow
	for _, p := range e.Protected {
		if p.Synthetic {
			rows = append(rows, IdentificationRow{Mechanism: p.Name, Calibration: p.Calibration, Epsilon: p.Epsilon,
				Attack: "identification", Verdict: "nobody to identify: the recordings are of nobody", Guarantee: p.Mechanism.Guarantee().String()})
			continue
		}
		rows = append(rows, e.rows(p, found)...)
	}
	return rows, nil
}

// rows are the attacks on one mechanism, averaged over draws.
func (e *Identification) rows(p Protected, found map[string]idCell) []IdentificationRow {
	var rows []IdentificationRow
	first := found[e.key(p, 0)].Attacks
	for k, a := range first {
		row := IdentificationRow{Mechanism: p.Name, Calibration: p.Calibration, Epsilon: p.Epsilon, Attack: a.Attack, Classifier: a.Classifier,
			Enrolled: a.Enrol.String(), Positions: a.Positions, Chance: a.Chance, Majority: a.Majority, People: a.Trials, Guarantee: "none (raw)"}
		var rates []float64
		for d := range e.draws(p) {
			if all := found[e.key(p, d)].Attacks; k < len(all) {
				rates = append(rates, all[k].Rate)
				row.F1 += all[k].MacroF1 / float64(e.draws(p))
			}
		}
		row.Rate = spread(rates)
		row.Interval = classify.ClopperPearson(int(math.Round(row.Rate.Mean*float64(a.Trials))), a.Trials, 0.95)
		if a.Attack == "task" { // recordings of one person are no independent trials
			row.Interval = a.Interval
		}
		row.Verdict = a.Verdict.String()
		if p.Mechanism != nil {
			e.judge(&row, p, &a)
		}
		rows = append(rows, row)
	}
	return rows
}

// judge holds the mean rate against the ceilings.
func (e *Identification) judge(row *IdentificationRow, p Protected, a *attack.Result) {
	g := p.Mechanism.Guarantee()
	row.Guarantee = g.String()
	if a.Attack == "task" || a.Attack == "failed" {
		return
	}
	if a.Ceiling > 0 && a.Verdict != attack.NoEvidence {
		row.Ceiling = &a.Ceiling
	}
	per := &PerPerson{Epsilon: g.Epsilon, Ceiling: attack.Ceiling(g.Epsilon, g.Delta, a.Candidates), Verdict: attack.NotFalsified.String()}
	if row.Interval.Lower > per.Ceiling {
		per.Verdict = attack.Falsified.String()
	}
	row.PerPerson = per
}
