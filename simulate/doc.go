// Package simulate makes people look: at pictures with hot spots, at a page of
// text, around a room on the sphere. Each person has a [Viewer]'s habits; a plan
// of fixations is drawn from them and rendered sample by sample, with drift and
// tremor, saccades on the main sequence, blinks, losses and a pupil.
//
// A [Cohort] streams recordings of many people; a [Scene] knows its objects
// (areas of interest to be), how to be painted, and the density of looking time
// that its viewers have in expectation. Nothing here is anybody's gaze. The demo,
// the studio, synthesis, experiments and tests live on it.
//
// Defaults follow the textbooks: fixations of 200–330 ms (Rayner 1998) with a
// log-normal law, saccades of 2.2 ms/deg·A + 21 ms (Carpenter 1988) along
// minimum-jerk profiles (Hogan 1984), fixational drift as an
// Ornstein–Uhlenbeck process, 15 blinks a minute.
package simulate
