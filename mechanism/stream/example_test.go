package stream_test

import (
	"fmt"
	"iter"
	"time"

	"github.com/gazeward/gazeward/detect"
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/grid"
	"github.com/gazeward/gazeward/mechanism/stream"
	"github.com/gazeward/gazeward/noise"
)

// An eye tracker's software development kit hands every sample to the stream and
// forwards what it gets back, at once.
func ExampleKaleido_Stream() {
	k := stream.Kaleido{
		Epsilon: 3, Window: 500 * time.Millisecond, Radius: 72, // px
		Surface: stream.Surface{Width: 2560, Height: 1440},
		Smooth:  stream.Smooth{Filter: true, Glide: 40 * time.Millisecond},
	}
	s, err := k.Stream(noise.Secure())
	if err != nil {
		fmt.Println(err)
		return
	}
	tracker := func(i int) (t time.Duration, x, y float64) {
		return time.Duration(i) * 4 * time.Millisecond, 1280, 720
	}
	inside := 0
	for i := range 250 {
		x, y := s.Next(tracker(i))
		if x >= 0 && x < 2560 && y >= 0 && y < 1440 {
			inside++
		}
	}
	fmt.Println(k.Guarantee())
	fmt.Println(inside, "of 250 samples on the screen")
	// Output:
	// 3 per 72 px geo-indistinguishability per window, shifted within a radius, local
	// 250 of 250 samples on the screen
}

// Samples in, samples out, in directions around the head.
func ExampleStream_All() {
	f := stream.Fixed{Epsilon: 3, Window: time.Second, Radius: 2, Surface: stream.Surface{Sphere: true}, Every: 300 * time.Millisecond}
	s, err := f.Stream(noise.Secure())
	if err != nil {
		fmt.Println(err)
		return
	}
	var still iter.Seq[stream.Sample] = func(yield func(stream.Sample) bool) {
		for i := range 100 {
			if !yield(stream.Sample{T: time.Duration(i) * 10 * time.Millisecond, X: 10, Y: -5}) {
				return
			}
		}
	}
	positions := map[[2]float64]bool{}
	for p := range s.All(still) {
		positions[[2]float64{p.X, p.Y}] = true
	}
	fmt.Println(len(positions), "positions in a second")
	// Output: 4 positions in a second
}

// An application that only wants to know whether the button is looked at gets no
// position.
func ExampleGatekeeper() {
	g := stream.Gatekeeper{
		Screen:   gaze.Screen{Width: 800, Height: 600, WidthCm: 40, HeightCm: 30, DistanceCm: 60},
		Areas:    grid.AOIs{{Name: "button", X: 500, Y: 400, Width: 100, Height: 50}},
		Kinds:    []stream.Kind{stream.SaccadeInto, stream.FixationIn},
		Detector: detect.Standard(),
	}
	gate, err := g.Open(func(e stream.Event) { fmt.Println(e.Kind, e.Area, e.Duration) })
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 200 {
		x, y := 100.0, 100.0
		if i >= 100 {
			x, y = 550, 425
		}
		if err := gate.Next(time.Duration(i)*5*time.Millisecond, x, y); err != nil {
			fmt.Println(err)
		}
	}
	gate.Close()
	// Output:
	// saccade button 15ms
	// fixation button 490ms
}
