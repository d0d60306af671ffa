// Package fixations reads lists that other programs make of recordings:
// fixation and sample reports of EyeLink Data Viewer, and the event lists of
// GazePlotter. Lists with usual column names need no room of their own:
// format/delimited reads them.
package fixations
