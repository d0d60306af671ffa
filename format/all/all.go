package all

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/format/arff"
	"github.com/gazeward/gazeward/format/bids"
	"github.com/gazeward/gazeward/format/canonical"
	"github.com/gazeward/gazeward/format/delimited"
	"github.com/gazeward/gazeward/format/eyelink"
	"github.com/gazeward/gazeward/format/feather"
	"github.com/gazeward/gazeward/format/fixations"
	"github.com/gazeward/gazeward/format/gazebase"
	"github.com/gazeward/gazeward/format/glasses3"
	"github.com/gazeward/gazeward/format/matlab"
	"github.com/gazeward/gazeward/format/neon"
	"github.com/gazeward/gazeward/format/npy"
	"github.com/gazeward/gazeward/format/parquet"
	"github.com/gazeward/gazeward/format/pico"
	"github.com/gazeward/gazeward/format/pupilcloud"
	"github.com/gazeward/gazeward/format/pupilcore"
	"github.com/gazeward/gazeward/format/smi"
	"github.com/gazeward/gazeward/format/tobii"
	"github.com/gazeward/gazeward/format/vive"
)

// Formats lists the formats, the most specific first.
func Formats() []format.Format {
	return append([]format.Format{
		eyelink.EDF(),
		eyelink.ASC(),
		matlab.HDF5(),
		matlab.Format(),
		gazebase.Format(),
		gazebase.VR(),
		arff.Format(),
		arff.Coord(),
		npy.Format(),
		fixations.DataViewer(),
		fixations.DataViewerSamples(),
		fixations.DataViewerSaccades(),
		fixations.GazePlotter(),
		canonical.CSV(),
		parquet.Format(),
		feather.Format(),
		feather.Old(),
		bids.Format(),
		bids.Beside(),
		pupilcore.Format(),
		pupilcore.Fixations(),
		vive.Format(),
		pico.Format(),
		pico.QuestPro(),
		glasses3.Format(),
		smi.Format(),
		pupilcloud.Format(),
		pupilcloud.Fixations(),
		neon.Format(),
		tobii.ProLab(),
		tobii.Studio(),
		tobii.SDK(),
		delimited.Format(),
	}, unread()...)
}

// ByName returns the format with a name.
func ByName(name string) (format.Format, error) {
	var names []string
	for _, f := range Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return format.Format{}, fmt.Errorf("format: no format %q: want one of %v", name, names)
}

// Sniff returns the format a file's beginning fits best, with the reasons.
// Errors are *[format.UnknownError] and *[format.AmbiguousError]. A format
// without Read is returned like the others: its Hint says why it is refused.
func Sniff(h format.Head) (format.Format, format.Match, error) { return sniff(Formats(), h) }

func sniff(formats []format.Format, h format.Head) (format.Format, format.Match, error) {
	tried := judge(formats, h)
	best := tried[0]
	if best.Score <= format.No {
		return format.Format{}, format.Match{}, &format.UnknownError{File: h.Name, Tried: tried}
	}
	var top []format.Candidate
	for _, c := range tried {
		if c.Score == best.Score {
			top = append(top, c)
		}
	}
	if len(top) > 1 {
		return format.Format{}, format.Match{}, &format.AmbiguousError{File: h.Name, Candidates: top}
	}
	at := slices.IndexFunc(formats, func(f format.Format) bool { return f.Name == best.Name })
	return formats[at], best.Match, nil
}

// Judge compares a file's beginning with all formats, best first.
func Judge(h format.Head) []format.Candidate { return judge(Formats(), h) }

func judge(formats []format.Format, h format.Head) []format.Candidate {
	var tried []format.Candidate
	for _, f := range formats {
		tried = append(tried, format.Candidate{Name: f.Name, Match: f.Detect(h)})
	}
	slices.SortStableFunc(tried, func(a, b format.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return tried
}
