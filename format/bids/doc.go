// Package bids reads and writes eye tracking in the Brain Imaging Data
// Structure, version 1.11: headerless *_physio.tsv.gz files whose columns,
// units and eye stand in JSON sidecars that inherit from the folders above,
// and *_physioevents.tsv.gz with what the tracker detected.
//
// The files of one recording's eyes (recording-eye1, recording-eye2) are read
// together, as one recording.
package bids
