package fixations

import (
	"bytes"
	"math"
	"strings"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

const plotterHeader = "stimulus,participant,timestamp,duration,eyemovementtype,AOI"

// GazePlotter returns the format of GazePlotter's event lists. They name areas
// of interest and no places: fixations have times only.
func GazePlotter() format.Format {
	return format.Format{
		Name: "gazeplotter", Title: "GazePlotter event list", Extensions: []string{".csv"},
		Detect: detectPlotter, Read: readPlotter,
	}
}

func detectPlotter(h format.Head) format.Match {
	if !isPlotter(h.Text) {
		return format.Match{Why: []string{"the header line is not " + plotterHeader}}
	}
	return format.Match{Score: 100, Why: []string{"the header line is " + plotterHeader}}
}

func isPlotter(text []byte) bool {
	line := text
	if i := bytes.IndexAny(text, "\r\n"); i >= 0 {
		line = text[:i]
	}
	return strings.EqualFold(string(bytes.TrimSpace(line)), plotterHeader)
}

func readPlotter(in *format.Input, o format.Options) gaze.Seq {
	return func(yield func(*gaze.Recording, error) bool) {
		if len(bytes.TrimSpace(in.Head().Text)) == 0 {
			yield(nil, format.Empty(in.Name, 1))
			return
		}
		if !isPlotter(in.Head().Text) {
			yield(nil, &format.SyntaxError{File: in.Name, Line: 1, Msg: "the header line is not " + plotterHeader})
			return
		}
		r := &plotter{o: &o, lines: format.NewLines(in), b: format.NewBuilder(&o, yield)}
		if err := r.run(in.Name); err != nil && !r.b.Stopped() {
			yield(nil, err)
		}
	}
}

type plotter struct {
	o       *format.Options
	lines   *format.Lines
	b       *format.Builder
	clock   format.Clock
	key     string
	cells   [][]byte
	short   int
	others  int
	badTime int
}

func (r *plotter) run(name string) error {
	r.clock, _ = format.ParseTimeUnit("ms")
	r.o.Report.Drop("AOI")
	r.o.Report.Count("positions are not in the file: fixations have times only", 0)
	r.lines.Next()
	for !r.b.Stopped() {
		line, ok := r.lines.Next()
		if !ok {
			break
		}
		if len(bytes.TrimSpace(line)) > 0 {
			r.row(line)
		}
	}
	r.b.End()
	r.o.Report.CountSome("row with too few fields (left out)", r.short)
	r.o.Report.CountSome("time stamp or duration out of range (row left out)", r.badTime)
	r.o.Report.CountSome("row that is no fixation (left out)", r.others)
	if err := r.lines.Err(); err != nil {
		return err
	}
	if r.b.Recordings() == 0 {
		return format.Empty(name, r.lines.Number())
	}
	return nil
}

func (r *plotter) row(line []byte) {
	r.cells = format.SplitFields(r.cells[:0], line, ',')
	if len(r.cells) < 5 || !r.lines.Complete() && len(r.cells) < 6 {
		r.short++
		return
	}
	if kind := strings.ToLower(string(bytes.TrimSpace(r.cells[4]))); kind != "0" && kind != "fixation" {
		r.others++
		return
	}
	start, okStart := format.ParseStamp(r.cells[2], '.')
	length, okLength := format.ParseStamp(r.cells[3], '.')
	if !okStart || !okLength || length.Whole < 0 {
		r.badTime++
		return
	}
	if key := string(r.cells[0]) + "\x00" + string(r.cells[1]); key != r.key || !r.b.Open() {
		r.key = key
		r.clock.Start(format.Stamp{})
		r.b.Begin(gaze.Header{
			Format: "gazeplotter", Stimulus: text(r.cells[0]), Participant: text(r.cells[1]),
		}, format.Layout{})
	}
	at, okStart := r.clock.Since(start)
	span, okLength := r.clock.Length(length)
	if !okStart || !okLength {
		r.badTime++
		return
	}
	r.b.Fixation(gaze.Fixation{Start: at, Duration: span, X: math.NaN(), Y: math.NaN(), Pupil: math.NaN()})
}

func text(cell []byte) string {
	return strings.ToValidUTF8(string(bytes.TrimSpace(cell)), "?")
}
