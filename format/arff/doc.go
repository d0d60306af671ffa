// Package arff reads gaze in the ARFF files of GazeCom and 360_em (Agtzidis,
// Startsev, Dorr: In the pursuit of (ground) truth, ETVIS 2016), and the older
// .coord files of GazeCom.
package arff
