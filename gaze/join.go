package gaze

import "iter"

// Seq is a stream of recordings or of their pieces. A yielded value and its
// slices belong to the producer again at the next step: copy what is kept.
type Seq = iter.Seq2[*Recording, error]

// Join yields whole recordings from a stream of pieces. It holds one
// recording in memory at a time; what it yields may be kept.
func Join(pieces Seq) Seq {
	return func(yield func(*Recording, error) bool) {
		var whole *Recording
		for piece, err := range pieces {
			if err != nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			if piece.Continues && whole != nil {
				whole.append(piece)
				continue
			}
			if whole != nil && !yield(whole, nil) {
				return
			}
			whole = &Recording{Header: piece.Header}
			whole.append(piece)
		}
		if whole != nil {
			yield(whole, nil)
		}
	}
}

// Collect reads a stream to its end and stops at the first error, returning
// what came before it.
func Collect(pieces Seq) ([]*Recording, error) {
	var all []*Recording
	for r, err := range Join(pieces) {
		if err != nil {
			return all, err
		}
		all = append(all, r)
	}
	return all, nil
}

// append copies a piece to the end of r. A column that only some pieces have
// is filled with NaN where it is missing.
func (r *Recording) append(piece *Recording) {
	r.Samples.append(&piece.Samples, r.Samples.Len())
	r.Fixations = appendEvents(r.Fixations, piece.Fixations)
	r.Saccades = appendEvents(r.Saccades, piece.Saccades)
	r.Blinks = appendEvents(r.Blinks, piece.Blinks)
}

// appendEvents keeps the difference between an empty list, which states that
// there was nothing, and none.
func appendEvents[E any](to, from []E) []E {
	if to == nil && from != nil {
		to = make([]E, 0, len(from))
	}
	return append(to, from...)
}

func (s *Samples) append(p *Samples, had int) {
	n := p.Len()
	s.T = append(s.T, p.T...)
	for e := range s.Tracks {
		to, from := &s.Tracks[e], &p.Tracks[e]
		to.X = appendColumn(to.X, from.X, had, n)
		to.Y = appendColumn(to.Y, from.Y, had, n)
		to.Pupil = appendColumn(to.Pupil, from.Pupil, had, n)
		to.Confidence = appendColumn(to.Confidence, from.Confidence, had, n)
	}
	if s.Labels != nil || p.Labels != nil {
		s.Labels = append(extendLabels(s.Labels, had), extendLabels(p.Labels, n)...)
	}
	s.appendSignals(p, had, n)
}

func (s *Samples) appendSignals(p *Samples, had, n int) {
	taken := make([]bool, len(p.Signals))
	for i := range s.Signals {
		var from []float64
		for j := range p.Signals {
			if p.Signals[j].Name == s.Signals[i].Name && !taken[j] {
				from, taken[j] = p.Signals[j].Values, true
				break
			}
		}
		s.Signals[i].Values = appendColumn(s.Signals[i].Values, from, had, n)
	}
	for j, sig := range p.Signals {
		if !taken[j] {
			sig.Values = appendColumn(nil, sig.Values, had, n)
			s.Signals = append(s.Signals, sig)
		}
	}
}

func appendColumn(to, from []float64, had, n int) []float64 {
	if to == nil && from == nil {
		return nil
	}
	if to == nil {
		to = make([]float64, 0, had+n)
	}
	for len(to) < had {
		to = append(to, nan)
	}
	if from == nil {
		for range n {
			to = append(to, nan)
		}
		return to
	}
	return append(to, from...)
}

func extendLabels(l []Label, n int) []Label {
	for len(l) < n {
		l = append(l, Unlabelled)
	}
	return l
}
