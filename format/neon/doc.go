// Package neon reads native recordings of Pupil Labs Neon, as the Companion
// app writes them: the file "gaze ps1.raw" (or gaze_200hz.raw) with the files
// of the same recording beside it. Each sensor has a .raw file of records, a
// .time file of Unix times in ns and a .dtype file that lays out a record.
//
// Further parts (ps2, …) continue the recording. Pupils, whether the glasses
// were worn, fixations, saccades and blinks are read with the gaze; eyeball
// centres, optical axes and info.json do not enter.
package neon
