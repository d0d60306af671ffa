package gazetest

import (
	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
	"github.com/gazeward/gazeward/simulate"
)

// seed is the same everywhere, so that a failing test fails again.
const seed = 20190614

// Cohort is a group small enough for any test: n people before the shop window
// for 3 s at 120 Hz, without losses beside blinks.
func Cohort(n int) simulate.Cohort {
	return simulate.Cohort{People: n, Seconds: 3, Rate: 120, Scenes: []simulate.Scene{simulate.ShopWindow()}}
}

// Recordings collects what a cohort sees. It panics on a cohort that cannot be
// simulated, which is a mistake of the test.
func Recordings(c simulate.Cohort) []*gaze.Recording {
	all, err := gaze.Collect(c.Recordings(noise.Seeded(seed)))
	if err != nil {
		panic(err)
	}
	return all
}

// People returns recordings of n people; see [Cohort].
func People(n int) []*gaze.Recording { return Recordings(Cohort(n)) }

// Lossy returns recordings of n people of whom a share of the samples is lost.
func Lossy(n int, share float64) []*gaze.Recording {
	c := Cohort(n)
	c.Loss = share
	return Recordings(c)
}

// Annotated returns recordings of n people with the fixations, saccades and
// blinks they were made from, as a file with events would state them.
func Annotated(n int) []*gaze.Recording {
	c := Cohort(n)
	c.Truth = true
	return Recordings(c)
}

// Readers returns recordings of n people who read a page for 5 s at 250 Hz.
func Readers(n int) []*gaze.Recording {
	return Recordings(simulate.Cohort{People: n, Seconds: 5, Rate: 250, Scenes: []simulate.Scene{simulate.TextPage()}})
}

// Wanderers returns recordings of n people who look around a room for 5 s at
// 120 Hz: yaw and pitch, with signals of the head.
func Wanderers(n int) []*gaze.Recording {
	return Recordings(simulate.Cohort{People: n, Seconds: 5, Rate: 120, Scenes: []simulate.Scene{simulate.Room()}})
}

// FixationsOnly turns n people's recordings into those of a file that states
// fixations and no samples.
func FixationsOnly(n int) []*gaze.Recording {
	all := Annotated(n)
	for _, r := range all {
		r.Samples, r.Saccades, r.Blinks, r.Rate = gaze.Samples{}, nil, nil, 0
	}
	return all
}
