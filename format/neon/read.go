package neon

import (
	"math"
	"path"
	"time"

	"github.com/gazeward/gazeward/format"
	"github.com/gazeward/gazeward/gaze"
)

// header is the same for all recordings: Neon's scene camera takes
// 1600 × 1200 px (Neon technical specifications).
var header = gaze.Header{Unit: gaze.Pixels, Frame: gaze.InWorld, Screen: gaze.Screen{Width: 1600, Height: 1200}, Format: name}

type reader struct {
	o     *format.Options
	in    *format.Input
	dir   folder
	b     *format.Builder
	clock format.Clock

	gaze, time, worn *records
	eyes             *states
	fixations        *events
	blinks           *events

	noTime, noGaze, lessWorn, cut int
	overflow, outside             int
}

func read(in *format.Input, o *format.Options, yield func(*gaze.Recording, error) bool) {
	sensor, p, ending, ok := partOf(in.Name)
	if !ok || sensor != "gaze" || ending != ".raw" {
		yield(nil, &format.SyntaxError{File: in.Name, Msg: notOurs.Why[0] + ": the file with its times cannot be found"})
		return
	}
	r := &reader{o: o, in: in, dir: folder{in.FS, path.Dir(in.Path)}, b: format.NewBuilder(o, yield)}
	if p > 0 && r.dir.exists(part(0).file("gaze", ".raw")) {
		yield(nil, &format.RefusedError{File: in.Name, Format: "Neon gaze in real time", Hint: "gaze_200hz.raw beside it has the same gaze at 200 Hz, open that"})
		return
	}
	r.clock, _ = format.ParseTimeUnit("ns")
	err := r.parts(p)
	r.b.End()
	r.report()
	if err == nil && r.b.Recordings() == 0 {
		err = format.Empty(in.Name, 0)
	}
	if err != nil && !r.b.Stopped() {
		yield(nil, err)
	}
}

// parts reads the part that was opened and those that continue it.
func (r *reader) parts(p part) error {
	l := r.dir.layout("gaze", gazeLayout)
	if !l.has("x", "y") {
		return &format.SyntaxError{File: r.in.Name, Msg: "gaze.dtype beside it does not lay out x and y"}
	}
	r.gaze = newRecords(r.in.Bytes(), l)
	for {
		if err := r.part(p); err != nil || p == 0 || r.b.Stopped() {
			return err
		}
		p++
		if r.gaze = r.dir.records(p.file("gaze", ".raw"), l); r.gaze == nil {
			return nil
		}
	}
}

// part reads one part: a sample for each pair of position and time.
func (r *reader) part(p part) error {
	defer r.gaze.close()
	r.time = r.dir.records(p.file("gaze", ".time"), parseLayout(timeLayout))
	if r.time == nil {
		return &format.SyntaxError{File: r.in.Name, Msg: "there is no file " + p.file("gaze", ".time") + " with its times beside it"}
	}
	r.openBeside(p)
	defer r.closeBeside()
	for !r.b.Stopped() {
		place, okPlace := r.gaze.next()
		stamp, okStamp := r.time.next()
		if !okPlace || !okStamp {
			if okPlace {
				r.noTime += 1 + r.gaze.count()
			} else if okStamp {
				r.noGaze += 1 + r.time.count()
			}
			break
		}
		r.sample(place, format.Stamp{Whole: r.time.integer(stamp, "t")})
	}
	for _, file := range [...]*records{r.gaze, r.time} {
		if file.cut {
			r.cut++
		}
		if file.err != nil {
			return &format.SyntaxError{File: r.in.Name, Msg: "the recording cannot be read further (damaged or truncated)", Err: file.err}
		}
	}
	return nil
}

func (r *reader) openBeside(p part) {
	r.worn = r.dir.records(p.file("worn", ".raw"), parseLayout(wornLayout))
	state := max(p, 1) // there is no eye_state_200hz
	r.eyes = openStates(r.dir, state, r.o.Report)
	r.fixations = openEvents(r.dir, "fixations", state, fixationsLayout)
	r.blinks = openEvents(r.dir, "blinks", state, blinksLayout)
}

func (r *reader) closeBeside() {
	r.outside += r.fixations.left() + r.blinks.left()
	for _, f := range [...]*records{r.time, r.worn, r.eyes.records(), r.eyes.times(), r.fixations.records(), r.blinks.records()} {
		f.close()
	}
}

func (r *reader) begin(zero format.Stamp) {
	h, l := header, format.Layout{Eyes: [3]bool{gaze.Cyclopean: true}}
	if _, p, _, _ := partOf(r.in.Name); p == 0 {
		h.Rate = 200 // says the file's name
	}
	if r.eyes != nil {
		h.PupilUnit = gaze.PupilMillimetres
		l.Pupil = [3]bool{gaze.Left: true, gaze.Right: true}
	}
	r.clock.Start(zero)
	r.b.Begin(h, l)
	rec := r.b.Recording()
	if r.fixations != nil { // an empty list says that there was none
		rec.Fixations, rec.Saccades = []gaze.Fixation{}, []gaze.Saccade{}
	}
	if r.blinks != nil {
		rec.Blinks = []gaze.Blink{}
	}
}

func (r *reader) sample(place []byte, stamp format.Stamp) {
	if !r.b.Open() {
		r.begin(stamp)
	}
	t, ok := r.clock.Since(stamp)
	if !ok {
		r.noTime++
		return
	}
	r.give(t)
	i := r.b.Sample(t)
	tracks := &r.b.Recording().Samples.Tracks
	if left, right, ok := r.eyes.at(stamp.Whole); ok && tracks[gaze.Left].Pupil != nil {
		tracks[gaze.Left].Pupil[i], tracks[gaze.Right].Pupil[i] = left, right
	}
	if worn, ok := r.worn.next(); ok && worn[0] == 0 {
		return
	} else if r.worn != nil && !ok {
		r.lessWorn++
	}
	x, y := r.gaze.number(place, "x"), r.gaze.number(place, "y")
	if format.Overflowed(x) || format.Overflowed(y) {
		r.overflow++
		return
	}
	if !gaze.Lost(x, y) {
		tracks[gaze.Cyclopean].X[i], tracks[gaze.Cyclopean].Y[i] = x, y
	}
}

// give passes on the events that have begun at a time.
func (r *reader) give(now time.Duration) {
	for {
		e, start, length, ok := r.fixations.due(&r.clock, now)
		if !ok {
			break
		}
		l := r.fixations.file
		if l.integer(e, "event_type") == 1 {
			r.b.Fixation(gaze.Fixation{Start: start, Duration: length, X: l.number(e, "mean_gaze_x"), Y: l.number(e, "mean_gaze_y"), Pupil: math.NaN()})
			continue
		}
		r.b.Saccade(gaze.Saccade{
			Start: start, Duration: length, Amplitude: l.number(e, "amplitude_angle_deg"), PeakVelocity: math.NaN(), // it is in px/s
			X0: l.number(e, "start_gaze_x"), Y0: l.number(e, "start_gaze_y"), X1: l.number(e, "end_gaze_x"), Y1: l.number(e, "end_gaze_y"),
		})
	}
	for {
		_, start, length, ok := r.blinks.due(&r.clock, now)
		if !ok {
			return
		}
		r.b.Blink(gaze.Blink{Start: start, Duration: length})
	}
}

func (r *reader) report() {
	report := r.o.Report
	report.CountSome("sample without a usable time stamp (left out)", r.noTime)
	report.CountSome("time stamp without a sample (left out)", r.noGaze)
	report.CountSome("sample of which worn.raw does not say whether the glasses were on (taken as on)", r.lessWorn)
	report.CountSome("file whose last record is not whole (left out)", r.cut)
	report.CountSome("overflow value in a position (counted as lost)", r.overflow)
	report.CountSome("fixation, saccade or blink outside of the samples' time (left out)", r.outside)
	dropInfo(r.dir, report)
}
