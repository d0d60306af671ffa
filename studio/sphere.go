package studio

import (
	"github.com/gazeward/gazeward/gaze"
)

// Names of surfaces, as mechanisms take them.
const surfaceField, onSphere = "surface", "sphere"

// viewWidth and viewHeight are the part of the sphere that a preview shows, in
// degrees: straight ahead, as wide as headsets show.
const viewWidth, viewHeight = 100.0, 75.0

// sphere reports whether the choice is about directions around the head instead
// of positions on a screen: as the data are, or as it was typed without data.
func (c *choice) sphere() bool {
	f, takes := c.Spec.Field(surfaceField)
	if !takes {
		return false
	}
	if data := c.found(); data != nil {
		return data.Peek.Spheric
	}
	return or(c.Values[surfaceField], f.Default) == onSphere
}

// startingOnSphere are the lengths to begin with: a sphere has no width to take
// a share of.
var startingOnSphere = map[string]string{"radius": "5deg", "sigma": "2deg"}

// onto puts lengths to begin with into degrees, where nobody has typed others.
func (c *choice) onto() {
	if !c.sphere() {
		return
	}
	for name, v := range startingOnSphere {
		if c.Values[name] == starting[name] && c.Values[name] != "" {
			c.Values[name] = v
		}
	}
}

// lengthOnSphere refuses lengths that only a screen has.
func lengthOnSphere(name, typed string) error {
	l, err := gaze.ParseLength(typed)
	if err == nil && l.Unit != gaze.LengthDegrees {
		return refuse(humanName(name)+" "+typed+": around the head there are no pixels, and nothing to take a share of.", "Give it in degrees, for example 5deg.")
	}
	return err
}

// directions are simulated people's positions in the scene as directions: the
// scene fills the view.
func directions(x, y float64, screen gaze.Screen) (yaw, pitch float64) {
	return (x/float64(screen.Width) - 0.5) * viewWidth, (0.5 - y/float64(screen.Height)) * viewHeight
}

// inView is where a direction lies in the picture of the view.
func inView(yaw, pitch float64, screen gaze.Screen) (x, y float64) {
	return (yaw/viewWidth + 0.5) * float64(screen.Width), (0.5 - pitch/viewHeight) * float64(screen.Height)
}
