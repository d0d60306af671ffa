package detect

import "github.com/gazeward/gazeward/gaze"

// Annotate passes pieces on with the fixations and saccades that d finds in
// place of those stated by the file. Events come with the piece in which they
// are complete; what is pending when a recording ends comes in one more piece
// without samples. The samples are not copied.
func Annotate(d Detector, pieces gaze.Seq) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		a := annotator{yield: yield}
		var err error
		a.stream, err = d.Stream(Sink{
			Fixation: func(f gaze.Fixation) { a.fixations = append(a.fixations, f) },
			Saccade:  func(c gaze.Saccade) { a.saccades = append(a.saccades, c) },
		})
		if err != nil {
			yield(nil, err)
			return
		}
		for piece, err := range pieces {
			if err == nil {
				if !piece.Continues && !a.rest() {
					return
				}
				if err = a.stream.Add(piece); err == nil {
					if !a.pass(*piece) {
						return
					}
					continue
				}
			}
			if !yield(nil, err) {
				return
			}
		}
		a.rest()
	}
}

// annotator holds the events found since the last piece was passed on.
type annotator struct {
	yield     func(*gaze.Recording, error) bool
	stream    *Stream
	header    gaze.Header
	fixations []gaze.Fixation
	saccades  []gaze.Saccade
}

// pass yields a piece with the events at hand.
func (a *annotator) pass(piece gaze.Recording) bool {
	if !piece.Continues {
		a.header = piece.Header
	}
	piece.Fixations, piece.Saccades = a.fixations, a.saccades
	ok := a.yield(&piece, nil)
	a.fixations, a.saccades = a.fixations[:0], a.saccades[:0]
	return ok
}

// rest ends a recording.
func (a *annotator) rest() bool {
	a.stream.Flush()
	if len(a.fixations)+len(a.saccades) == 0 {
		return true
	}
	return a.pass(gaze.Recording{Header: a.header, Continues: true})
}
