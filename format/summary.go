package format

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/gazeward/gazeward/gaze"
)

// Summary describes what was read from one file, with the field names that
// `inspect --json` prints. It is for the curator: counts are exact.
type Summary struct {
	File       string         `json:"file,omitempty"` // path relative to what was inspected
	Format     string         `json:"format"`
	Why        []string       `json:"why"`
	Recordings int            `json:"recordings"`
	Subjects   int            `json:"subjects"` // different participants
	Rows       int            `json:"rows"`     // samples; fixations where there are no samples
	SpanS      float64        `json:"span_s"`   // sum over the recordings
	Rate       *RateSummary   `json:"rate"`     // null without samples
	Unit       string         `json:"unit"`     // of positions; mixed if recordings differ
	Eyes       []string       `json:"eyes"`
	Lost       float64        `json:"lost"` // share of positions (of signals where there are none) that are lost, 0..1
	Screen     *ScreenSummary `json:"screen"`
	Signals    []string       `json:"signals,omitempty"`
	Events     EventSummary   `json:"events"`
	Dropped    []string       `json:"dropped"`
	Identity   []string       `json:"identity"` // those of Dropped that may say who was recorded
	Quirks     []string       `json:"quirks"`
	Error      string         `json:"error,omitempty"`      // why the file could not be read to its end
	Empty      bool           `json:"empty,omitempty"`      // Error is that there is nothing to read: a header without rows
	Suggestion string         `json:"suggestion,omitempty"` // YAML of a mapping, where Error is that the table needs one
	Incomplete bool           `json:"incomplete,omitempty"` // Suggestion has gaps to fill in
}

// RateSummary is a sampling rate as stated and as measured.
type RateSummary struct {
	Hz        float64 `json:"hz"`         // measured: 1 / mean regular step; 0 = not measurable
	NominalHz float64 `json:"nominal_hz"` // stated by the file; 0 = not stated; the first where they differ
	JitterMs  float64 `json:"jitter_ms"`  // standard deviation of the regular steps
}

// ScreenSummary is the geometry; unknown fields are null.
type ScreenSummary struct {
	WidthPx    int      `json:"width_px"`
	HeightPx   int      `json:"height_px"`
	WidthCm    *float64 `json:"width_cm"`
	HeightCm   *float64 `json:"height_cm"`
	DistanceCm *float64 `json:"distance_cm"`
	Origin     string   `json:"origin"`
}

// EventSummary counts events the file states.
type EventSummary struct {
	Fixations int `json:"fixations"`
	Saccades  int `json:"saccades"`
	Blinks    int `json:"blinks"`
}

// Tally builds a [Summary] from pieces as they stream by, in memory that does
// not grow with their number of samples. The zero value is ready.
type Tally struct {
	s            Summary
	people       map[string]bool
	unit         gaze.Unit
	units        map[gaze.Unit]bool
	eyes         [3]bool
	rates        map[gaze.Hertz]bool
	nominal      gaze.Hertz
	signals      []string
	steps        steps
	cells, lost  int
	sigs, sigNaN int
	known, off   int
	open         span
}

// span follows one recording's extent.
type span struct {
	any      bool
	min, max float64
}

func (s *span) add(t float64) {
	if !s.any {
		s.any, s.min, s.max = true, t, t
		return
	}
	s.min, s.max = min(s.min, t), max(s.max, t)
}

// Add takes one piece.
func (t *Tally) Add(r *gaze.Recording) {
	if !r.Continues {
		t.close()
		t.begin(r)
	}
	t.addTimes(r)
	t.addPositions(r)
	t.addSignals(r)
	t.addEvents(r)
}

func (t *Tally) begin(r *gaze.Recording) {
	if t.people == nil {
		t.people = make(map[string]bool)
		t.units = make(map[gaze.Unit]bool)
		t.rates = make(map[gaze.Hertz]bool)
	}
	t.s.Recordings++
	t.people[r.Participant] = true
	t.steps.restart(float64(r.Rate))
	if r.Rate > 0 {
		if len(t.rates) == 0 {
			t.nominal = r.Rate
		}
		t.rates[r.Rate] = true
	}
	t.addScreen(r.Screen)
}

func (t *Tally) close() {
	if t.open.any {
		t.s.SpanS += t.open.max - t.open.min
	}
	t.open = span{}
}

func (t *Tally) addTimes(r *gaze.Recording) {
	t.s.Rows += r.Samples.Len()
	for _, d := range r.Samples.T {
		sec := d.Seconds()
		t.open.add(sec)
		t.steps.add(int64(d))
	}
}

func (t *Tally) addPositions(r *gaze.Recording) {
	onScreen := r.Screen.Known() && r.Frame == gaze.OnScreen
	for e := range r.Samples.Tracks {
		track := &r.Samples.Tracks[e]
		if !track.Present() {
			continue
		}
		t.eyes[e] = true
		t.units[r.Unit] = true
		t.unit = r.Unit
		for i, x := range track.X {
			t.cells++
			if gaze.Lost(x, track.Y[i]) {
				t.lost++
			} else if onScreen {
				t.place(r, x, track.Y[i])
			}
		}
	}
}

func (t *Tally) place(r *gaze.Recording, x, y float64) {
	px, py, err := r.Screen.ToTopLeftPixels(x, y, r.Unit)
	if err != nil {
		return
	}
	t.known++
	if !r.Screen.Contains(px, py) {
		t.off++
	}
}

func (t *Tally) addSignals(r *gaze.Recording) {
	for _, s := range r.Samples.Signals {
		name := s.Name
		if s.Unit != "" {
			name += " [" + s.Unit + "]"
		}
		if !slices.Contains(t.signals, name) {
			t.signals = append(t.signals, name)
		}
		t.sigs += len(s.Values)
		for _, v := range s.Values {
			if math.IsNaN(v) {
				t.sigNaN++
			}
		}
	}
}

func (t *Tally) addEvents(r *gaze.Recording) {
	t.s.Events.Fixations += len(r.Fixations)
	t.s.Events.Saccades += len(r.Saccades)
	t.s.Events.Blinks += len(r.Blinks)
	if r.Samples.Len() > 0 {
		return
	}
	for _, f := range r.Fixations {
		t.open.add(f.Start.Seconds())
		t.open.add((f.Start + f.Duration).Seconds())
		t.eyes[f.Eye] = true
		t.units[r.Unit] = true
		t.unit = r.Unit
		t.cells++
		if gaze.Lost(f.X, f.Y) {
			t.lost++
		} else if r.Screen.Known() && r.Frame == gaze.OnScreen {
			t.place(r, f.X, f.Y)
		}
	}
}

func (t *Tally) addScreen(s gaze.Screen) {
	if t.s.Screen != nil || !s.Known() {
		return
	}
	t.s.Screen = &ScreenSummary{
		WidthPx: s.Width, HeightPx: s.Height, Origin: s.Origin.String(),
		WidthCm: known(s.WidthCm), HeightCm: known(s.HeightCm), DistanceCm: known(s.DistanceCm),
	}
}

func known(v float64) *float64 {
	if v > 0 {
		return &v
	}
	return nil
}

// Summary returns what was counted, with what the report collected.
func (t *Tally) Summary(r *Report) Summary {
	t.close()
	s := t.s
	s.Format, s.Why = r.Format()
	s.Subjects = len(t.people)
	s.Signals = t.signals
	t.describe(&s)
	if s.Rows > 0 {
		s.Rate = &RateSummary{NominalHz: float64(t.nominal)}
		s.Rate.Hz, s.Rate.JitterMs = t.steps.rate()
	} else {
		s.Rows = s.Events.Fixations
	}
	s.Dropped, s.Identity = r.Dropped(), r.Identity()
	for _, q := range r.Quirks() {
		s.Quirks = append(s.Quirks, q.String())
	}
	s.Quirks = append(s.Quirks, t.oddities()...)
	for _, list := range []*[]string{&s.Why, &s.Eyes, &s.Dropped, &s.Identity, &s.Quirks} {
		if *list == nil {
			*list = []string{}
		}
	}
	return s
}

func (t *Tally) describe(s *Summary) {
	s.Unit = t.unit.String()
	if len(t.units) > 1 {
		s.Unit = "mixed"
	}
	for e, has := range t.eyes {
		if has {
			s.Eyes = append(s.Eyes, gaze.Eye(e).String())
		}
	}
	switch {
	case t.cells > 0:
		s.Lost = float64(t.lost) / float64(t.cells)
	case t.sigs > 0:
		s.Lost = float64(t.sigNaN) / float64(t.sigs)
	}
}

func (t *Tally) oddities() []string {
	var q []string
	add := func(n int, format string, args ...any) {
		if n > 0 {
			q = append(q, fmt.Sprintf("%d × ", n)+fmt.Sprintf(format, args...))
		}
	}
	add(t.off, "position off screen (%.3g %% of the positions)", 100*float64(t.off)/float64(max(t.known, 1)))
	add(t.steps.gaps(), "gap (a step longer than 1.5 regular steps)")
	if len(t.rates) > 1 {
		q = append(q, "stated sampling rate differs between recordings")
	}
	return q
}

// Summarize reads a stream to its end. At an error it returns what was counted
// until then with the error in both places.
func Summarize(pieces gaze.Seq, r *Report) (Summary, error) {
	var t Tally
	for piece, err := range pieces {
		if err != nil {
			s := t.Summary(r)
			s.Error, s.Empty = err.Error(), errors.Is(err, ErrEmpty)
			if unknown, ok := errors.AsType[*UnknownError](err); ok {
				s.Suggestion, s.Incomplete = unknown.Suggestion, unknown.Incomplete
			}
			return s, err
		}
		t.Add(piece)
	}
	return t.Summary(r), nil
}
