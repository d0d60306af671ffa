// Package format reads eye-tracking files into [gaze.Recording]s.
//
// A [Format] is a plain value: a name, a function that says how well a file's
// first bytes fit, and a function that streams its recordings. Rooms
// format/<name> hold one each; format/all lists them and opens files. What
// readers of different files share lives here: the [Input] they read, the
// [Mapping] of a table's columns, the [Report] of what was dropped and odd, the
// located [SyntaxError], and the [Summary] a reader's output is described by.
//
// Only canonical columns enter the model. Names, dates, serial numbers, free
// text and every column nobody asked for are dropped at the door and listed in
// the Report; absolute times become durations since the recording's start.
package format
