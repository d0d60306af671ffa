package mechanism

import (
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// Paths is a mechanism that releases gaze paths: protected ones of the
// recordings it is given, or synthetic ones of nobody.
type Paths interface {
	Mechanism
	// Protect draws one release of the recordings: pieces as readers yield
	// them, in px or degrees as the mechanism was planned for. What is drawn
	// while the release is iterated belongs to the one release: it is iterated
	// once, and to its end. An error ends the sequence; a sample that was not
	// protected is never yielded, on no path.
	Protect(pieces gaze.Seq, src *noise.Source) (*PathRelease, error)
}

// PathRelease is protected or synthetic gaze.
type PathRelease struct {
	Release
	// Recordings are in pieces like those of a reader. Their headers keep the
	// participant, session and stimulus of protected recordings, for the curator
	// to turn into pseudonyms; synthetic recordings of nobody are numbered.
	Recordings gaze.Seq
	// Synthetic is true where positions are drawn from a model: every picture
	// and file is marked with the word.
	Synthetic bool
}
