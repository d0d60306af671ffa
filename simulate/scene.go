package simulate

import (
	"fmt"
	"math"

	"github.com/gazeward/gazeward/gaze"
)

// Task says how a scene is looked at.
type Task uint8

// Tasks.
const (
	FreeViewing Task = iota // a picture, objects drawn by weight
	Reading                 // a page, word by word
	LookAround              // an equirectangular panorama, yaw and pitch
)

var taskNames = [...]string{"free viewing", "reading", "looking around"}

// String returns the task's name in recordings.
func (t Task) String() string {
	if int(t) < len(taskNames) {
		return taskNames[t]
	}
	return fmt.Sprintf("Task(%d)", uint8(t))
}

// Kind says how an object is painted.
type Kind uint8

// Kinds of objects.
const (
	Box    Kind = iota // a rectangle
	Oval               // the ellipse in its rectangle
	Figure             // a person: an oval head above shoulders
	Label              // Text on a rectangle
)

// Color is red, green, blue.
type Color [3]uint8

// Object is a thing in a scene: what is painted, and with a weight what is
// looked at. Its rectangle doubles as an area of interest.
type Object struct {
	Name       string
	Kind       Kind
	X, Y, W, H float64 // px from the scene's top left
	Weight     float64 // share of looks relative to the other objects; 0 = background
	Color      Color
	Text       string // of a Label
}

// Word is one word of a page.
type Word struct {
	Text string
	X, W float64 // px
}

// Line is a line of words.
type Line struct {
	Y, H  float64 // px: top and height
	Words []Word
}

// Scene is what is looked at: a picture in px, painted from its list of objects
// in order, then its lines of text.
type Scene struct {
	Name          string
	Task          Task
	Width, Height float64 // px
	Background    Color
	Objects       []Object
	Lines         []Line // of a page: what Reading reads
}

// Parameters of a screen that a scene fills: a common desktop monitor.
const (
	pixelCm    = 0.0277
	distanceCm = 60
)

// Screen is the geometry of a scene shown pixel for pixel: on a monitor 60 cm
// away (37.8 px/deg), or as a panorama around the viewer.
func (s *Scene) Screen() gaze.Screen {
	screen := gaze.Screen{Width: int(s.Width), Height: int(s.Height)}
	if s.Task == LookAround {
		screen.Origin = gaze.Center
		screen.FieldWidthDeg, screen.FieldHeightDeg = 360, 180
		return screen
	}
	screen.WidthCm, screen.HeightCm, screen.DistanceCm = pixelCm*s.Width, pixelCm*s.Height, distanceCm
	return screen
}

// HotSpots lists the objects with a weight.
func (s *Scene) HotSpots() []Object {
	var out []Object
	for _, o := range s.Objects {
		if o.Weight > 0 {
			out = append(out, o)
		}
	}
	return out
}

// Resize returns the scene scaled to another size in px.
func (s Scene) Resize(width, height float64) Scene {
	fx, fy := width/s.Width, height/s.Height
	s.Width, s.Height = width, height
	objects, lines := s.Objects, s.Lines
	s.Objects, s.Lines = make([]Object, len(objects)), make([]Line, len(lines))
	for i, o := range objects {
		o.X, o.Y, o.W, o.H = o.X*fx, o.Y*fy, o.W*fx, o.H*fy
		s.Objects[i] = o
	}
	for i, l := range lines {
		words := make([]Word, len(l.Words))
		for j, w := range l.Words {
			words[j] = Word{w.Text, w.X * fx, w.W * fx}
		}
		s.Lines[i] = Line{l.Y * fy, l.H * fy, words}
	}
	return s
}

// Validate refuses scenes that cannot be looked at.
func (s *Scene) Validate() error {
	if !(s.Width >= 1 && s.Height >= 1 && s.Width <= 1e5 && s.Height <= 1e5) {
		return fmt.Errorf("simulate: scene %q: size must be 1 to 100000 px, got %g × %g", s.Name, s.Width, s.Height)
	}
	switch s.Task {
	case FreeViewing, LookAround:
		if len(s.HotSpots()) == 0 {
			return fmt.Errorf("simulate: scene %q has no object with a weight", s.Name)
		}
	case Reading:
		if len(words(s)) == 0 {
			return fmt.Errorf("simulate: scene %q has no words to read", s.Name)
		}
	default:
		return fmt.Errorf("simulate: scene %q has the unknown task %v", s.Name, s.Task)
	}
	for _, o := range s.Objects {
		if err := s.validObject(o); err != nil {
			return err
		}
	}
	return nil
}

func (s *Scene) validObject(o Object) error {
	for _, v := range [...]float64{o.X, o.Y, o.W, o.H, o.Weight} {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("simulate: scene %q: object %q has a number that is not finite", s.Name, o.Name)
		}
	}
	if o.W <= 0 || o.H <= 0 || o.Weight < 0 {
		return fmt.Errorf("simulate: scene %q: object %q needs a positive size and no negative weight", s.Name, o.Name)
	}
	if cx, cy := o.X+o.W/2, o.Y+o.H/2; o.Weight > 0 && !(cx >= 0 && cy >= 0 && cx < s.Width && cy < s.Height) {
		return fmt.Errorf("simulate: scene %q: the middle of object %q lies outside", s.Name, o.Name)
	}
	return nil
}
