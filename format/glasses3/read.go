package glasses3

import (
	"bytes"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// header is the same for all recordings: the scene camera takes 1920 × 1080 px
// (Tobii Pro Glasses 3 product description).
var header = gaze.Header{
	Unit: gaze.Normalized, Frame: gaze.InWorld, PupilUnit: gaze.PupilMillimetres,
	Screen: gaze.Screen{Width: 1920, Height: 1080}, Format: name,
}

var layout = format.Layout{Eyes: [3]bool{gaze.Cyclopean: true}, Pupil: [3]bool{gaze.Left: true, gaze.Right: true}}

// contents are keys of "data" that do not enter.
var contents = [...]struct {
	key, name string
	identity  bool
}{
	{"gazeorigin", "gazeorigin (eyeball centres)", true},
	{"gazedirection", "gazedirection (of single eyes)", false},
	{"gaze3d", "gaze3d", false},
}

type reader struct {
	o     *format.Options
	lines *format.Lines
	b     *format.Builder
	clock format.Clock
	seen  [len(contents)]bool

	other, damaged, noTime, noNumber, overflow int
}

func read(in *format.Input, o *format.Options, yield func(*gaze.Recording, error) bool) {
	r := &reader{o: o, lines: format.NewLines(in), b: format.NewBuilder(o, yield)}
	r.clock, _ = format.ParseTimeUnit("s")
	for !r.b.Stopped() {
		line, ok := r.lines.Next()
		if !ok {
			break
		}
		r.line(bytes.TrimSpace(line))
	}
	r.b.End()
	r.report(in)
	if err := r.finish(in); err != nil && !r.b.Stopped() {
		yield(nil, err)
	}
}

// line reads one object. The lines are taken apart by their keys and not as
// JSON, so that one number that is none does not cost the whole sample.
func (r *reader) line(line []byte) {
	if len(line) == 0 {
		return
	}
	if line[0] != '{' || line[len(line)-1] != '}' {
		r.damaged++
		return
	}
	if kind := value(line, "type"); !bytes.HasPrefix(kind, []byte(`"gaze"`)) {
		r.other++
		return
	}
	stamp, ok := format.ParseStamp(cell(value(line, "timestamp")), '.')
	if !ok {
		r.noTime++
		return
	}
	if !r.b.Open() {
		r.clock.Start(stamp)
		r.b.Begin(header, layout)
	}
	t, ok := r.clock.Since(stamp)
	if !ok {
		r.noTime++
		return
	}
	i := r.b.Sample(t)
	r.sample(i, line)
}

func (r *reader) sample(i int, line []byte) {
	tracks := &r.b.Recording().Samples.Tracks
	if place := value(line, "gaze2d"); len(place) > 0 && place[0] == '[' {
		x, y := cell(place[1:]), []byte(nil)
		if rest := place[1+len(x):]; len(rest) > 0 && rest[0] == ',' {
			y = cell(rest[1:])
		}
		t := &tracks[gaze.Cyclopean]
		t.X[i], t.Y[i] = r.number(x), r.number(y)
		if format.Overflowed(t.X[i]) || format.Overflowed(t.Y[i]) {
			r.overflow++
			t.X[i], t.Y[i] = r.number(nil), r.number(nil)
		}
	}
	r.pupil(&tracks[gaze.Left], i, value(line, "eyeleft"))
	r.pupil(&tracks[gaze.Right], i, value(line, "eyeright"))
	for n, c := range contents {
		if !r.seen[n] && value(line, c.key) != nil {
			r.seen[n] = true
		}
	}
}

// pupil takes an eye's pupil out of its object, which holds no other objects.
func (r *reader) pupil(t *gaze.Track, i int, eye []byte) {
	object, _, _ := bytes.Cut(eye, []byte{'}'})
	if d := value(object, "pupildiameter"); d != nil {
		if v := r.number(cell(d)); v > 0 && !format.Overflowed(v) {
			t.Pupil[i] = v
		}
	}
}

// value returns what follows a key of a JSON object, up to the line's end; nil
// where there is no such key.
func value(line []byte, key string) []byte {
	for {
		at := bytes.Index(line, []byte(key))
		if at < 0 {
			return nil
		}
		before, rest := line[:at], line[at+len(key):]
		if len(before) > 0 && before[len(before)-1] == '"' && len(rest) > 0 && rest[0] == '"' {
			if rest = bytes.TrimLeft(rest[1:], " \t"); len(rest) > 0 && rest[0] == ':' {
				return bytes.TrimLeft(rest[1:], " \t")
			}
		}
		line = line[at+len(key):]
	}
}

// cell is a number's text, up to the end of the number's place.
func cell(b []byte) []byte {
	if i := bytes.IndexAny(b, ",]}"); i >= 0 {
		return b[:i]
	}
	return b
}

func (r *reader) number(b []byte) float64 {
	v, ok := format.ParseNumber(b, '.')
	if !ok && !format.IsMissing(b) {
		r.noNumber++
	}
	return v
}

func (r *reader) report(in *format.Input) {
	report := r.o.Report
	for n, c := range contents {
		if r.seen[n] && c.identity {
			report.DropIdentity(c.name)
		} else if r.seen[n] {
			report.Drop(c.name)
		}
	}
	report.CountSome("line of another kind than gaze (left out)", r.other)
	report.CountSome("damaged or unfinished line (left out)", r.damaged)
	report.CountSome("line without a readable time stamp (left out)", r.noTime)
	report.CountSome("cell that is no number (counted as lost)", r.noNumber)
	report.CountSome("overflow value in a position (counted as lost)", r.overflow)
	if e := in.Encoding(); e != "" {
		report.Count("text is "+e, 0)
	}
}

func (r *reader) finish(in *format.Input) error {
	if err := r.lines.Err(); err != nil {
		return err
	}
	switch {
	case r.b.Recordings() > 0:
		return nil
	case r.other > 0:
		return r.lines.Errorf(`no line of "type":"gaze": the gaze is in the file gazedata`)
	case r.damaged > 0 || r.noTime > 0:
		return r.lines.Errorf("no line is a whole JSON object with a time stamp")
	}
	return format.Empty(in.Name, r.lines.Number())
}
