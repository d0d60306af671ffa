package simulate

import (
	"errors"
	"fmt"
	"math"

	"github.com/gazeward/gazeward/gaze"
	"github.com/gazeward/gazeward/noise"
)

// Cohort is a group of people who look at scenes.
type Cohort struct {
	People   int         // required
	Sessions int         // default 1: how often the same people come back
	Scenes   []Scene     // required: everybody sees all of them in every session
	Seconds  float64     // required: per scene
	Rate     gaze.Hertz  // default DefaultRate
	Screen   gaze.Screen // default: each scene's own
	Loss     float64     // share of samples lost beside blinks; default none
	Truth    bool        // attach planned fixations, saccades and blinks
}

// Recordings streams one recording per person, session and scene, in pieces, in
// this order. It holds one piece in memory, and starts again with the same
// people whenever it is iterated: src is drawn from once. Participants are P1,
// P2, … with leading zeros; a person's habits do not depend on how many others
// there are.
func (c Cohort) Recordings(src *noise.Source) gaze.Seq {
	seed := src.Uint64()
	return func(yield func(*gaze.Recording, error) bool) {
		if err := c.validate(); err != nil {
			yield(nil, err)
			return
		}
		for i := range c.People {
			for _, s := range c.person(i, noise.Seeded(seed+uint64(i))) {
				for piece, err := range s.session.Recording(s.src) {
					if !yield(piece, err) || err != nil {
						return
					}
				}
			}
		}
	}
}

// Viewers returns the people that Recordings simulates from an equal source.
func (c Cohort) Viewers(src *noise.Source) []Viewer {
	seed := src.Uint64()
	all := make([]Viewer, c.People)
	for i := range all {
		all[i] = NewViewer(noise.Seeded(seed + uint64(i)))
	}
	return all
}

type booked struct {
	session Session
	src     *noise.Source
}

// person lists the sessions of person i: habits first, then interests per
// scene, then each session's own noise.
func (c *Cohort) person(i int, src *noise.Source) []booked {
	viewer := NewViewer(src)
	viewers := make([]Viewer, len(c.Scenes))
	for j := range c.Scenes {
		viewers[j] = viewer.Interested(&c.Scenes[j], src)
	}
	var all []booked
	digits := 1 + int(math.Log10(float64(c.People)))
	for k := range max(1, c.Sessions) {
		for j, scene := range c.Scenes {
			all = append(all, booked{Session{
				Viewer: viewers[j], Scene: scene, Screen: c.Screen, Seconds: c.Seconds, Rate: c.Rate, Loss: c.Loss, Truth: c.Truth,
				Participant: fmt.Sprintf("P%0*d", digits, i+1), Session: fmt.Sprint(k + 1),
			}, src.Split()})
		}
	}
	return all
}

func (c *Cohort) validate() error {
	switch {
	case c.People < 1:
		return fmt.Errorf("simulate: people must be at least 1, got %d", c.People)
	case c.Sessions < 0:
		return fmt.Errorf("simulate: sessions must not be negative, got %d", c.Sessions)
	case len(c.Scenes) == 0:
		return errors.New("simulate: a cohort needs a scene")
	}
	for i := range c.Scenes {
		if err := c.Scenes[i].Validate(); err != nil {
			return err
		}
	}
	return nil
}
