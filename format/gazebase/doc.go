// Package gazebase reads the recordings of GazeBase (Griffith et al.,
// Scientific Data 2021) and GazeBaseVR (Lohr et al., Scientific Data 2023):
// CSV files whose header line and file names are fixed.
package gazebase
