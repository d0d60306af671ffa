package gazebase

import (
	"bytes"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

const (
	header   = "n,x,y,val,dP,lab,xT,yT"
	headerVR = "n,x,y,lx,ly,rx,ry,xT,yT,zT,clx,cly,clz,crx,cry,crz"
)

// names is how both sets name files; the task of GazeBaseVR begins with its
// number in the session.
const names = "S_{round_id:1d}{subject_id:d}_S{session_id:d}_{task}.csv"

// Format returns the format of GazeBase: the left eye in degrees at 1000 Hz.
func Format() format.Format {
	return table{
		name: "gazebase", title: "GazeBase CSV", header: header,
		mapping: func() format.Mapping {
			return format.Mapping{
				Time: "n", TimeUnit: "ms", SamplingRate: 1000,
				X: "x", Y: "y", Unit: "deg", Eye: "left", Pupil: "dP", PupilUnit: "au_area",
				ValidWhen: format.Conditions{{Column: "val", Op: "==", Value: "0"}},
				Label:     &format.LabelMapping{Column: "lab", Values: map[string]string{"1": "fixation", "2": "saccade"}},
				Screen: &format.ScreenMapping{
					WidthPx: 1680, HeightPx: 1050, WidthCm: 47.4, HeightCm: 29.7, DistanceCm: 55, Origin: "center",
				},
			}
		},
	}.format()
}

// VR returns the format of GazeBaseVR: both eyes and their combination in
// degrees against the head, at 250 Hz. The eyes' centres, whose distance
// tells people apart, are dropped.
func VR() format.Format {
	return table{
		name: "gazebase-vr", title: "GazeBaseVR CSV", header: headerVR,
		identity: []string{"clx", "cly", "clz", "crx", "cry", "crz"},
		mapping: func() format.Mapping {
			return format.Mapping{
				Time: "n", TimeUnit: "ms", SamplingRate: 250,
				X: "x", Y: "y", XLeft: "lx", YLeft: "ly", XRight: "rx", YRight: "ry", Unit: "deg", Frame: "eye-in-head",
			}
		},
	}.format()
}

// table is what the two formats differ in.
type table struct {
	name, title, header string
	identity            []string
	mapping             func() format.Mapping
}

func (t table) format() format.Format {
	return format.Format{
		Name: t.name, Title: t.title, Extensions: []string{".csv"},
		Detect: t.detect, Read: t.read,
	}
}

func (t table) detect(h format.Head) format.Match {
	if !t.fits(h.Text) {
		return format.Match{Why: []string{"the header line is not " + t.header}}
	}
	return format.Match{Score: 100, Why: []string{"the header line is " + t.header}}
}

// fits compares a text's first line.
func (t table) fits(text []byte) bool {
	line := text
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		line = text[:i]
	}
	return string(bytes.TrimSpace(line)) == t.header
}

func (t table) read(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		if err := t.rows(in, o, yield); err != nil {
			yield(nil, err)
		}
	}
}

func (t table) rows(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) error {
	text := in.Head().Text
	if len(bytes.TrimSpace(text)) == 0 {
		return format.Empty(in.Name, 1)
	}
	if !t.fits(text) {
		return &format.SyntaxError{File: in.Name, Line: 1, Msg: "the header line is not " + t.header}
	}
	for _, name := range t.identity {
		o.Report.DropIdentity(name)
	}
	m := t.mapping()
	m.FilenamePattern = names
	if p, err := format.ParsePattern(names); err == nil {
		if _, fits := p.Match(in.Path); fits {
			m.Session = "{round_id}-{session_id}"
		} else if o.Known.Participant != "" { // the folder says who it is
			m.FilenamePattern = ""
		}
	}
	s := format.Sheet{Delimiter: ',', Columns: strings.Split(t.header, ","), Skip: 1}
	return s.Read(&m, in, o, yield)
}
