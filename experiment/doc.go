// Package experiment runs mechanisms over data sets and measures what they
// are worth: data set × mechanism × ε → a table of values with their spread.
//
// Everything here is evaluation in the curator's hands: noise is seeded, so
// that a table can be made again, and every release inside an experiment is
// void. Controls (chance, the noise-free value) stand in the tables.
package experiment
