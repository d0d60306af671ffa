// Package formattest is the conformance suite of file formats: what every
// reader must do with whole, damaged, re-encoded and hostile files.
package formattest
