package experiment

import (
	"errors"

	"github.com/gazeward/gazeward/feature"
	"github.com/gazeward/gazeward/mechanism/series"
)

var errNoWindows = errors.New("experiment: no recording is as long as a window: give a shorter --window")

// SeriesData are the feature signals of a data set.
type SeriesData struct {
	Recordings []series.Signals
	Names      []string        // of the signals
	Bounds     []series.Bounds // public
	Skipped    int             // recordings shorter than a window
}

// PoolTables keeps the features that every table has. Every table is a
// recording of its own, as in the papers.
func PoolTables(tables []*feature.Table, o feature.Options) (*SeriesData, error) {
	t := series.FromTables(tables, o)
	if len(t.Recordings) == 0 || len(t.Features) == 0 {
		return nil, errNoWindows
	}
	d := &SeriesData{Recordings: t.Recordings, Bounds: t.Bounds, Skipped: t.Skipped}
	for i := range d.Recordings {
		d.Recordings[i].Session = ""
	}
	for _, i := range t.Features {
		d.Names = append(d.Names, feature.Names()[i])
	}
	return d, nil
}
