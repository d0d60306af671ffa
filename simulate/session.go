package simulate

import (
	"fmt"
	"math"
	"time"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// DefaultRate is the sampling rate where none is given.
const DefaultRate gaze.Hertz = 250

// pieceLength is the number of samples of a piece.
const pieceLength = 4096

// Session is one person looking at one scene.
type Session struct {
	Viewer  Viewer
	Scene   Scene
	Screen  gaze.Screen // default: the scene's; its size must be the scene's, its origin the top left (of a panorama: the centre)
	Seconds float64     // required
	Rate    gaze.Hertz  // default DefaultRate
	Loss    float64     // share of samples lost beside blinks, 0 to 0.9; default none
	Truth   bool        // attach the planned fixations, saccades and blinks, as a file with events would state them

	Participant, Session string // identity columns of the recording
}

// Recording streams the session in pieces of 4096 samples (see [gaze.Seq]: a
// piece is valid until the next one). It starts again, with the same samples,
// whenever it is iterated: src is drawn from once.
//
// Pictures and pages are in px from the top left. Panoramas are yaw (right) and
// pitch (up) in degrees in the world, with the head's as signals head_yaw and
// head_pitch. The eye is the right one. Lost samples are NaN.
func (s Session) Recording(src *noise.Source) gaze.Seq {
	seed := src.Uint64()
	return func(yield func(*gaze.Recording, error) bool) {
		if err := s.prepare(); err != nil {
			yield(nil, err)
			return
		}
		newLooker(&s, noise.Seeded(seed)).run(yield)
	}
}

// prepare fills in defaults and refuses what cannot be simulated.
func (s *Session) prepare() error {
	if err := s.Scene.Validate(); err != nil {
		return err
	}
	if s.Screen == (gaze.Screen{}) {
		s.Screen = s.Scene.Screen()
	}
	if s.Rate == 0 {
		s.Rate = DefaultRate
	}
	if err := s.validScreen(); err != nil {
		return err
	}
	return s.validNumbers()
}

func (s *Session) validScreen() error {
	origin := gaze.TopLeft
	if s.Scene.Task == LookAround {
		origin = gaze.Center
	}
	if s.Screen.Width != int(s.Scene.Width) || s.Screen.Height != int(s.Scene.Height) || s.Screen.Origin != origin {
		return fmt.Errorf("simulate: a screen of %d × %d px, origin %v, does not show the scene %q of %g × %g: use Scene.Resize",
			s.Screen.Width, s.Screen.Height, s.Screen.Origin, s.Scene.Name, s.Scene.Width, s.Scene.Height)
	}
	_, err := s.Screen.PixelsPerDegree()
	return err
}

func (s *Session) validNumbers() error {
	v := &s.Viewer
	switch {
	case !(s.Seconds > 0 && s.Seconds <= 1e6):
		return fmt.Errorf("simulate: seconds must be positive and at most 1e6, got %g", s.Seconds)
	case !(s.Rate >= 1 && s.Rate <= 20000):
		return fmt.Errorf("simulate: rate must be 1 to 20000 Hz, got %g", float64(s.Rate))
	case !(s.Loss >= 0 && s.Loss <= 0.9):
		return fmt.Errorf("simulate: loss must be a share from 0 to 0.9, got %g", s.Loss)
	case v.FixationMean < shortestFixation || v.FixationMean > time.Minute:
		return fmt.Errorf("simulate: mean fixation must be %v to 1m, got %v", shortestFixation, v.FixationMean)
	case !(v.SaccadeTime > 0 && v.SaccadeTime <= 10):
		return fmt.Errorf("simulate: saccade time must be a factor from 0 to 10, got %g", v.SaccadeTime)
	case v.Interest != nil && len(v.Interest) != len(s.Scene.HotSpots()):
		return fmt.Errorf("simulate: %d interests for %d hot spots", len(v.Interest), len(s.Scene.HotSpots()))
	case !(v.BlinksPerMinute >= 0 && v.BlinksPerMinute <= 120):
		return fmt.Errorf("simulate: blinks per minute must be 0 to 120, got %g", v.BlinksPerMinute)
	}
	for _, x := range [...]float64{v.FixationSpread, v.Refixation, v.Reach, v.CenterBias, v.CenterX, v.CenterY, v.Skipping,
		v.Regression, v.ReadingPace, v.Drift, v.Tremor, v.OffsetX, v.OffsetY, v.Pupil} {
		if math.IsNaN(x) || math.Abs(x) > 1e3 {
			return fmt.Errorf("simulate: a viewer's number is out of range, got %g", x)
		}
	}
	return nil
}

func (s *Session) header() gaze.Header {
	h := gaze.Header{
		Participant: s.Participant, Session: s.Session, Task: s.Scene.Task.String(), Stimulus: s.Scene.Name,
		Rate: s.Rate, Unit: gaze.Pixels, PupilUnit: gaze.PupilMillimetres, Frame: gaze.OnScreen,
		Screen: s.Screen, Format: "simulated",
	}
	if s.Scene.Task == LookAround {
		h.Unit, h.Frame = gaze.Degrees, gaze.InWorld
	}
	return h
}

func (s *Session) surface() surface {
	if s.Scene.Task == LookAround {
		return sphere{s.Scene.Width, s.Scene.Height}
	}
	perDegree, _ := s.Screen.PixelsPerDegree() // validScreen has refused unknown geometry
	return plane{perDegree}
}
