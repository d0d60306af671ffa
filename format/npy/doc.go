// Package npy reads structured NumPy arrays (.npy), one record per sample, and
// writes arrays of numbers as .npy and .npz.
//
// The format is NumPy's NEP 1: a magic string, a Python literal that describes
// the records, then the records themselves.
package npy
