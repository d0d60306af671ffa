// Package classify holds small learners: nearest neighbours, support vector
// machines, decision trees, random forests, RBF networks and discriminant
// embeddings, with the ways of splitting, voting and counting that go with
// them. It knows vectors and labels only.
//
// Defaults are the settings of the papers on gaze privacy: k = 11 neighbours
// with random tie break, an RBF kernel with C = 1 and automatic scale, forests
// of 10 trees, z-scores fitted on the training data (Bozkir et al. 2021), RBF
// networks with 32 hidden nodes per person (Ren et al. 2024). [Papers] lists
// them by name.
//
// Everything is a function of the data and of a [noise.Source]: equal sources
// give equal models, on any number of processors. Models do not change once
// fitted and are safe for concurrent use.
package classify
