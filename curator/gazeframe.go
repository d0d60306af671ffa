package curator

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"github.com/gazeward/gazeward/gaze"
)

// frame is where all recordings of a release are brought: px from the top left of
// one screen, or directions on the sphere in degrees.
type frame struct {
	unit   gaze.Unit
	screen gaze.Screen
	sphere bool
}

// length turns a typed length into the frame's unit.
func (f frame) length(typed string) (string, error) {
	l, err := gaze.ParseLength(typed)
	if err != nil {
		return "", err
	}
	if f.sphere {
		if l.Unit != gaze.LengthDegrees {
			return "", errors.New("curator: the positions are directions: lengths are in deg")
		}
		return l.String(), nil
	}
	px, err := l.Pixels(f.screen)
	return strconv.FormatFloat(px, 'g', -1, 64) + "px", err
}

// takes refuses recordings that do not fit, without naming them.
func (f frame) takes(h *gaze.Header) error {
	angular := h.Unit == gaze.Degrees || h.Unit == gaze.Radians
	switch {
	case f.sphere && (!angular || h.Frame == gaze.OnScreen):
		return fmt.Errorf("curator: the recordings mix directions with positions in %v on a screen: release them apart", h.Unit)
	case f.sphere:
		return nil
	case h.Frame == gaze.EyeInHead && !h.Screen.HasGeometry():
		return errors.New("curator: the positions are angles of the eye in the head: this mechanism needs gaze on a screen or directions in the world")
	case h.Screen.Width != f.screen.Width || h.Screen.Height != f.screen.Height:
		return fmt.Errorf("curator: the recordings have screens of different sizes, %d × %d px and %d × %d px: release them apart",
			f.screen.Width, f.screen.Height, h.Screen.Width, h.Screen.Height)
	}
	_, _, err := h.Screen.ToTopLeftPixels(0, 0, h.Unit)
	return err
}

// put brings a piece into the frame: time stamps and positions of all eyes, and
// nothing else. out is reused.
func (f frame) put(out, r *gaze.Recording) error {
	if err := f.takes(&r.Header); err != nil {
		return err
	}
	old := out.Samples
	*out = gaze.Recording{Header: r.Header, Continues: r.Continues}
	out.Unit, out.PupilUnit = f.unit, gaze.PupilUnknown
	if !f.sphere {
		out.Frame, out.Screen.Origin = gaze.OnScreen, gaze.TopLeft
	}
	out.Samples.T = append(old.T[:0], r.Samples.T...)
	for e := range r.Samples.Tracks {
		from, to := &r.Samples.Tracks[e], &old.Tracks[e]
		if !from.Present() {
			continue
		}
		x, y := to.X[:0], to.Y[:0]
		for i := range min(len(from.X), len(from.Y)) {
			px, py := f.position(&r.Header, from.X[i], from.Y[i])
			x, y = append(x, px), append(y, py)
		}
		out.Samples.Tracks[e] = gaze.Track{X: x, Y: y}
	}
	return nil
}

func (f frame) position(h *gaze.Header, x, y float64) (float64, float64) {
	if f.sphere {
		if h.Unit == gaze.Radians {
			x, y = x*180/math.Pi, y*180/math.Pi
		}
		return x, y
	}
	px, py, err := h.Screen.ToTopLeftPixels(x, y, h.Unit)
	if err != nil { // refused by takes
		return math.NaN(), math.NaN()
	}
	return px, py
}
