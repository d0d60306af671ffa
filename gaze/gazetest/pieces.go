package gazetest

import (
	"slices"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/gazeward/gazeward/gaze"
)

// Seq streams whole recordings.
func Seq(all ...*gaze.Recording) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// Pieces streams recordings in pieces of at most n samples, as readers of long
// files do: events come with the piece in which they begin (those after the
// last sample with the last), every piece is overwritten once the next one is
// asked for, and only the first has a header.
func Pieces(n int, all ...*gaze.Recording) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		for _, r := range all {
			for from := 0; from == 0 || from < r.Samples.Len(); from += n {
				piece := cut(r, from, min(from+n, r.Samples.Len()))
				ok := yield(piece, nil)
				spoil(piece)
				if !ok {
					return
				}
			}
		}
	}
}

// cut copies samples from..to and the events that begin among them.
func cut(r *gaze.Recording, from, to int) *gaze.Recording {
	p := &gaze.Recording{Continues: from > 0}
	if from == 0 {
		p.Header = r.Header
	}
	s := &r.Samples
	column := func(c []float64) []float64 {
		if c == nil {
			return nil
		}
		return slices.Clone(c[from:to])
	}
	p.Samples.T = slices.Clone(s.T[from:to])
	for e, t := range s.Tracks {
		p.Samples.Tracks[e] = gaze.Track{X: column(t.X), Y: column(t.Y), Pupil: column(t.Pupil), Confidence: column(t.Confidence)}
	}
	if s.Labels != nil {
		p.Samples.Labels = slices.Clone(s.Labels[from:to])
	}
	for _, sig := range s.Signals {
		sig.Values = column(sig.Values)
		p.Samples.Signals = append(p.Samples.Signals, sig)
	}
	share(p, r, from, to)
	return p
}

// share gives a piece the events that begin in its span of samples, in their
// order.
func share(p, whole *gaze.Recording, from, to int) {
	s := &whole.Samples
	first, last := from == 0, to == s.Len()
	begins := func(f gaze.Fixation) bool {
		return (first || f.Start >= s.T[from]) && (last || f.Start < s.T[to])
	}
	for _, f := range whole.Fixations {
		if begins(f) {
			p.Fixations = append(p.Fixations, f)
		}
	}
	for _, c := range whole.Saccades {
		if begins(gaze.Fixation{Start: c.Start}) {
			p.Saccades = append(p.Saccades, c)
		}
	}
	for _, b := range whole.Blinks {
		if begins(gaze.Fixation{Start: b.Start}) {
			p.Blinks = append(p.Blinks, b)
		}
	}
}

// spoil overwrites a piece whose time is over.
func spoil(p *gaze.Recording) {
	for i := range p.Samples.T {
		p.Samples.T[i] = -1
	}
	for e := range p.Samples.Tracks {
		t := &p.Samples.Tracks[e]
		for _, c := range [...][]float64{t.X, t.Y, t.Pupil, t.Confidence} {
			for i := range c {
				c[i] = -12345
			}
		}
	}
	for _, sig := range p.Samples.Signals {
		for i := range sig.Values {
			sig.Values[i] = -12345
		}
	}
	for i := range p.Fixations {
		p.Fixations[i] = gaze.Fixation{X: -12345, Y: -12345}
	}
	clear(p.Samples.Labels)
	clear(p.Saccades)
	clear(p.Blinks)
}

// Clone returns a deep copy, to see later whether somebody changed the input.
func Clone(r *gaze.Recording) *gaze.Recording {
	c := *r
	s := &c.Samples
	s.T, s.Labels = slices.Clone(s.T), slices.Clone(s.Labels)
	for e, t := range s.Tracks {
		s.Tracks[e] = gaze.Track{X: slices.Clone(t.X), Y: slices.Clone(t.Y),
			Pupil: slices.Clone(t.Pupil), Confidence: slices.Clone(t.Confidence)}
	}
	s.Signals = slices.Clone(s.Signals)
	for i, sig := range s.Signals {
		s.Signals[i].Values = slices.Clone(sig.Values)
	}
	c.Fixations, c.Saccades, c.Blinks = slices.Clone(r.Fixations), slices.Clone(r.Saccades), slices.Clone(r.Blinks)
	return &c
}

// Diff describes how two recordings, or lists of them, differ; empty when they
// are equal. NaN equals NaN, a column that is absent does not equal an empty
// one.
func Diff(want, got any) string {
	return cmp.Diff(want, got, cmpopts.EquateNaNs(),
		cmp.FilterValues(sameColumn[float64], cmp.Ignore()), cmp.FilterValues(sameColumn[time.Duration], cmp.Ignore()))
}

// Equal reports whether Diff would be empty, without spelling out how long
// columns differ.
func Equal(a, b any) bool {
	return cmp.Equal(a, b, cmpopts.EquateNaNs(),
		cmp.Comparer(sameColumn[float64]), cmp.Comparer(sameColumn[time.Duration]))
}

// sameColumn spares long equal columns the slow comparison by reflection.
func sameColumn[T float64 | time.Duration](a, b []T) bool {
	if len(a) != len(b) || (a == nil) != (b == nil) {
		return false
	}
	for i := range a {
		if a[i] != b[i] && (a[i] == a[i] || b[i] == b[i]) {
			return false
		}
	}
	return true
}
