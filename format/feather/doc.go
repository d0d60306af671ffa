// Package feather reads and writes Arrow IPC files (feather version 2).
//
// Tables are written as pymovements reads them: time in ms, positions nested
// in lists called pixel or position. What is read: these, the canonical
// columns, and any other table by a mapping. The only room that knows Apache
// Arrow.
package feather
