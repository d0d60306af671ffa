package anonymity_test

import (
	"fmt"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/mechanism/anonymity"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

func ExampleKSameSynth() {
	people := simulate.Cohort{People: 8, Scenes: []simulate.Scene{simulate.ShopWindow()}, Seconds: 5}
	m := anonymity.KSameSynth{K: 4}
	r, err := m.Protect(people.Recordings(noise.Seeded(1)), noise.Secure())
	if err != nil {
		fmt.Println(err)
		return
	}
	released, err := gaze.Collect(r.Recordings)
	fmt.Println(len(released), "recordings,", m.Statement(), err)
	_, void := r.Guarantee.Void()
	fmt.Println("guarantee is void:", void)
	// Output:
	// 8 recordings, k-anonymity, k = 4 among random groups of people who saw the same stimulus <nil>
	// guarantee is void: true
}
