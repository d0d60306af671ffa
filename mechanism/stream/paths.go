package stream

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
	"github.com/gazeward/gazeward/noise"
)

// filter is the state of one recording.
type filter interface {
	Next(t time.Duration, x, y float64) (float64, float64)
	Reset()
}

// release passes recordings through a stream that begins anew with each.
func (r *rule) release(p mechanism.Plan, pieces gaze.Seq, src *noise.Source) (*mechanism.PathRelease, error) {
	s, err := r.stream(src)
	if err != nil {
		return nil, err
	}
	return &mechanism.PathRelease{Release: mechanism.Draw(p, src), Recordings: protected(r.surface, s, pieces)}, nil
}

var errTwice = errors.New("stream: a release is drawn once: to draw another one is to spend again")

// protected yields, for every piece, its time stamps and the protected positions
// of one eye, and nothing else of it. It draws once: whoever iterates again would
// have two draws for the price of one.
func protected(on Surface, f filter, pieces gaze.Seq) gaze.Seq {
	drawn := false
	return func(yield func(*gaze.Recording, error) bool) {
		if drawn {
			yield(nil, errTwice)
			return
		}
		drawn = true
		w := writer{on: on, filter: f}
		w.thin, _ = f.(thinner)
		for piece, err := range pieces {
			if err == nil {
				err = w.take(piece)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(&w.out, nil) {
				return
			}
		}
	}
}

// thinner is a filter that leaves samples out.
type thinner interface{ kept() bool }

// writer turns pieces into protected ones; its output is reused.
type writer struct {
	on     Surface
	filter filter
	thin   thinner // nil: every sample is handed out
	out    gaze.Recording
	eye    gaze.Eye
	begun  bool
}

var errColumns = errors.New("stream: columns of samples have different lengths")

func (w *writer) take(piece *gaze.Recording) error {
	if !piece.Continues || !w.begun {
		if err := w.begin(piece); err != nil {
			return err
		}
	}
	in, out := &piece.Samples, &w.out.Samples
	track, n := &in.Tracks[w.eye], in.Len()
	if track.Present() && (len(track.X) != n || len(track.Y) != n) {
		return errColumns
	}
	w.out.Continues = piece.Continues
	to := &out.Tracks[w.eye]
	out.T, to.X, to.Y = out.T[:0], slices.Grow(to.X[:0], n), slices.Grow(to.Y[:0], n) // never nil: the track is there
	for i, t := range in.T {
		if w.thin != nil && !w.thin.kept() {
			continue
		}
		x, y := nan, nan
		if track.Present() {
			x, y = track.X[i], track.Y[i]
		}
		x, y = w.filter.Next(t, x, y)
		out.T, to.X, to.Y = append(out.T, t), append(to.X, x), append(to.Y, y)
	}
	return nil
}

// begin starts a recording: its header, without what tells of the body.
func (w *writer) begin(piece *gaze.Recording) error {
	if err := w.on.takes(&piece.Header); err != nil {
		return err
	}
	_, w.eye, _ = piece.Best()
	w.begun = true
	w.filter.Reset()
	w.out = gaze.Recording{Header: piece.Header}
	w.out.PupilUnit = gaze.PupilUnknown
	w.out.Samples.Tracks[w.eye] = gaze.Track{X: []float64{}, Y: []float64{}}
	return nil
}

// takes refuses recordings in another unit than was planned for.
func (s Surface) takes(h *gaze.Header) error {
	want, spheric := gaze.Pixels, false
	if s.Unit == degrees {
		want, spheric = gaze.Degrees, s.Sphere
	}
	if h.Unit != want {
		return fmt.Errorf("stream: planned for positions in %v, got %v", want, h.Unit)
	}
	if spheric != (h.Frame != gaze.OnScreen && h.Unit == gaze.Degrees) {
		return fmt.Errorf("stream: planned for another surface: got positions of frame %v in %v", h.Frame, h.Unit)
	}
	return nil
}
