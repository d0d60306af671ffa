// Package report draws and writes what a release shows to people: heatmaps
// over their stimulus, films of heatmaps, bars per area of interest, tables,
// numeric grids (CSV, NPY, Parquet) and one self-contained HTML page.
//
// Pictures carry their guarantee burned in, a colour bar with its unit, and
// hatching where values cannot be told from noise. The origin is the top left
// corner everywhere. The package takes plain values, knows no mechanism and
// touches no file: everything is written to an io.Writer.
package report
