// Package canonical is the table into which every recording fits and that
// every reader of tables understands: one row per sample, one row per event.
// It reads and writes it as CSV; format/parquet and format/feather store the
// same columns in their ways.
//
// # Samples
//
//	recording    number of the recording in the table, from 0
//	participant, session, task, trial, stimulus
//	t_ns         time since the recording's start, ns
//	unit         of positions: px, deg, norm, rad, mm, unknown
//	pupil_unit   mm, au_area, au_diam, px, unknown
//	x, y, pupil, confidence          cyclopean, or an eye that is not stated
//	x_left, y_left, pupil_left …     left eye
//	x_right …                        right eye
//	label        none, fixation, saccade, pursuit, blink, noise, oscillation
//	signal:NAME [UNIT]               named signals
//
// Columns that no recording has are left out. An empty cell (a null) is lost.
//
// # Events
//
//	recording … stimulus, event (fixation, saccade, blink), eye, onset_ns, duration_ns,
//	unit, x, y (of a saccade: where it begins), x_end, y_end, pupil, pupil_unit,
//	amplitude_deg, peak_velocity_deg_s
//
// # Sidecar
//
// What does not stand in rows (rates, frames of reference, screens, which
// columns each recording has) is JSON beside the table, or inside it where the
// storage has room.
package canonical
