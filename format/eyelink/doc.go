// Package eyelink reads EyeLink ASC files, the text that SR Research's edf2asc
// writes, and recognises the binary EDF in order to refuse it with a hint.
//
// Every START/END block becomes one recording, its times counted from START;
// what its sample lines hold is told by the block's SAMPLES line. Samples in
// blinks are lost. Header lines with names, dates and serial numbers,
// calibration data and the text of messages do not enter the model.
package eyelink
