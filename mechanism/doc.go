// Package mechanism holds what all mechanisms share: the plan they state
// before data are read, the release they return, and the [Spec] by which the
// command line, the studio, the experiments and the conformance suite choose
// them by name.
//
// The mechanisms themselves are plain structs in the rooms below; package
// mechanism/all lists their Specs.
package mechanism
