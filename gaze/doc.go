// Package gaze holds the data model: what an eye tracker saw of one person.
//
// A [Recording] is one trial of one person: columns of [Samples], lists of
// events ([Fixation], [Saccade], [Blink]) and named [Signal]s, any of them
// absent, with the unit of its positions and the geometry of its [Screen].
// Recordings that share Participant and Session belong together: privacy
// accounting calls all of them one recording of one subject.
//
// Lost samples are NaN. Times are durations since the start of the recording;
// absolute times never enter the model. The package imports nothing of the
// project and does no input or output.
package gaze
