// Package grid turns what one person looked at into vectors: maps of dwell
// time and fixation counts over the cells of a [Grid], and statistics over
// areas of interest ([AOI]).
//
// Coordinates are pixels from the top left corner of the stimulus or screen,
// as [gaze.Screen.ToTopLeftPixels] gives them; cells are numbered row by row
// from the top left. What falls outside is counted as outside and never moved
// to the border. Everything is accumulated in one pass over pieces of
// recordings: memory grows with cells, not with samples.
package grid
