package format

import (
	"slices"
	"strings"
	"time"

	"github.com/gazeward/gazeward/gaze"
)

// Limits on how much of a table whose recordings' rows are mixed is held back
// to put each recording together. Beyond them recordings come in parts.
const (
	heldRows   = 2 * PieceSamples
	heldGroups = 2048
	keptClocks = 1 << 16
)

// groups sorts rows into recordings by the texts of their key columns. Rows of
// one recording usually follow each other; where they do not, recordings wait,
// within the limits, for further rows.
type groups struct {
	t          *Table
	columns    []int // text slots of the keys; none: one recording
	current    *group
	open       map[string]*group
	order      []*group // least recently used first
	free       []*group
	clocks     map[string]ended // of recordings already given out, to go on in time
	live       *group           // the last whose piece was given out
	held       int
	recordings int
	parts      int
	stopped    bool
	key        []byte
	spelling   map[string]string
	alike      int
}

// group is a recording in the making.
type group struct {
	key    string
	b      *Builder
	clock  Clock
	end    time.Duration // of the last fixation
	rows   int
	wanted bool
	filled [3]bool
}

type ended struct {
	clock Clock
	end   time.Duration
	rows  int
}

func (s *groups) init(t *Table) {
	s.t = t
	for _, k := range t.keys {
		for _, p := range k {
			if p.text >= 0 && !slices.Contains(s.columns, p.text) {
				s.columns = append(s.columns, p.text)
			}
		}
	}
	s.open = make(map[string]*group)
	s.clocks = make(map[string]ended)
	s.spelling = make(map[string]string)
}

// of returns the group of a row.
func (s *groups) of(row *Row) *group {
	if len(s.columns) == 0 && s.current != nil {
		return s.current
	}
	s.key = s.key[:0]
	for _, c := range s.columns {
		s.key = append(append(s.key, trimBlanks(row.Texts[c])...), 0)
	}
	if g := s.current; g != nil && string(s.key) == g.key {
		return g
	}
	g, ok := s.open[string(s.key)]
	if ok {
		s.touch(g)
	} else {
		g = s.begin(row)
	}
	s.current = g
	return g
}

func (s *groups) touch(g *group) {
	for i, o := range s.order {
		if o == g {
			copy(s.order[i:], s.order[i+1:])
			s.order[len(s.order)-1] = g
			return
		}
	}
}

func (s *groups) begin(row *Row) *group {
	for len(s.order) >= heldGroups || s.held > heldRows && len(s.order) > 0 {
		s.finish(s.order[0])
	}
	g := s.recycle()
	g.key = string(s.key)
	g.clock, g.end, g.rows, g.filled = s.t.clock, 0, 0, [3]bool{}
	if before, ok := s.clocks[g.key]; ok {
		g.clock, g.end, g.rows = before.clock, before.end, before.rows
		s.parts++
	}
	h := s.t.header
	for i, to := range [...]*string{&h.Participant, &h.Session, &h.Task, &h.Trial, &h.Stimulus} {
		*to = s.t.keys[i].of(row)
	}
	s.checkSpelling(h.Participant)
	layout := s.t.layout
	if s.t.m.Events() {
		layout = Layout{}
	}
	g.b.Begin(h, layout)
	g.wanted = g.b.Decide()
	s.open[g.key] = g
	s.order = append(s.order, g)
	return g
}

// checkSpelling counts participants whose names differ by case and blanks only.
func (s *groups) checkSpelling(name string) {
	if len(s.spelling) >= keptClocks {
		return
	}
	plain := strings.ToLower(strings.Join(strings.Fields(name), ""))
	if first, seen := s.spelling[plain]; !seen {
		s.spelling[plain] = name
	} else if first != name {
		s.alike++
		s.spelling[plain] = name
	}
}

func (s *groups) recycle() *group {
	if n := len(s.free); n > 0 {
		g := s.free[n-1]
		s.free = s.free[:n-1]
		return g
	}
	return &group{b: NewBuilder(&s.t.o, s.give)}
}

// give passes a piece on. A piece of another recording closes the one that was
// given out before: a piece continues only what directly precedes it.
func (s *groups) give(r *gaze.Recording, err error) bool {
	if s.stopped {
		return false
	}
	s.stopped = !s.t.yield(r, err)
	return !s.stopped
}

// room makes space for one more row of a group.
func (s *groups) room(g *group) {
	s.held++
	if g.b.Len() < PieceSamples {
		return
	}
	if s.live != nil && s.live != g {
		s.finish(s.live)
	}
	s.held -= g.b.Len()
	g.b.Flush()
	s.live = g
}

// finish gives out a group to its end and forgets it, but for its clock.
func (s *groups) finish(g *group) {
	if s.live != nil && s.live != g {
		live := s.live
		s.live = nil
		s.finish(live)
	}
	s.live = nil
	s.held -= g.b.Len()
	g.b.End()
	s.recordings += g.b.takeRecordings()
	if len(s.clocks) < keptClocks {
		s.clocks[g.key] = ended{g.clock, g.end, g.rows}
	}
	delete(s.open, g.key)
	for i, o := range s.order {
		if o == g {
			s.order = append(s.order[:i], s.order[i+1:]...)
			break
		}
	}
	if s.current == g {
		s.current = nil
	}
	s.free = append(s.free, g)
}

func (s *groups) close() {
	if s.live != nil {
		s.finish(s.live)
	}
	for len(s.order) > 0 {
		s.finish(s.order[0])
	}
	r := s.t.o.Report
	r.CountSome("recording in parts, because its rows are mixed with those of others", s.parts)
	r.CountSome("participant whose name differs from another's by case or blanks only (kept apart)", s.alike)
}
