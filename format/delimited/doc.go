// Package delimited reads tables of text: CSV, TSV and their kin. A
// [format.Mapping] says what the columns mean; without one, columns with usual
// names are recognised, and what the names do not say is asked for by an error
// that proposes a mapping.
//
// Delimiter, decimal comma, quotes, byte-order marks, UTF-16 and all kinds of
// line ends are recognised.
package delimited
