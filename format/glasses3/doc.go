// Package glasses3 reads the gaze stream of Tobii Pro Glasses 3 recordings:
// gazedata or gazedata.gz, one JSON object per line. Positions are those in the
// scene video. The eyeball centres of every sample say how a person is built
// and do not enter.
package glasses3
