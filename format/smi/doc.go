// Package smi reads raw samples of SMI eye trackers as BeGaze and the IDF
// Converter write them as text: lines of ## settings, a header line, then SMP
// lines with samples and MSG lines with messages. Each trial is a recording.
package smi
