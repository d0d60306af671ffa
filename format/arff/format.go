package arff

import (
	"bytes"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// Format returns the format of ARFF files with gaze.
func Format() format.Format {
	return format.Format{
		Name: "arff", Title: "ARFF (GazeCom, 360_em)", Extensions: []string{".arff"},
		Detect: detect, Read: reader(rows),
	}
}

// Coord returns the format of GazeCom's .coord files.
func Coord() format.Format {
	return format.Format{
		Name: "coord", Title: "GazeCom .coord", Extensions: []string{".coord"},
		Detect: detectCoord, Read: reader(coordRows),
	}
}

func detect(h format.Head) format.Match {
	a := parse(h.Text)
	switch {
	case !a.relation || len(a.attributes) == 0:
		return format.Match{Why: []string{"no @RELATION and @ATTRIBUTE lines"}}
	case a.find("time") < 0 || a.find("x") < 0 || a.find("y") < 0:
		return format.Match{Score: format.Likely, Why: []string{"@RELATION and @ATTRIBUTE lines, but not of time, x and y"}}
	case a.isSphere():
		return format.Match{Score: 100, Why: []string{"@RELATION gaze_360, attributes time, x and y"}}
	}
	return format.Match{Score: 95, Why: []string{"@RELATION, attributes time, x and y"}}
}

type rowsFunc func(*format.Input, format.Options, func(*gaze.Recording, error) bool) error

func reader(rows rowsFunc) func(*format.Input, format.Options) gaze.Seq {
	return func(in *format.Input, o format.Options) gaze.Seq {
		return func(yield func(*gaze.Recording, error) bool) {
			if err := rows(in, o, yield); err != nil {
				yield(nil, err)
			}
		}
	}
}

func rows(in *format.Input, o format.Options, yield func(*gaze.Recording, error) bool) error {
	a := parse(in.Head().Text)
	switch {
	case !a.relation:
		return &format.SyntaxError{File: in.Name, Msg: "no @RELATION line: not an ARFF file"}
	case !a.data && len(in.Head().Raw) >= format.HeadSize:
		return &format.SyntaxError{File: in.Name, Line: a.lines, Msg: "no @DATA line in the first 64 KiB"}
	case !a.data:
		return format.Empty(in.Name, a.lines)
	}
	m := o.Mapping
	if m == nil {
		for _, name := range []string{"time", "x", "y"} {
			if a.find(name) < 0 {
				return &format.SyntaxError{File: in.Name, Line: a.lines, Msg: "no attribute " + name + ": give a mapping"}
			}
		}
		m = a.mapping()
	}
	o.Report.DropIdentity("text of comments (%) and name of the relation")
	o.Known.Screen = merged(a.screen(), o.Known.Screen)
	if o.Known.Frame == gaze.OnScreen {
		o.Known.Frame = a.frame()
	}
	s := format.Sheet{Delimiter: ',', Columns: a.names(), Skip: a.lines, Comment: "%"}
	return s.Read(m, in, o, yield)
}

// merged prefers what the caller knows.
func merged(s, known gaze.Screen) gaze.Screen {
	if known.Known() {
		s.Width, s.Height = known.Width, known.Height
	}
	if known.WidthCm > 0 {
		s.WidthCm, s.HeightCm = known.WidthCm, known.HeightCm
	}
	if known.DistanceCm > 0 {
		s.DistanceCm = known.DistanceCm
	}
	if known.FieldWidthDeg > 0 {
		s.FieldWidthDeg, s.FieldHeightDeg = known.FieldWidthDeg, known.FieldHeightDeg
	}
	if known.Origin != gaze.TopLeft {
		s.Origin = known.Origin
	}
	return s
}

// cutWord takes a line's first word, which may be quoted.
func cutWord(s string) (word, rest string) {
	s = strings.TrimLeft(s, " \t")
	if s != "" && (s[0] == '\'' || s[0] == '"') {
		if i := strings.IndexByte(s[1:], s[0]); i >= 0 {
			return s[1 : 1+i], strings.TrimSpace(s[i+2:])
		}
	}
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], strings.TrimSpace(s[i:])
	}
	return s, ""
}

// lineSplitter yields a text's lines, whichever end they have.
func lineSplitter(text []byte, yield func(line string) bool) {
	sep := []byte{'\n'}
	if bytes.IndexByte(text, '\n') < 0 {
		sep[0] = '\r'
	}
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, sep)
		text = rest
		if !yield(string(bytes.TrimSpace(line))) {
			return
		}
	}
}
