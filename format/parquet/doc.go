// Package parquet reads and writes tables as Apache Parquet: the canonical
// columns, tables of pymovements with their nested positions, and any other
// table by a mapping.
//
// Writing is parquet-go's. Reading is our own, because the decoders at hand
// reserve whatever a length in the file claims: files of a few bytes could
// demand gigabytes. What is read is what such files use: one level of lists;
// plain, dictionary, delta, run-length and byte-stream-split encodings; none,
// Snappy, gzip and Zstandard compression. Other features are errors that say
// so.
package parquet
