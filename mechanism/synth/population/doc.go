// Package population synthesises gaze that is nobody's: no path of a subject is
// reused, only laws of all of them together (MECHANISMS §6, SYNTHESIS §3 and 4).
//
//   - [Central]: a trusted curator releases one noisy mean of clipped vectors, one
//     vector per subject: blurred dwell density, dwell per column and per row, time
//     between saccades, amplitude × direction of saccades. One Gaussian covers it.
//   - [Local]: every subject's own device answers one question about the subject,
//     drawn by a coin that has seen no data, with all of ε.
//
// The unit of privacy is the subject with everything recorded of them.
// Everything after the noise is free: estimation against a named public [Prior],
// whose strength is chosen by splitting the release into independent parts, and
// a generator of samples (drift, main-sequence saccades, blinks) whose
// potentials are fitted by looking at what it makes with the same detector.
//
// RMSE to a real path has no meaning here. Fixation density, durations and
// amplitudes have; the order of fixations beyond pairs does not.
package population
