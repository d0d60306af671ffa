// Package pupilcore reads what Pupil Player exports of Pupil Core recordings:
// gaze_positions.csv with fixations.csv and blinks.csv beside it, gaze on
// surfaces (gaze_positions_on_surface_<name>.csv), and fixations.csv alone.
//
// Positions count from the top left, as everywhere here; the files count from
// the bottom left. Positions of low confidence are lost. The eye model in three
// dimensions says how a person's eyes lie in the head and does not enter.
package pupilcore
