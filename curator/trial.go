package curator

import (
	"context"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism"
)

// Trial is a mechanism of gaze paths made for a data set, with the data set's
// recordings in its unit and frame: for experiments. Nothing is charged, and
// what is drawn of it must come from a seeded source.
type Trial struct {
	Mechanism mechanism.Paths
	// Recordings may be iterated again and again.
	Recordings gaze.Seq
	Screen     gaze.Screen
	People     []string
}

// Trial prepares the job as Run does, up to the point where it would pay.
func (j *GazeJob) Trial(ctx context.Context) (*Trial, error) {
	m, err := j.promise(ctx)
	if err != nil {
		return nil, err
	}
	return &Trial{m.(mechanism.Paths), j.pieces(ctx), j.peek.Screen, j.people}, nil
}
