package stream

import (
	"fmt"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
)

// Kind of an [Event] that a gatekeeper hands out.
type Kind uint8

// Kinds of events.
const (
	FixationIn  Kind = iota // a fixation whose centre lies in an area
	Dwell                   // a visit of an area has ended: fixations in it without one elsewhere between them
	SaccadeInto             // a saccade that starts outside of an area and ends in it
	TileChange              // the gaze is on another tile
)

var kindNames = [...]string{"fixation", "dwell", "saccade", "tile"}

// String returns the kind's name.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// Event is what an application learns instead of samples. It holds no position.
type Event struct {
	Kind     Kind
	Start    time.Duration
	Duration time.Duration // of TileChange: 0
	Area     string        // of TileChange: empty
	Tile     int           // of TileChange: row by row from the top left; of others: -1
}

// Gatekeeper hands out events instead of samples, as David-John et al. 2021
// propose for applications that need no more. It promises nothing: what
// applications learn less is data, not a guarantee. Areas and tiles are in px
// from the top left of the screen.
type Gatekeeper struct {
	Screen     gaze.Screen // required; with geometry, which tells fixations from saccades
	Areas      grid.AOIs   // what may be asked about; where they overlap the first counts
	Cols, Rows int         // of tiles; 0 = no tiles
	Kinds      []Kind      // that are handed out; nil = all
	Detector   detect.IVT  // default detect.Standard
}

// Gate is the state of one recording.
type Gate struct {
	keeper   Gatekeeper
	detector *detect.Stream
	emit     func(Event)
	wants    [len(kindNames)]bool
	piece    gaze.Recording
	tile     int
	visit    Event // open where it has a duration
	pixels   gaze.Screen
}

const maxTiles = 1 << 12

func (g *Gatekeeper) check() error {
	switch {
	case !g.Screen.HasGeometry():
		return fmt.Errorf("stream: gatekeeper: %w", gaze.ErrNoGeometry)
	case g.Cols < 0 || g.Rows < 0 || g.Cols > maxTiles || g.Rows > maxTiles || (g.Cols > 0) != (g.Rows > 0):
		return fmt.Errorf("stream: tiles must have between 1 and %d columns and rows, got %d × %d", maxTiles, g.Cols, g.Rows)
	}
	for _, k := range g.Kinds {
		if int(k) >= len(kindNames) {
			return fmt.Errorf("stream: there is no event of kind %v", k)
		}
	}
	return nil
}

// Open begins a recording: emit is called with every event as soon as it is
// known, from within Next and Close.
func (g Gatekeeper) Open(emit func(Event)) (*Gate, error) {
	if err := g.check(); err != nil {
		return nil, err
	}
	if g.Detector == (detect.IVT{}) {
		g.Detector = detect.Standard()
	}
	s := &Gate{keeper: g, emit: emit, tile: -1, pixels: g.Screen}
	for i := range s.wants {
		s.wants[i] = g.Kinds == nil
	}
	for _, k := range g.Kinds {
		s.wants[k] = true
	}
	var err error
	if s.detector, err = g.Detector.Stream(detect.Sink{Fixation: s.fixation, Saccade: s.saccade}); err != nil {
		return nil, err
	}
	s.piece = gaze.Recording{Header: gaze.Header{Unit: gaze.Pixels, Screen: g.Screen}}
	s.piece.Samples.T = make([]time.Duration, 1)
	s.piece.Samples.Tracks[gaze.Cyclopean] = gaze.Track{X: make([]float64, 1), Y: make([]float64, 1)}
	return s, nil
}

// Next takes a sample in px with the screen's origin; NaN is lost.
func (s *Gate) Next(t time.Duration, x, y float64) error {
	track := &s.piece.Samples.Tracks[gaze.Cyclopean]
	s.piece.Samples.T[0], track.X[0], track.Y[0] = t, x, y
	if err := s.detector.Add(&s.piece); err != nil {
		return err
	}
	s.piece.Continues = true
	if px, py, ok := s.place(x, y); ok && s.keeper.Cols > 0 {
		s.onTile(t, px, py)
	}
	return nil
}

// place is a position from the top left, and whether it lies on the screen.
func (s *Gate) place(x, y float64) (px, py float64, ok bool) {
	px, py, err := s.pixels.ToTopLeftPixels(x, y, gaze.Pixels)
	return px, py, err == nil && s.pixels.Contains(px, py)
}

func (s *Gate) onTile(t time.Duration, px, py float64) {
	col := int(px / float64(s.pixels.Width) * float64(s.keeper.Cols))
	row := int(py / float64(s.pixels.Height) * float64(s.keeper.Rows))
	if tile := row*s.keeper.Cols + col; tile != s.tile {
		s.tile = tile
		s.say(Event{Kind: TileChange, Start: t, Tile: tile})
	}
}

// area of a position; empty = none.
func (s *Gate) area(x, y float64) (string, bool) {
	px, py, ok := s.place(x, y)
	if !ok {
		return "", false
	}
	i := s.keeper.Areas.Hit(px, py)
	if i < 0 {
		return "", false
	}
	return s.keeper.Areas[i].Name, true
}

func (s *Gate) fixation(f gaze.Fixation) {
	area, in := s.area(f.X, f.Y)
	if !in || area != s.visit.Area {
		s.leave()
	}
	if !in {
		return
	}
	if s.visit.Duration == 0 {
		s.visit = Event{Kind: Dwell, Start: f.Start, Area: area, Tile: -1}
	}
	s.visit.Duration = f.Start + f.Duration - s.visit.Start
	s.say(Event{Kind: FixationIn, Start: f.Start, Duration: f.Duration, Area: area, Tile: -1})
}

// leave ends the visit at hand.
func (s *Gate) leave() {
	if s.visit.Duration > 0 {
		s.say(s.visit)
	}
	s.visit = Event{}
}

func (s *Gate) saccade(c gaze.Saccade) {
	to, in := s.area(c.X1, c.Y1)
	if from, was := s.area(c.X0, c.Y0); in && (!was || from != to) {
		s.say(Event{Kind: SaccadeInto, Start: c.Start, Duration: c.Duration, Area: to, Tile: -1})
	}
}

func (s *Gate) say(e Event) {
	if s.wants[e.Kind] {
		s.emit(e)
	}
}

// Close ends the recording: events that were open are handed out.
func (s *Gate) Close() {
	s.detector.Flush()
	s.leave()
}
