// Package studio is the web page of the curator's machine: people bring
// recordings, see on simulated people what a promise costs, spend once, and take
// away a package that others can check.
//
// Everything is served from the program itself: templates, style and scripts
// are embedded, pictures come from package report, releases from package
// curator. Every page has an address that says all of its state, and a twin in
// JSON (?format=json, or Accept: application/json).
//
// What a page shows comes in three kinds, kept apart: public facts about the
// data (how many people, which stimuli, which screen), previews, which are made
// of simulated people alone, and the curator's own look at a recording, which is
// marked and cannot be downloaded as a release. Nothing is computed from private
// data for a preview.
//
// Who may ask is decided in guard.go. Nothing about the data is ever logged.
package studio
