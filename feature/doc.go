// Package feature turns gaze into the 52 windowed eye-movement features of
// MPIIDPEye (Steil et al. 2019), in that data set's column order: rates and
// ratios of fixations, saccades and blinks, their durations and amplitudes,
// pupil sizes, and counts of saccade words (Bulling et al. 2011).
//
// Every value depends on nothing but the samples inside its window: events are
// found as if the window were the whole recording. So t seconds of gaze touch
// [Options.Touches] windows and no others, which is what promises for "any t
// seconds of gaze" are built on. [Options.Bounds] gives public bounds that are
// known before any data are read.
//
// Windows slide. What enters and leaves them is added to and taken from sums of
// integers, so that nothing drifts, and time grows with samples plus windows,
// not with samples times windows.
package feature
