// Package gazeward lets people who hold eye-tracking recordings release what
// is useful in them while the people in them stay protected by differential
// privacy. The package itself is empty: it is the map of the house.
//
// # The way of the data
//
//  1. read: format opens a file as a sequence of gaze.Recording (one file may
//     hold many people): samples, events, named signals, any of them absent;
//     units and screen geometry; identity columns are dropped at the door
//  2. shape: detect, grid turn recordings into what a mechanism takes: events,
//     per-subject maps, statistics of areas of interest
//  3. promise: a mechanism's Guarantee is computed from its parameters alone,
//     before any data are read
//  4. pay: account.Ledger charges it, or refuses; durable before anything is drawn
//  5. release: the mechanism draws its noise from package noise and returns a
//     release that carries its guarantee
//  6. tell: manifest and report write the files, the label and the pictures
//  7. check: metric and audit measure what it is worth and try to break it
//
// # Rooms
//
//	gaze/         recordings, events, screens; units as types; lost = NaN
//	dp/           guarantees as values: measure, unit, neighbours, model, void(why); conversions
//	noise/        samplers over a Source (Secure | Seeded); knows scales and grids, never epsilons
//	calibrate/    (guarantee, sensitivity) → scale; rounds against us
//	account/      exact budgets, composition, temporal leakage, the Ledger and its Store; account/sqlite its file
//	format/       the Format value, Sniff, SyntaxError; format/<name> one room per file format; format/all the list
//	dataset/      a folder of recordings: one Definition per data set
//	simulate/     people looking: a plan of fixations → sample-level gaze
//	detect/       I-VT, I-DT, saccades, blinks
//	grid/         dwell and fixation maps, areas of interest
//	mechanism/    Release, Spec: what mechanisms share and how they are chosen by name
//	mechanism/heatmap   half-blur, Liu et al. 2019, baselines, areas of interest; estimate/ makes pictures of releases
//	mechanism/all the list
//	metric/       what a map is worth: CC, MSE, SIM, KL, NSS, AUC
//	audit/        lower bounds on ε for a black box
//	experiment/   data set × mechanism × metric → a table
//	manifest/     what a release says about itself; signing, verifying, exports
//	report/       maps, charts, tables → PNG, HTML, CSV, NPY, Parquet; the only room that draws
//	curator/      the trusted side: data set + ledger; charge, then release, then tell
//	cmd/gazeward  one file per verb; ui.go holds the rules of terminal output
//
// Test rooms: internal/stattest, gaze/gazetest, format/formattest,
// mechanism/mechtest. Who may import whom is written in deps_test.go.
package gazeward
