package synth_test

import (
	"fmt"
	"time"

	"github.com/gazeward/gazeward/mechanism/synth"
	"github.com/gazeward/gazeward/noise"
)

// A headset reports its windows one by one; a curator collects what many of them
// tell.
func Example() {
	m := synth.DPGazeSynth{Epsilon: 1, Area: synth.Area{Width: 1920, Height: 1080}, Radius: 54}
	device, err := m.Device()
	if err != nil {
		panic(err)
	}
	curator, err := m.Curator()
	if err != nil {
		panic(err)
	}
	src := noise.Secure()
	for range 20 {
		var window []synth.Sample // half a second of gaze
		for i := range 30 {
			window = append(window, synth.Sample{T: time.Duration(i) * 16 * time.Millisecond, X: 700, Y: 400})
		}
		if report, ok := device.Window(window, src); ok {
			if err := curator.Add(report); err != nil {
				panic(err)
			}
		}
	}
	fmt.Println(curator.Reports, "reports;", m.Guarantee())
	// Output: 20 reports; 1-DP per window, replace one by another that starts within a radius of 54 px, local
}
