// Package matlab reads MATLAB version 5 files (saved with -v6 or -v7): numeric
// arrays of every class, text, structs and cells, nested, compressed or not,
// of both byte orders. [Load] returns a variable as a tree of [Value]s; as a
// format, a [format.Mapping] says with paths where time and positions are:
//
//	x: data.gaze(:,1)               column 1 of a matrix in a struct
//	x: trials{}.x                   of each cell, or each element of a struct array
//	participant: trials{}.people{#} the number of the element, from 1
//
// One variable at a time is held in memory. Version 7.3 is HDF5 and refused
// with a hint.
package matlab
