// Package all lists every format and opens files.
//
// Import it by a name of its own:
//
//	import formats "github.com/gazeward/gazeward/format/all"
//
// It is the only room of formats that knows the operating system's files.
package all
