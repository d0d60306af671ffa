// Package dataset knows folders of recordings: which files hold them, who was
// recorded, in which session, doing what, looking at what.
//
// A [Definition] says so for one data set; [All] lists those that come with
// the program, [ParseDefinition] reads others from YAML (ours, or of the Python
// package pymovements), [FromPattern] makes one of a file name's pattern.
// [Match] finds the one that fits a folder and says why. A [Folder] joins a definition with a file system and a
// [format.Opener] and streams the recordings.
package dataset
