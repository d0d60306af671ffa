// Package gazeward lets people who hold eye-tracking recordings release what
// is useful in them while the people in them stay protected by differential
// privacy. The package itself is empty: it is the map of the house.
//
// # The way of the data
//
//  1. read: format opens a file as a sequence of gaze.Recording (one file may
//     hold many people): samples, events, named signals, any of them absent;
//     units and screen geometry; identity columns are dropped at the door
//  2. shape: detect, grid, feature turn recordings into what a mechanism takes:
//     events, per-subject maps, statistics of areas of interest, signals
//  3. promise: a mechanism's Guarantee is computed from its parameters alone,
//     before any data are read
//  4. pay: account.Ledger charges it, or refuses; durable before anything is drawn
//  5. release: the mechanism draws its noise from package noise and returns a
//     release that carries its guarantee
//  6. tell: manifest and report write the files, the label and the pictures
//  7. check: metric, attack and audit measure what it is worth and try to break
//     it
//
// # Rooms
//
//	gaze/         recordings, events, screens; units as types; lost = NaN
//	signal/       sequences of numbers: differences, Fourier and cosine transforms; knows no gaze
//	dp/           guarantees as values: measure, unit, neighbours, model, void(why); conversions
//	noise/        samplers over a Source (Secure | Seeded); knows scales and grids, never epsilons
//	calibrate/    (guarantee, sensitivity) → scale; rounds against us
//	account/      exact budgets, composition, temporal leakage, the Ledger and its Store; account/sqlite its file
//	format/       the Format value, Sniff, SyntaxError; format/<name> one room per file format; format/all the list
//	dataset/      a folder of recordings: one Definition per data set
//	simulate/     people looking: a plan of fixations → sample-level gaze
//	detect/       I-VT, I-DT, saccades, blinks
//	grid/         dwell and fixation maps, areas of interest
//	feature/      the 52 windowed features, saccade words; public bounds; what t seconds of gaze touch
//	mechanism/    Release, Spec, Paths, the clip, the paid choice: what mechanisms share and how they are chosen by name
//	mechanism/heatmap   half-blur, Liu et al. 2019, baselines, areas of interest; estimate/ makes pictures of releases
//	mechanism/series    feature signals: LPA, FPA, CFPA, DCFPA, Steil, one Gaussian, means of people
//	mechanism/stream    gaze sample by sample: Kaleido, a fixed schedule; baselines; the gatekeeper
//	mechanism/synth     DPGazeSynth: devices and curator; oracle/ counts in the local model; population/ synthesis of nobody's gaze
//	mechanism/anonymity k-same, plausible deniability, marginals: not differential privacy, and said so
//	mechanism/all the list
//	metric/       what a map or a path is worth: CC, MSE, SIM, KL, NSS, AUC; position and density errors
//	classify/     small learners: vectors and labels only
//	attack/       identification, membership, reconstruction, each beside its chance line and its ceiling
//	audit/        lower bounds on ε for a black box; the faults that it must catch
//	experiment/   data set × mechanism × metric × attack → a table; the papers' tables are values of it
//	manifest/     what a release says about itself; signing, verifying, exports
//	report/       maps, scan paths, curves, tables, labels → PNG, HTML, CSV, NPY, Parquet; the only room that draws
//	curator/      the trusted side: data set + ledger; charge, then release, then tell
//	studio/       the web page: the same jobs and pictures as the command line
//	cmd/gazeward  one file per verb; ui.go holds the rules of terminal output
//
// Test rooms: internal/stattest, gaze/gazetest, format/formattest,
// mechanism/mechtest. Who may import whom is written in deps_test.go.
package gazeward
